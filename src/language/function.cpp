// Definitions: the requirements on pure definitions and updates, and their stored form.
//
// The checks run here, once, when the definition is made, because only then is the user's line known. Definitions are
// stored in terms of the user's symbols. Self-calls become weak, and random numbers get the definition's variables.

#include "language/function.h"

#include "ir/extern_stage.h"

#include "ir/expr_traits.h"
#include "language/operands.h"
#include "schedule/loop_names.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <unordered_set>

namespace fluorite::language {

using ir::ExprKind;
using ir::Symbol;
using ir::SymbolKind;

// ---- Function.

Function::~Function() {
    if (self) {
        *self = nullptr;
    }
    for (Function *callee : callees) {
        if (callee->partial_of == this) {
            callee->partial_of = nullptr;
        }
    }
    for (const RefPtr<ReductionDomain> &domain : self_domains) {
        domain->predicate = Expr();
        domain->orphaned = true;
    }
    for (const Wrapper &wrapper : wrappers) { // one that outlives the wrapped Function no longer has a definition
        wrapper.function->def.stages.clear();
        wrapper.function->schedule.stages.clear();
        wrapper.function->callees.clear();
    }
}

Symbol Function::strong_symbol() const { return Symbol(SymbolKind::Func, name, {}, this); }

schedule::StageRef Function::stage_ref(int stage, const Location &location) {
    if (!defined()) {
        fail("undefined-func", *this, -1,
             "it is scheduled but has no definition; loops come from a definition; define it first", location);
    }
    if (stage < 0 || static_cast<size_t>(stage) >= def.stages.size()) {
        fail("no-such-update", *this, -1,
             concat("update ", stage - 1, " is named; it has ", def.stages.size() - 1,
                    " updates, numbered from 0; name one of them"),
             location);
    }
    edits++;
    schedule::StageRef ref;
    ref.func_name = shown_name(name);
    ref.stage = stage;
    ref.schedule = &schedule.stages[static_cast<size_t>(stage)];
    ref.func_schedule = &schedule;
    ref.pure_args = def.arg_names;
    ref.definition = &def.stages[static_cast<size_t>(stage)];
    ref.func = &def;
    return ref;
}

schedule::FuncRef Function::func_ref(const Location &location) {
    if (!defined()) {
        fail("undefined-func", *this, -1,
             "it is scheduled but has no definition; loops come from a definition; define it first", location);
    }
    return level_ref();
}

schedule::FuncRef Function::level_ref() {
    edits++;
    return {shown_name(name), &schedule, def.arg_names};
}

std::atomic<bool> &default_reassociation() {
    static std::atomic<bool> allowed = false;
    return allowed;
}

RefPtr<Function> make_function(const std::string &name) {
    RefPtr<Function> function(new Function);
    function->def.reassociates = default_reassociation();
    function->name = name.empty() ? anonymous_name("f") : clean_name(name);
    function->def.symbol = Symbol(SymbolKind::Func, function->name, {}, function.get(), true);
    return function;
}

Function *function_of(const Symbol &symbol) {
    return const_cast<Function *>(dynamic_cast<const Function *>(symbol.object()));
}

namespace {

// ---- Objects that a definition mentions.

struct Mentions {
    std::vector<Symbol> vars;
    std::vector<const ReductionDomain *> domains; // distinct, in order of occurrence
    std::vector<Expr> self_calls;
    std::vector<Function *> callees; // others than the Function itself; may repeat
    std::vector<ir::Parameter *> images;
    bool has_random = false;
};

void collect(const Function &self, const Expr &expr, Mentions &mentions) {
    ir::for_each_node(expr, [&](const Expr &node) {
        switch (node->kind()) {
        case ExprKind::Variable: {
            const Symbol &symbol = node->symbol();
            if (symbol.kind() == SymbolKind::Var) {
                mentions.vars.push_back(symbol);
            } else if (symbol.kind() == SymbolKind::RVar) {
                const auto *domain = dynamic_cast<const ReductionDomain *>(symbol.object());
                if (std::find(mentions.domains.begin(), mentions.domains.end(), domain) == mentions.domains.end()) {
                    mentions.domains.push_back(domain);
                }
            }
            break;
        }
        case ExprKind::Call: {
            Function *callee = function_of(node->symbol());
            if (callee == &self) {
                mentions.self_calls.push_back(node);
            } else if (callee) {
                mentions.callees.push_back(callee);
            }
            break;
        }
        case ExprKind::Image:
            mentions.images.push_back(ir::parameter_of(node->symbol()));
            break;
        case ExprKind::Random:
            mentions.has_random = true;
            break;
        default: // kinds that mention no object of the program
            break;
        }
    });
}

Mentions collect(const Function &self, const std::vector<Expr> &exprs) {
    Mentions mentions;
    for (const Expr &expr : exprs) {
        collect(self, expr, mentions);
    }
    return mentions;
}

// ---- Undef.

/// The position of an undef where only a value may be undefined; null if there is none.
const char *find_misplaced_undef(const Expr &value) {
    std::unordered_set<const ir::ExprNode *> partial; // contain undef
    const char *place = nullptr;
    ir::for_each_node(value, [&](const Expr &node) {
        bool below = node->kind() == ExprKind::Undef;
        for (size_t i = 0; i < node->arg_count(); i++) {
            if (!partial.contains(node->arg(i).get())) {
                continue;
            }
            below = true;
            const ExprKind kind = node->kind();
            if (ir::class_of(kind) == ir::ExprClass::Access) {
                place = "a coordinate";
            } else if (kind == ExprKind::Select) {
                place = i == 0 ? "the condition of a select" : place;
            } else if (ir::is_data(kind) || ir::may_have_effect(kind) || kind == ExprKind::MemoizeTag) {
                place = "an argument of a function with effects";
            }
        }
        if (below) {
            partial.insert(node.get());
        }
    });
    return place;
}

void check_undef(const Function &function, int stage, const std::vector<Expr> &args, const std::vector<Expr> &values,
                 const Expr &predicate, const Location &location) {
    const char *place = predicate.defined() && has_undef(predicate) ? "the predicate of its RDom" : nullptr;
    for (const Expr &arg : args) {
        place = has_undef(arg) ? "a coordinate" : place;
    }
    for (const Expr &value : values) {
        const char *found = find_misplaced_undef(value);
        place = found ? found : place;
    }
    if (place) {
        fail("undef-value", function, stage,
             concat("undef stands in ", place,
                    "; it says that a point keeps the value that it has, which only values of a definition can say; "
                    "give it a value there, and leave points out with select(c, e, undef) as a whole or RDom::where"),
             location);
    }
}

// ---- Checks for both kinds of definitions.

void check_values(const Function &function, int stage, const std::vector<Expr> &values, const Location &location) {
    for (size_t i = 0; i < values.size(); i++) {
        if (!values[i].defined()) {
            fail("undefined-operand", function, stage,
                 concat("value ", i, " is an undefined Expr; a definition has values; initialize the Expr"), location);
        }
        if (values[i].type().is_handle() || !values[i].type().is_scalar()) {
            fail("value-type", function, stage,
                 concat("value ", i, " has type ", values[i].type(), "; values are scalar numbers; cast it"), location);
        }
    }
}

bool contains(const std::vector<Symbol> &symbols, const Symbol &symbol) {
    return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
}

void check_vars(const Function &function, int stage, const Mentions &mentions, const std::vector<Symbol> &known,
                const Location &location) {
    for (const Symbol &var : mentions.vars) {
        if (!contains(known, var)) {
            std::string names;
            for (const Symbol &name : known) {
                names += (names.empty() ? "" : ", ") + shown_name(name.name());
            }
            fail("undefined-variable", function, stage,
                 "its right side or coordinates use the Var " + shown_name(var.name()) +
                     ", which is no Var of the left side; a definition uses the Vars of its left side (" +
                     (names.empty() ? "here none" : names) + ") and RVars; add it to the left side, or give a number",
                 location);
        }
    }
}

std::vector<Expr> with_random_operands(const std::vector<Expr> &values, const std::vector<Expr> &operands) {
    std::vector<Expr> result;
    for (const Expr &value : values) {
        result.push_back(ir::transform(value, [&](const Expr &node) {
            if (node->kind() != ExprKind::Random) {
                return node;
            }
            std::vector<Expr> args(node->args().begin(), node->args().end());
            args.insert(args.end(), operands.begin(), operands.end());
            return ir::with_args(node, args);
        }));
    }
    return result;
}

/// Makes self-calls refer to the weak symbol and other calls to strong ones.
Expr with_owned_calls(const Function &function, const Expr &expr) {
    return ir::transform(expr, [&](const Expr &node) {
        if (node->kind() != ExprKind::Call) {
            return node;
        }
        const Function *callee = function_of(node->symbol());
        const Symbol symbol = callee == &function ? function.def.symbol : callee->strong_symbol();
        return ir::make_call(node->type(), symbol, node->member().index, node->args());
    });
}

void check_type(const Function &function, int stage, size_t index, Type seen, Type wanted, const char *source,
                const Location &location) {
    if (seen != wanted) {
        fail("value-type", function, stage,
             concat("value ", index, " has type ", seen, "; ", source, " has type ", wanted,
                    " there; cast it, as in cast(", wanted, ", e)"),
             location);
    }
}

void check_declared(const Function &function, const std::vector<Expr> &args, const std::vector<Expr> &values,
                    const Location &location) {
    if (function.declared_dimensions >= 0 && function.declared_dimensions != static_cast<int>(args.size())) {
        fail("wrong-arity", function, 0,
             concat("it is defined with ", args.size(), " dimensions; it was declared with ",
                    function.declared_dimensions, "; use as many Vars as declared"),
             location);
    }
    if (function.declared_types.empty()) {
        return;
    }
    if (function.declared_types.size() != values.size()) {
        fail("tuple-size", function, 0,
             concat("it is defined by ", values.size(), " values; it was declared with ",
                    function.declared_types.size(), "; give as many values as declared"),
             location);
    }
    for (size_t i = 0; i < values.size(); i++) {
        check_type(function, 0, i, values[i].type(), function.declared_types[i], "the declaration", location);
    }
}

void add_stage(Function &function, ir::Stage stage) {
    const bool is_update = !function.def.stages.empty();
    function.schedule.stages.push_back(schedule::default_stage_schedule(function.def, stage, is_update));
    function.def.stages.push_back(std::move(stage));
    function.edits++;
}

void note_callees(Function &function, const Mentions &mentions) {
    for (Function *callee : mentions.callees) {
        callee->used = true;
        if (std::find(function.callees.begin(), function.callees.end(), callee) == function.callees.end()) {
            function.callees.push_back(callee);
        }
    }
    for (ir::Parameter *image : mentions.images) {
        if (std::find(function.images.begin(), function.images.end(), image) == function.images.end()) {
            function.images.push_back(image);
        }
    }
}

void check_not_used(const Function &function, int stage, const Location &location) {
    if (!function.stands_for.empty()) {
        fail("func-in-use", function, stage,
             "it is changed, and it is what " + function.stands_for +
                 " returned; consumers that read it in place of that Func get the same values, whatever the schedule; "
                 "define that Func in full before, or a Func of your own for consumers to call",
             location);
    }
    if (function.used) {
        fail("func-in-use", function, stage,
             "it is changed after another Func has called it; what others have called stays as it is; make all its "
             "definitions before it is called",
             location);
    }
}

} // namespace

// ---- Pure definitions.

namespace {

std::vector<Symbol> pure_args(const Function &function, const std::vector<Expr> &args, const Location &location) {
    if (args.size() > most_dimensions) {
        fail("too-many-dimensions", function, 0,
             concat("it has ", args.size(), " dimensions; loops and regions grow with each; at most ", most_dimensions,
                    " are compiled; put several coordinates into one"),
             location);
    }
    std::vector<Symbol> symbols;
    for (size_t i = 0; i < args.size(); i++) {
        if (!ir::is_kind(args[i], ExprKind::Variable) || args[i]->symbol().kind() != SymbolKind::Var) {
            fail("pure-argument", function, 0,
                 concat("argument ", i, " of its first definition is ", shown(args[i]),
                        "; the first definition gives the value everywhere, so its arguments are Vars; define it with "
                        "Vars first, then update single points"),
                 location);
        }
        const Symbol &symbol = args[i]->symbol();
        if (const std::string shown = schedule::shown_loop(symbol.name()); shown != symbol.name()) {
            const char *place = symbol.name() == schedule::outermost_loop ? "around all loops" : "of a loop";
            fail("pure-argument", function, 0,
                 concat("argument ", i, " of its first definition is ", shown, "; it names the place ", place,
                        " of a Func, and no dimension; use another Var"),
                 location);
        }
        if (contains(symbols, symbol)) {
            fail("duplicate-var", function, 0,
                 "the Var " + shown_name(symbol.name()) +
                     " stands twice on the left side; each dimension has its own Var; use distinct Vars",
                 location);
        }
        symbols.push_back(symbol);
    }
    return symbols;
}

} // namespace

void define_pure(Function &function, const std::vector<Expr> &args, std::vector<Expr> values,
                 const Location &location) {
    check_not_used(function, 0, location);
    const std::vector<Symbol> vars = pure_args(function, args, location);
    check_values(function, 0, values, location);
    check_declared(function, args, values, location);
    check_undef(function, 0, {}, values, Expr(), location);
    const Mentions mentions = collect(function, values);
    if (!mentions.self_calls.empty()) {
        fail("recursive-definition", function, 0,
             "its first definition calls itself; a pure definition cannot, as nothing defines the value that it would "
             "call; "
             "define a start value first, then update it over an RDom",
             location);
    }
    if (!mentions.domains.empty()) {
        fail("rvar-in-pure-definition", function, 0,
             "its first definition uses RDom " + mentions.domains[0]->name +
                 "; a pure definition runs over its Vars only; define a start value first, then update it over the "
                 "RDom, or "
                 "use sum, product, minimum or maximum",
             location);
    }
    check_vars(function, 0, mentions, vars, location);
    note_callees(function, mentions);
    if (mentions.has_random) {
        values = with_random_operands(values, args);
    }
    function.def.args = vars;
    for (const Symbol &var : vars) {
        function.def.arg_names.push_back(var.name());
    }
    for (const Expr &value : values) {
        function.def.types.push_back(value.type());
    }
    function.def.location = location;
    ir::Stage stage;
    stage.args = args;
    stage.values = std::move(values);
    stage.location = location;
    add_stage(function, std::move(stage));
    if (!function.output_parameters.empty()) { // asked for before: their types may have been open
        function.needed_output_parameters();
    }
}

// ---- Updates.

namespace {

/// The dimensions in which the update uses the Func's own Var.
std::vector<bool> pure_positions(const Function &function, int stage, const std::vector<Expr> &args,
                                 const Location &location) {
    const std::vector<Symbol> &vars = function.def.args;
    std::vector<bool> pure(args.size());
    for (size_t i = 0; i < args.size(); i++) {
        pure[i] = ir::is_kind(args[i], ExprKind::Variable) && args[i]->symbol() == vars[i];
    }
    for (size_t i = 0; i < args.size(); i++) {
        if (pure[i] || !ir::is_kind(args[i], ExprKind::Variable) || args[i]->symbol().kind() != SymbolKind::Var) {
            continue;
        }
        const std::string name = shown_name(args[i]->symbol().name());
        bool runs = false; // by the loop of the dimension that is its own, as in f(x, x)
        for (size_t k = 0; k < args.size(); k++) {
            runs = runs || (pure[k] && args[k]->symbol() == args[i]->symbol());
        }
        if (runs) {
            continue;
        }
        fail("misplaced-var", function, stage,
             concat("argument ", i, " is the Var ", name, "; an update keeps a dimension with its own Var, here ",
                    shown_name(vars[i].name()), ", or gives it by RVars and numbers; write ",
                    shown_name(vars[i].name()), " there, or use an RDom"),
             location);
    }
    return pure;
}

void check_self_calls(const Function &function, int stage, const std::vector<Expr> &calls,
                      const std::vector<bool> &pure, const Location &location) {
    for (const Expr &call : calls) {
        for (size_t i = 0; i < pure.size(); i++) {
            const Expr &arg = call->arg(i);
            if (pure[i] && !(ir::is_kind(arg, ExprKind::Variable) && arg->symbol() == function.def.args[i])) {
                const std::string var = shown_name(function.def.args[i].name());
                fail("shifted-self-call", function, stage,
                     concat("it calls itself with ", shown(arg), " in dimension ", i, ", which the left side keeps as ",
                            var,
                            "; all points of a Var are updated in any order, so they cannot read each other; write ",
                            var, " there, or run the dimension over an RDom"),
                     location);
            }
        }
    }
}

/// The only domain of the update, or null.
const ReductionDomain *single_domain(const Function &function, int stage, const Mentions &mentions,
                                     const Location &location) {
    if (mentions.domains.size() > 1) {
        fail("several-rdoms", function, stage,
             "it uses " + both_names(*mentions.domains[0], *mentions.domains[1]) +
                 "; an update runs over one RDom; make one RDom of all dimensions",
             location);
    }
    return mentions.domains.empty() ? nullptr : mentions.domains[0];
}

/// Bounds of an RDom are computed before the update runs, so they may mention neither Funcs nor variables.
void check_domain_bounds(const Function &function, int stage, const ReductionDomain &domain, const Location &location) {
    for (const ReductionDomain::Dim &dim : domain.dims) {
        const Mentions mentions = collect(function, {dim.min, dim.extent});
        if (!mentions.self_calls.empty()) {
            fail("rdom-depends-on-func", function, stage,
                 "the bounds of RDom " + domain.name +
                     " depend on the Func itself; the domain is known before the update runs; compute the bounds from "
                     "Params, sizes or numbers, and cut the domain with where()",
                 location);
        }
        if (!mentions.callees.empty() || !mentions.vars.empty() || !mentions.domains.empty()) {
            fail("rdom-bounds", function, stage,
                 "the bounds of RDom " + domain.name + " use " +
                     (!mentions.callees.empty() ? "the Func " + shown_name(mentions.callees[0]->name)
                      : !mentions.vars.empty()  ? "the Var " + shown_name(mentions.vars[0].name())
                                                : "RDom " + mentions.domains[0]->name) +
                     "; bounds are computed from Params, sizes and numbers; give constant bounds and cut the domain "
                     "with "
                     "where()",
                 location);
        }
    }
}

void check_update_values(const Function &function, int stage, const std::vector<Expr> &values,
                         const Location &location) {
    const std::vector<Type> &types = function.def.types;
    if (values.size() != types.size()) {
        fail("tuple-size", function, stage,
             concat("it is updated by ", values.size(), values.size() == 1 ? " value" : " values",
                    "; it was defined with ", types.size(), "; give as many values as its first definition"),
             location);
    }
    for (size_t i = 0; i < values.size(); i++) {
        check_type(function, stage, i, values[i].type(), types[i], "its first definition", location);
    }
}

/// The predicate for a stage. A predicate that calls the Function itself must not own it, because the Function owns the
/// domain.
Expr owned_predicate(Function &function, ReductionDomain &domain, bool calls_itself) {
    if (!domain.predicate.defined()) {
        return Expr();
    }
    const Expr predicate = with_owned_calls(function, domain.predicate);
    if (calls_itself) {
        domain.predicate = predicate;
        function.self_domains.push_back(RefPtr<ReductionDomain>(&domain));
    }
    return predicate;
}

} // namespace

int define_update(Function &function, std::vector<Expr> args, std::vector<Expr> values, const Location &location) {
    const int stage_index = static_cast<int>(function.def.stages.size());
    if (ir::is_extern(function.def)) {
        fail("extern-update", function, stage_index,
             "an update is added to a Func that the C function " +
                 ir::extern_function(*ir::find_extern_stage(function.def)) +
                 " defines; an extern function computes all of its Func; update another Func, which reads this one",
             location);
    }
    check_not_used(function, stage_index, location);
    check_values(function, stage_index, values, location);
    check_update_values(function, stage_index, values, location);
    const std::vector<bool> pure = pure_positions(function, stage_index, args, location);

    std::vector<Expr> all = args;
    all.insert(all.end(), values.begin(), values.end());
    Mentions mentions = collect(function, all);
    const ReductionDomain *domain = single_domain(function, stage_index, mentions, location);
    if (domain) {
        if (domain->orphaned) {
            fail("rdom-in-use", function, stage_index,
                 "the predicate of RDom " + domain->name +
                     " called a Func that exists no more; a predicate lives with the Funcs that it calls; make a new "
                     "RDom",
                 location);
        }
        check_domain_bounds(function, stage_index, *domain, location);
        if (domain->predicate.defined()) {
            collect(function, domain->predicate, mentions);
        }
        single_domain(function, stage_index, mentions, location);
    }
    check_undef(function, stage_index, args, values, domain ? domain->predicate : Expr(), location);
    std::vector<Symbol> known;
    for (size_t i = 0; i < args.size(); i++) {
        if (pure[i]) {
            known.push_back(function.def.args[i]);
        }
    }
    check_vars(function, stage_index, mentions, known, location);
    check_self_calls(function, stage_index, mentions.self_calls, pure, location);
    note_callees(function, mentions);

    ir::Stage stage;
    stage.location = location;
    std::vector<Expr> variables;
    for (const Symbol &var : known) {
        variables.push_back(ir::make_var(Int(32), var));
    }
    if (domain) {
        const_cast<ReductionDomain *>(domain)->used = true;
        for (size_t i = 0; i < domain->dims.size(); i++) {
            const Symbol symbol = domain->symbol(static_cast<int>(i));
            stage.rvars.push_back({symbol, domain->dims[i].min, domain->dims[i].extent, domain->dims[i].name});
            variables.push_back(ir::make_var(Int(32), symbol));
        }
        stage.predicate =
            owned_predicate(function, const_cast<ReductionDomain &>(*domain), !mentions.self_calls.empty());
    }
    if (mentions.has_random) {
        values = with_random_operands(values, variables);
        args = with_random_operands(args, variables);
    }
    const bool calls_itself = !mentions.self_calls.empty();
    for (std::vector<Expr> *list : {&args, &values}) {
        for (Expr &expr : *list) {
            expr = calls_itself ? with_owned_calls(function, expr) : expr;
        }
    }
    stage.args = std::move(args);
    stage.values = std::move(values);
    add_stage(function, std::move(stage));
    return stage_index;
}

const std::vector<RefPtr<ir::Parameter>> &Function::needed_output_parameters() {
    const std::vector<Type> &types = defined() ? def.types : declared_types;
    const size_t rank = defined() ? def.dimensions() : static_cast<size_t>(declared_dimensions);
    const size_t count = std::max<size_t>(types.size(), 1); // the types of a declaration may be open
    for (size_t i = 0; i < count; i++) {
        if (i == output_parameters.size()) {
            output_parameters.push_back(RefPtr<ir::Parameter>(new ir::Parameter));
        }
        ir::Parameter &parameter = *output_parameters[i];
        parameter.name = count > 1 ? name + "." + std::to_string(i) : name;
        parameter.type = i < types.size() ? types[i] : Type();
        parameter.is_buffer = true;
        parameter.dimensions = static_cast<int>(rank);
        parameter.dims.resize(rank);
    }
    return output_parameters;
}

} // namespace fluorite::language
