// Parsing statements, lowered functions and modules.
//
// A list of statements extends to its closing brace. let, allocate and prefetch take the rest of their list as body;
// they are kept as unfinished wrappers and closed from the last to the first, so that a long chain does not recurse.

#include "ir/parser.h"

namespace fluorite::ir {

namespace {
/// The message of a failed check in a make function, without its source location.
std::string rule_of(const InternalError &error) {
    const std::string text = error.what();
    const size_t place = text.find(": ");
    return place == std::string::npos ? text : text.substr(place + 2);
}
} // namespace

Stmt Parser::whole_stmt() {
    Stmt result = stmt_list("", "the text");
    if (peek().kind != TokenKind::End) {
        fail(concat(seen(), " after the end of the statement"));
    }
    return result;
}

template <typename T> T Parser::word_of(std::optional<T> (*parse)(std::string_view), const char *what) {
    const Token at = peek();
    const auto found = parse(take_word(what));
    if (!found) {
        fail(at, concat("'", at.text, "' is not ", what));
    }
    return *found;
}

Range Parser::range() {
    expect("[", "the start of a range");
    const Expr min = expr();
    expect(",", "the min of a range");
    expect("+", "the comma of a range");
    const Expr extent = expr();
    expect(")", "the extent of a range");
    return {min, extent};
}

std::vector<Range> Parser::ranges() {
    std::vector<Range> bounds;
    if (accept("over")) {
        do {
            bounds.push_back(range());
        } while (accept(","));
    }
    return bounds;
}

MemoryType Parser::memory() {
    // If the buffer is named "in", an operator follows instead of a word.
    const bool follows = is("in") && peek(1).kind == TokenKind::Word;
    return follows && accept("in") ? word_of(parse_memory, "a kind of memory") : MemoryType::Auto;
}

int Parser::slot() {
    // A store to a buffer named "slot" has no number here.
    const bool follows = is("slot") && peek(1).kind == TokenKind::Number;
    return follows && accept("slot") ? static_cast<int>(integer("the number of a slot")) : Allocate::no_slot;
}

std::vector<Type> Parser::types() {
    std::vector<Type> types;
    do {
        types.push_back(type());
    } while (accept(","));
    return types;
}

Stmt Parser::stmt_list(std::string_view end, const char *what) {
    using Wrapper = std::function<Stmt(const Stmt &)>;
    struct Item {
        Token at;
        Stmt stmt;
        Wrapper wrap;
    };
    std::vector<Item> items;
    const Token start = peek();
    while (peek().kind != TokenKind::End && !is("}")) {
        const Token at = peek();
        if (accept(";")) {
            continue;
        }
        if (accept("let")) {
            const LetHead head = let_head();
            items.push_back({at, {}, [=](const Stmt &body) { return LetStmt::make(head.symbol, head.value, body); }});
        } else if (accept("allocate")) {
            const Symbol symbol = binder(SymbolKind::Buffer).symbol;
            expect(":", "the name of an allocation");
            const Type element = type();
            names_.enter(symbol).types[0] = element;
            expect("[", "the type of an allocation");
            std::vector<Expr> extents = expr_list("]");
            const MemoryType place = memory();
            const int number = slot();
            items.push_back({at, {}, [=](const Stmt &body) {
                                 return Allocate::make(symbol, element, place, extents, body, number);
                             }});
        } else if (accept("prefetch")) {
            const Symbol symbol = use(SymbolKind::Func).symbol;
            std::vector<Range> bounds = ranges();
            items.push_back({at, {}, [=](const Stmt &body) { return Prefetch::make(symbol, bounds, body); }});
        } else {
            items.push_back({at, stmt(), {}});
        }
    }
    Stmt result;
    for (size_t i = items.size(); i-- > 0;) {
        if (!items[i].wrap) {
            std::vector<Stmt> run{items[i].stmt};
            while (i > 0 && !items[i - 1].wrap) {
                run.push_back(items[--i].stmt);
            }
            std::reverse(run.begin(), run.end());
            run.push_back(result);
            result = Block::make(std::move(run));
        } else if (!result.defined()) {
            fail(items[i].at, "no statement follows in these braces");
        } else {
            try {
                result = items[i].wrap(result);
            } catch (const InternalError &error) {
                fail(items[i].at, rule_of(error));
            }
        }
    }
    if (!end.empty()) {
        expect(end, what);
    }
    return result;
}

Stmt Parser::braces(const char *what) {
    const Token at = peek();
    expect("{", what);
    if (++depth_ > 1000) {
        fail("statements are nested too deeply");
    }
    Stmt body = stmt_list("}", "the statements in braces");
    depth_--;
    if (!body.defined()) {
        fail(at, "the braces hold no statement");
    }
    return body;
}

Stmt Parser::stmt() {
    const Token at = peek();
    try {
        if (is("{")) {
            return braces("nothing");
        }
        if (accept("assert")) {
            const Expr condition = expr();
            expect("else", "the condition of an assert");
            return Assert::make(condition, expr());
        }
        if (is("produce") || is("consume")) {
            const bool is_producer = accept("produce");
            if (!is_producer) {
                at_++;
            }
            const Symbol func = use(SymbolKind::Func).symbol;
            return ProducerConsumer::make(func, is_producer, braces("the func"));
        }
        if (is("for")) {
            return for_stmt(ForKind::Serial);
        }
        if (const std::optional<ForKind> kind = parse_loop_kind(peek().text);
            kind && *kind != ForKind::Serial && accept(to_word(*kind))) {
            return for_stmt(*kind);
        }
        if (accept("realize")) {
            return realize();
        }
        if (accept("if")) {
            return if_stmt();
        }
        if (accept("free")) {
            return Free::make(use(SymbolKind::Buffer).symbol);
        }
        if (accept("evaluate")) {
            return Evaluate::make(expr());
        }
        if (accept("atomic")) {
            const Symbol func = use(SymbolKind::Func).symbol;
            return Atomic::make(func, braces("the func"));
        }
        if (accept("launch")) {
            const std::string task = take_name("the name of a task");
            std::vector<Expr> args = operands();
            return Launch::make(task, std::move(args), accept("threads") ? operands() : std::vector<Expr>());
        }
        if (accept("barrier")) {
            return Barrier::make();
        }
        return assignment();
    } catch (const InternalError &error) {
        fail(at, rule_of(error));
    }
}

Stmt Parser::assignment() {
    if (peek().kind != TokenKind::Word && peek().kind != TokenKind::QuotedName) {
        fail(concat(seen(), " where a statement is expected"));
    }
    const SymbolText text = symbol_text();
    if (accept("[")) {
        const Symbol buffer = resolve(text, SymbolKind::Buffer, false).symbol;
        const Expr index = expr();
        expect("]", "the index of a store");
        expect("=", "the place of a store");
        const Expr value = expr();
        return Store::make(buffer, value, index, accept("where") ? expr() : Expr());
    }
    const Symbol func = resolve(text, SymbolKind::Func, false).symbol;
    if (!is("(")) {
        fail(text.at, concat("'", text.name, "' begins no statement"));
    }
    std::vector<Expr> args = operands();
    expect("=", "the coordinates");
    std::vector<Expr> values = accept("{") ? expr_list("}") : std::vector<Expr>{expr()};
    const int stage = accept("stage") ? static_cast<int>(integer("a number of a stage")) : 0;
    return Provide::make(func, stage, std::move(values), std::move(args), accept("where") ? expr() : Expr());
}

Stmt Parser::for_stmt(ForKind kind) {
    expect("for", "the kind of a loop");
    const Symbol var = binder(SymbolKind::Loop).symbol;
    expect("in", "the variable of a loop");
    const Range bounds = range();
    const Partition partition =
        accept("partition") ? word_of(parse_partition, "a partition (never, always)") : Partition::Auto;
    return For::make(var, bounds.min, bounds.extent, kind, braces("the bounds of a loop"), partition);
}

Stmt Parser::realize() {
    const Symbol func = binder(SymbolKind::Func).symbol;
    expect(":", "the func of a realize");
    const std::vector<Type> element_types = types();
    for (size_t i = 0; i < element_types.size(); i++) {
        names_.enter(func).types[static_cast<int>(i)] = element_types[i].element_of();
    }
    const MemoryType place = memory();
    const std::vector<Range> bounds = ranges();
    return Realize::make(func, element_types, place, bounds, braces("the bounds of a realize"));
}

Stmt Parser::if_stmt() {
    const Expr condition = expr();
    const Stmt then_case = braces("the condition of an if");
    Stmt else_case;
    if (accept("else")) {
        else_case = accept("if") ? if_stmt() : braces("else");
    }
    return IfThenElse::make(condition, then_case, else_case);
}

// ---- Functions.

LoweredArg Parser::lowered_arg() {
    const SymbolText text = symbol_text();
    expect(":", "the name of an argument");
    const Token at = peek();
    const std::string word = take_word("input, output, allocation or scalar");
    LoweredArg arg;
    if (word == "scalar") {
        arg.symbol = resolve(text, SymbolKind::Param, true).symbol;
        arg.type = type();
        names_.enter(arg.symbol).types[KnownSymbol::as_variable] = arg.type;
        return arg;
    }
    if (word != "input" && word != "output" && word != "allocation") {
        fail(at, concat("'", word, "' is not input, output, allocation or scalar"));
    }
    arg.kind = word == "input"    ? LoweredArg::Kind::InputBuffer
               : word == "output" ? LoweredArg::Kind::OutputBuffer
                                  : LoweredArg::Kind::Allocation;
    arg.symbol = resolve(text, SymbolKind::Buffer, true).symbol;
    arg.type = type();
    names_.enter(arg.symbol).types[0] = arg.type.element_of();
    if (arg.kind == LoweredArg::Kind::Allocation) {
        return arg;
    }
    expect("[", "the type of a buffer");
    arg.dimensions = static_cast<int>(integer("a number of dimensions"));
    expect("]", "the dimensions");
    return arg;
}

Symbol Parser::index() {
    const Symbol index = binder(SymbolKind::Loop).symbol;
    names_.enter(index).types[KnownSymbol::as_variable] = Int(32);
    return index;
}

std::vector<Symbol> Parser::indices(const char *word) {
    std::vector<Symbol> indices;
    if (accept(word)) {
        expect("(", word);
        do {
            indices.push_back(index());
        } while (accept(","));
        expect(")", "an index");
    }
    return indices;
}

LoweredFunc Parser::lowered() {
    LoweredFunc func;
    using Kind = LoweredFunc::Kind;
    func.kind = accept(to_word(Kind::Task))     ? Kind::Task
                : accept(to_word(Kind::Callee)) ? Kind::Callee
                : accept(to_word(Kind::Kernel)) ? Kind::Kernel
                                                : Kind::Entry;
    if (func.kind == Kind::Entry) {
        expect(to_word(Kind::Entry), "nothing");
    }
    func.name = take_name("the name of a function");
    expect("(", "the name of a function");
    while (!accept(")")) {
        if (!func.args.empty()) {
            expect(",", "an argument");
        }
        func.args.push_back(lowered_arg());
    }
    if (accept("of")) {
        func.index = index();
    }
    func.blocks = indices("blocks");
    func.threads = indices("threads");
    expect("{", "the arguments");
    func.body = stmt_list("}", "the body of the function");
    return func;
}

LoweredFunc Parser::whole_lowered() {
    LoweredFunc func = lowered();
    if (peek().kind != TokenKind::End) {
        fail(concat(seen(), " after the end of the function"));
    }
    return func;
}

LoweredModule Parser::whole_module() {
    LoweredModule module;
    while (is("constant") || is("streams")) {
        if (accept("constant")) {
            module.constants.push_back(lowered_arg());
        } else {
            at_++;
            module.streams.push_back(use(SymbolKind::Buffer).symbol);
        }
    }
    do {
        module.funcs.push_back(lowered());
    } while (peek().kind != TokenKind::End);
    return module;
}

} // namespace fluorite::ir
