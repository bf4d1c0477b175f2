#pragma once
// The state of parsing one text. Internal to parse*.cpp.

#include "ir/lexer.h"
#include "ir/parse.h"
#include "ir/text_names.h"

#include <optional>

namespace fluorite::ir {

class Parser {
  public:
    Parser(std::string_view text, const ParseOptions &options);

    Expr whole_expr();
    Stmt whole_stmt();
    LoweredFunc whole_lowered();
    LoweredModule whole_module();
    Graph whole_graph();

  private:
    // Tokens.
    const Token &peek(size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
    bool is(std::string_view text, size_t ahead = 0) const;
    bool accept(std::string_view text);
    void expect(std::string_view text, const char *where);
    std::string take_word(const char *what);
    std::string take_name(const char *what);
    std::string quoted_text(const char *what);
    [[noreturn]] void fail(const std::string &message) const { fail(peek(), message); }
    [[noreturn]] void fail(const Token &at, const std::string &message) const {
        fail_parse(options_.file, at, message);
    }
    std::string seen() const;
    int64_t integer(const char *what);
    Type type();
    /// Fails at the token where no vector has so many lanes.
    Type with_lanes(const Token &at, Type type, int64_t lanes);
    /// `:type` if the text has one here.
    std::optional<Type> type_suffix();
    template <typename T> T word_of(std::optional<T> (*parse)(std::string_view), const char *what);

    // Symbols.
    struct SymbolText {
        Token at;
        std::string name;
        bool introduces = false; // has an @
        std::optional<SymbolKind> kind;
        SymbolOwner owner;
    };
    SymbolText symbol_text();
    SymbolOwner owner();
    KnownSymbol &resolve(const SymbolText &text, SymbolKind expected, bool is_binder);
    Symbol find_given(const std::string &name, SymbolKind kind, const SymbolOwner &owner, bool any_kind) const;
    KnownSymbol &binder(SymbolKind expected) { return resolve(symbol_text(), expected, true); }
    /// A binder of a graph, of this owner and prefix if the text leaves it to ParseOptions::numbers_graph; `written` is
    /// the name in the text.
    KnownSymbol &graph_binder(SymbolKind expected, const SymbolOwner &owner, const std::string &prefix,
                              std::string &written);
    KnownSymbol &use(SymbolKind expected) { return resolve(symbol_text(), expected, false); }

    // Expressions.
    Expr expr();
    Expr infix(int least_precedence);
    Expr unary();
    Expr primary();
    struct LetHead {
        Symbol symbol;
        Expr value;
    };
    LetHead let_head();
    Expr let();
    Expr literal(bool negative);
    Expr number(const Token &at, bool negative);
    Expr float_literal(const Token &at, const std::string &text, bool negative, Type type);
    Expr by_name();
    Expr by_word();
    Expr vector_shape(ExprKind kind);
    Expr shuffle();
    Expr vector_reduce();
    Expr access(const Token &at, Symbol symbol, bool is_image); // by value: the table may change meanwhile
    Expr load(const Token &at, Symbol symbol);
    std::vector<Expr> operands();
    std::vector<Expr> expr_list(std::string_view end);
    /// Makes the node; `written` (or a suffix in the text) overrides the type that the operands determine.
    Expr node(const Token &at, ExprKind kind, std::vector<Expr> args, Payload payload = {}, Type written = Type());
    Expr checked(const Token &at, Expr expr) const;

    // Statements.
    Stmt stmt_list(std::string_view end, const char *what);
    Stmt braces(const char *what);
    Stmt stmt();
    Stmt assignment();
    Stmt for_stmt(ForKind kind);
    Stmt realize();
    Stmt if_stmt();
    Range range();
    std::vector<Range> ranges();
    MemoryType memory();
    int slot();
    LoweredArg lowered_arg();
    Symbol index();
    std::vector<Symbol> indices(const char *word);
    LoweredFunc lowered();
    std::vector<Type> types();

    // Graphs.
    void graph_input(Graph &graph);
    void trace_tags(std::vector<std::string> &tags);
    void graph_param(Graph &graph);
    void graph_func(Graph &graph);
    void graph_output(Graph &graph);
    void graph_promise(Graph &graph);
    Stage stage(const Symbol &func, size_t index);
    std::string user_name(const std::string &written);

    ParseOptions options_;
    std::vector<Token> tokens_;
    size_t at_ = 0;
    int depth_ = 0;
    NameTable names_;
};

} // namespace fluorite::ir
