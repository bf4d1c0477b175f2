// Func: construction, queries, and the directives on whole Funcs.

#include "fluorite/func.h"

#include "fluorite/image_param.h"
#include "fluorite/lambda.h"
#include "language/function.h"
#include "language/operands.h"
#include "language/pipeline_contents.h"
#include "schedule/directives/common.h"

#include <algorithm>
#include <span>

namespace fluorite {

using namespace language;

namespace {

detail::Ref<Function> new_function(const std::string &name) { return detail::Ref<Function>(make_function(name).get()); }

std::shared_ptr<PipelineContents> contents_of(const detail::Ref<Function> &function) {
    auto contents = std::make_shared<PipelineContents>();
    contents->outputs.push_back(RefPtr<Function>(function.get()));
    return contents;
}

const ir::Stage &stage_of(const Function &function, int stage, const Location &location, int first = 0) {
    if (!function.defined()) {
        fail("undefined-func", function, -1,
             "it is asked for its definition but has none; a Func is defined before it is looked at; define it first",
             location);
    }
    if (stage < first || static_cast<size_t>(stage) >= function.def.stages.size()) {
        fail("no-such-update", function, -1,
             concat("update ", stage - 1, " is named; it has ", function.def.stages.size() - 1,
                    " updates, numbered from 0; name one of them"),
             location);
    }
    return function.def.stages[static_cast<size_t>(stage)];
}

const ir::Stage &update_of(const Function &function, int index, const Location &location) {
    return stage_of(function, index + 1, location, 1);
}

/// A number of a directive, of any integer type, or undefined.
Expr number(const char *op, const Expr &value, const Location &location) {
    if (value.defined() && has_undef(value)) {
        fail_operand({op, location}, "undef-value", "undef is given; a directive takes a value; give a number");
    }
    if (!value.defined()) {
        return value;
    }
    const Expr integer = checked_integer({op, location}, LocatedExpr(value, location));
    const std::string unknown = schedule::unknown_at_entry(integer);
    if (!unknown.empty()) {
        fail_operand({op, location}, "directive-value",
                     "a number that uses " + unknown + " is given" + schedule::value_rule());
    }
    if (!fits_int32(integer)) {
        fail_operand({op, location}, "literal-out-of-range",
                     concat(integer, " is given; coordinates and sizes are integers of 32 bits; give a smaller one"));
    }
    return integer;
}

/// The number as Int32. In regions, whose checks see every conversion, one beyond 32 bits is reported as it is.
Expr int32(const char *op, const Expr &value, const Location &location) {
    const Expr integer = number(op, value, location);
    return integer.defined() ? convert(Int(32), integer) : integer;
}
/// A size of memory as Int32: one beyond 32 bits does not become another size.
Expr size(const char *op, const Expr &value, const Location &location) {
    const Expr integer = number(op, value, location);
    return integer.defined() ? nearest_int32(integer) : integer;
}

} // namespace

// ---- Construction.

Func::Func() : LoopDirectives(new_function(""), 0), pipeline_(contents_of(function())) {}
Func::Func(const std::string &name) : LoopDirectives(new_function(name), 0), pipeline_(contents_of(function())) {}
Func::Func(const detail::Ref<Function> &function) : LoopDirectives(function, 0), pipeline_(contents_of(function)) {}

Func::Func(const Type &type, int dimensions, const std::string &name, const Location &location)
    : Func(std::vector<Type>{type}, dimensions, name, location) {}

Func::Func(const std::vector<Type> &types, int dimensions, const std::string &name, const Location &location)
    : Func(name) {
    for (const Type &type : types) {
        check_element_type(type, this->name(), location);
    }
    if (dimensions < -1) {
        fail("negative-rank", this->name(),
             concat("it is declared with ", dimensions,
                    " dimensions; a rank is 0 or more, and -1 leaves it open; give the number of dimensions"),
             location);
    }
    function_->declared_types = types;
    function_->declared_dimensions = dimensions;
    function_->def.location = location;
}

Func::Func(const Expr &value, const Location &location) : Func("") {
    (*this)(std::vector<Expr>{Expr(_)}, location) = LocatedExpr(value, location);
}

// ---- Queries.

std::string Func::name() const { return shown_name(function_->name); }
bool Func::defined() const { return function_->defined(); }

std::vector<Var> Func::args() const {
    std::vector<Var> vars;
    for (const std::string &name : function_->def.arg_names) {
        vars.push_back(Var(name));
    }
    return vars;
}

int Func::dimensions() const {
    return defined() ? static_cast<int>(function_->def.args.size()) : function_->declared_dimensions;
}

Expr Func::value(const Location &location) const {
    const Tuple all = values(location);
    if (all.size() != 1) {
        fail("tuple-size", *function_, -1,
             concat("its value is asked for but it has ", all.size(), "; value() is for Funcs of one; use values()"),
             location);
    }
    return all[0];
}

Tuple Func::values(const Location &location) const { return Tuple(stage_of(*function_, 0, location).values); }
std::vector<Type> Func::types() const { return defined() ? function_->def.types : function_->declared_types; }

Type Func::type(const Location &location) const {
    const std::vector<Type> all = types();
    if (all.size() != 1) {
        fail(
            defined() ? "tuple-size" : "undefined-func", *function_, -1,
            concat("its type is asked for but it has ", all.size(), " values; type() is for Funcs of one; use types()"),
            location);
    }
    return all[0];
}

int Func::outputs() const { return static_cast<int>(types().size()); }
int Func::num_update_definitions() const { return defined() ? static_cast<int>(function_->def.stages.size()) - 1 : 0; }

const std::vector<Expr> Func::update_args(int index, const Location &location) const {
    return update_of(*function_, index, location).args;
}
Tuple Func::update_values(int index, const Location &location) const {
    return Tuple(update_of(*function_, index, location).values);
}

Expr Func::update_value(int index, const Location &location) const {
    const Tuple all = update_values(index, location);
    if (all.size() != 1) {
        fail("tuple-size", *function_, index + 1,
             concat("its value is asked for but it has ", all.size(),
                    "; update_value() is for Funcs of one; use "
                    "update_values()"),
             location);
    }
    return all[0];
}

std::vector<RVar> Func::rvars(int index, const Location &location) const {
    std::vector<RVar> result;
    for (const ir::ReductionVar &rvar : update_of(*function_, index, location).rvars) {
        auto *domain = const_cast<ReductionDomain *>(dynamic_cast<const ReductionDomain *>(rvar.var.object()));
        result.push_back(RVar(detail::Ref<ReductionDomain>(domain), rvar.var.owner().dim.value));
    }
    return result;
}

Stage Func::update(detail::Integer index, const Location &location) {
    update_of(*function_, index, location);
    return {function_, index + 1};
}

// ---- Compute and store levels.

namespace {
std::shared_ptr<LevelState> state_of(const schedule::LoopLevel &level) {
    auto state = std::make_shared<LevelState>();
    state->level = level;
    return state;
}

/// The current value of a level, with the location of the directive; inlined where it is not set yet.
schedule::LoopLevel level_of(const LoopLevel &level, const Location &location) {
    schedule::LoopLevel result = level.state()->level.value_or(schedule::LoopLevel::inlined());
    result.location = location;
    return result;
}
} // namespace

LoopLevel::LoopLevel(const Location &location) : state_(std::make_shared<LevelState>()), location_(location) {}
LoopLevel::LoopLevel(const Func &func, const VarOrRVar &var, detail::Integer stage)
    : state_(state_of(schedule::LoopLevel::at(func.function()->def.symbol, stage, var.name(), var.location()))),
      location_(var.location()) {
    state_->is_rvar = var.is_rvar();
}
LoopLevel LoopLevel::inlined(const Location &location) {
    LoopLevel level(location);
    level.state_ = state_of(schedule::LoopLevel::inlined());
    return level;
}
LoopLevel LoopLevel::root(const Location &location) {
    LoopLevel level(location);
    level.state_ = state_of(schedule::LoopLevel::root(location));
    return level;
}

LoopLevel &LoopLevel::set(const LoopLevel &other) {
    state_->level = other.state_->level;
    state_->is_rvar = other.state_->is_rvar;
    state_->edits++;
    return *this;
}

bool LoopLevel::defined() const { return state_->level.has_value(); }
bool LoopLevel::is_inlined() const { return defined() && state_->level->is_inlined(); }
bool LoopLevel::is_root() const { return defined() && state_->level->is_root(); }
std::string LoopLevel::func_name() const {
    return defined() && state_->level->is_at() ? shown_name(state_->level->func.name()) : "";
}
std::string LoopLevel::var_name() const { return defined() && state_->level->is_at() ? state_->level->var : ""; }
bool LoopLevel::is_rvar() const { return state_->is_rvar; }
VarOrRVar LoopLevel::var() const { return {var_name(), is_rvar(), location_}; }
int LoopLevel::get_stage_index() const { return defined() && state_->level->is_at() ? state_->level->stage : -1; }
std::string LoopLevel::to_string() const {
    if (!defined()) {
        return "undefined";
    }
    if (is_inlined() || is_root()) {
        return is_root() ? "root" : "inlined";
    }
    const int stage = get_stage_index();
    return concat(func_name(), stage > 0 ? concat(".update(", stage - 1, ")") : "", ".", var_name());
}
std::ostream &operator<<(std::ostream &stream, const LoopLevel &level) { return stream << level.to_string(); }
bool LoopLevel::operator==(const LoopLevel &other) const { return state_->level == other.state_->level; }

Func &Func::compute_at(const LoopLevel &level, const Location &location) {
    schedule::compute_at(function_->level_ref(), level_of(level, location)).or_raise();
    function_->compute_level = level.state();
    return *this;
}
Func &Func::store_at(const LoopLevel &level, const Location &location) {
    schedule::store_at(function_->level_ref(), level_of(level, location)).or_raise();
    function_->store_level = level.state();
    return *this;
}
Func &Func::compute_at(const Func &consumer, const VarOrRVar &var) {
    return compute_at(LoopLevel(consumer, var), var.location());
}
Func &Func::store_at(const Func &consumer, const VarOrRVar &var) {
    return store_at(LoopLevel(consumer, var), var.location());
}
Func &Func::compute_root(const Location &location) { return compute_at(LoopLevel::root(location), location); }
Func &Func::compute_rank(const Location &location) {
    compute_root(location);
    schedule::compute_rank(function_->func_ref(location), location).or_raise();
    return *this;
}
Func &Func::agglomerate(const LocatedExpr &ranks) {
    schedule::set_mark(function_->func_ref(ranks.location), schedule::DirectiveName::agglomerate,
                       int32("agglomerate", ranks.expr, ranks.location), ranks.location)
        .or_raise();
    return *this;
}
Func &Func::compute_inline(const Location &location) { return compute_at(LoopLevel::inlined(location), location); }
Func &Func::store_root(const Location &location) { return store_at(LoopLevel::root(location), location); }

namespace {
/// Throws unless the Func is a copy: its one definition is a call of a Func or of an image with its own arguments.
void check_is_copy(const Function &function, const char *directive, const Location &location) {
    const ir::Stage &stage = stage_of(function, 0, location);
    const auto is_own_arg = [&](const Expr &arg, const ir::Symbol &own) {
        return ir::is_kind(arg, ir::ExprKind::Variable) && arg->symbol() == own;
    };
    const auto is_copied = [&](const Expr &value) {
        const std::span<const Expr> args = value->args();
        const std::vector<ir::Symbol> &own = function.def.args;
        return (ir::is_kind(value, ir::ExprKind::Call) || ir::is_kind(value, ir::ExprKind::Image)) &&
               std::equal(args.begin(), args.end(), own.begin(), own.end(), is_own_arg);
    };
    if (function.def.stages.size() > 1 || !std::all_of(stage.values.begin(), stage.values.end(), is_copied)) {
        fail("not-a-copy", function, -1,
             concat(directive,
                    " of a Func that computes something; values are moved by a copy of a Func or an image; call it on "
                    "the copy that in() makes, as in f.in().",
                    directive, "()"),
             location);
    }
}
} // namespace

Func &Func::copy_to_device(DeviceAPI api, const Location &location) {
    refuse_api("copy_to_device", api, location);
    check_is_copy(*function_, "copy_to_device", location);
    return *this;
}

Func &Func::copy_to_host(const Location &location) {
    check_is_copy(*function_, "copy_to_host", location);
    return *this;
}

Func &Func::store_in(MemoryType memory, const Location &location) {
    schedule::store_in(function_->level_ref(), memory, location).or_raise();
    return *this;
}

Func &Func::reorder_storage(const std::vector<Var> &vars, const Location &location) {
    std::vector<std::string> names;
    for (const Var &var : vars) {
        names.push_back(var.name());
    }
    schedule::reorder_storage(function_->func_ref(location), names, location).or_raise();
    return *this;
}

Func &Func::hoist_storage(const LoopLevel &level, const Location &location) {
    schedule::hoist_storage(function_->level_ref(), level_of(level, location)).or_raise();
    function_->hoist_level = level.state();
    return *this;
}
Func &Func::hoist_storage(const Func &consumer, const VarOrRVar &var) {
    return hoist_storage(LoopLevel(consumer, var), var.location());
}
Func &Func::hoist_storage_root(const Location &location) { return hoist_storage(LoopLevel::root(location), location); }

Func &Func::fold_storage_in(const VarOrRVar &var, const Expr &extent, bool fold_forward) {
    schedule::fold_storage(function_->func_ref(var.location()), var.name(),
                           size("fold_storage", extent, var.location()), fold_forward, var.location())
        .or_raise();
    return *this;
}
Func &Func::align_storage(const VarOrRVar &var, const Expr &alignment) {
    schedule::align_storage(function_->func_ref(var.location()), var.name(),
                            size("align_storage", alignment, var.location()), var.location())
        .or_raise();
    return *this;
}
Func &Func::bound_storage(const VarOrRVar &var, const Expr &extent) {
    schedule::bound_storage(function_->func_ref(var.location()), var.name(),
                            size("bound_storage", extent, var.location()), var.location())
        .or_raise();
    return *this;
}

Func &Func::stream_stores(const Location &location) {
    schedule::set_mark(function_->func_ref(location), schedule::DirectiveName::stream_stores, Expr(), location)
        .or_raise();
    return *this;
}

// ---- Memoization, async.

Func &Func::memoize(const EvictionKey &eviction_key, const Location &location) {
    schedule::set_mark(function_->func_ref(location), schedule::DirectiveName::memoize, eviction_key.key(), location)
        .or_raise();
    return *this;
}
Func &Func::async(const Location &location) {
    schedule::set_mark(function_->func_ref(location), schedule::DirectiveName::async, Expr(), location).or_raise();
    return *this;
}
Func &Func::ring_buffer(const LocatedExpr &extent) {
    schedule::set_mark(function_->func_ref(extent.location), schedule::DirectiveName::ring_buffer,
                       size("ring_buffer", extent.expr, extent.location), extent.location)
        .or_raise();
    return *this;
}

// ---- Promises about the region.

Func &Func::bound(const VarOrRVar &var, const Expr &min, const Expr &extent) {
    schedule::bound(function_->func_ref(var.location()), var.name(), int32("bound", min, var.location()),
                    int32("bound", extent, var.location()), var.location())
        .or_raise();
    return *this;
}
Func &Func::bound_extent(const VarOrRVar &var, const Expr &extent) { return bound(var, Expr(), extent); }

Func &Func::align_bounds(const VarOrRVar &var, const Expr &modulus, const Expr &remainder) {
    schedule::align_bounds(function_->func_ref(var.location()), var.name(),
                           int32("align_bounds", modulus, var.location()),
                           int32("align_bounds", remainder, var.location()), var.location())
        .or_raise();
    return *this;
}
Func &Func::align_extent(const VarOrRVar &var, const Expr &modulus) { return align_bounds(var, modulus, Expr()); }

Func &Func::set_estimate(const VarOrRVar &var, const Expr &min, const Expr &extent) {
    schedule::set_estimate(function_->func_ref(var.location()), var.name(), int32("set_estimate", min, var.location()),
                           int32("set_estimate", extent, var.location()), var.location())
        .or_raise();
    return *this;
}

Func &Func::set_estimates(const Region &estimates, const Location &location) {
    const schedule::FuncRef ref = function_->func_ref(location);
    if (estimates.size() != ref.pure_args.size()) {
        fail("wrong-arity", *function_, -1,
             concat("set_estimates gives ", estimates.size(), " ranges; it has ", ref.pure_args.size(),
                    " dimensions; give one range for each dimension"),
             location);
    }
    schedule::FuncSchedule edited = *ref.schedule; // all or none
    const schedule::FuncRef all{ref.func_name, &edited, ref.pure_args};
    const auto is_given = [](const Range &range) { return range.min.defined() || range.extent.defined(); };
    const bool is_something = std::any_of(estimates.begin(), estimates.end(), is_given);
    for (size_t i = 0; i < estimates.size(); i++) {
        if (is_something && !is_given(estimates[i])) {
            continue; // this dimension is not known
        }
        schedule::set_estimate(all, ref.pure_args[i], int32("set_estimates", estimates[i].min, location),
                               int32("set_estimates", estimates[i].extent, location), location)
            .or_raise();
    }
    *ref.schedule = edited;
    return *this;
}

// ---- Promises about the values.

Func &Func::allow_reassociation(const Location &location) {
    function_->func_ref(location);
    function_->def.reassociates = true;
    return *this;
}

void set_default_reassociation(bool allowed) { default_reassociation() = allowed; }

// ---- Tracing.

Func &Func::trace_loads(const Location &location) {
    function_->func_ref(location);
    function_->def.trace_loads = true;
    return *this;
}
Func &Func::trace_stores(const Location &location) {
    function_->func_ref(location);
    function_->def.trace_stores = true;
    return *this;
}
Func &Func::trace_realizations(const Location &location) {
    function_->func_ref(location);
    function_->def.trace_realizations = true;
    return *this;
}

Func &Func::add_trace_tag(const std::string &tag, const Location &location) {
    function_->func_ref(location);
    function_->def.trace_tags.push_back(tag);
    return *this;
}
Func &Func::debug_to_file(const std::string &path, const Location &location) {
    function_->func_ref(location);
    function_->def.debug_file = path;
    return *this;
}
Func &Func::no_profiling(const Location &location) {
    function_->func_ref(location);
    function_->def.is_profiled = false;
    return *this;
}

// ---- Output buffers.

std::vector<OutputImageParam> Func::output_buffers(const Location &location) const {
    if (!defined() && function_->declared_dimensions < 0) {
        fail("undefined-func", *function_, -1,
             "its output buffer is asked for but it has no definition; a buffer has the type and rank of a definition; "
             "define it first, or declare them, as in Func f(UInt(8), 2, \"f\")",
             location);
    }
    std::vector<OutputImageParam> result;
    for (const RefPtr<ir::Parameter> &parameter : function_->needed_output_parameters()) {
        result.emplace_back(detail::Ref<ir::Parameter>(parameter.get()));
    }
    return result;
}

OutputImageParam Func::output_buffer(const Location &location) const {
    const std::vector<OutputImageParam> all = output_buffers(location);
    if (all.size() != 1) {
        fail("tuple-size", *function_, -1,
             concat("its output buffer is asked for but it has ", all.size(),
                    "; output_buffer() is for Funcs of one value; use output_buffers()"),
             location);
    }
    return all[0];
}

// ---- lambda.

namespace {
Func make_lambda(const std::vector<Var> &vars, const Expr &value, const Location &location) {
    Func func("lambda");
    func(vars, location) = LocatedExpr(value, location);
    return func;
}
} // namespace

Func lambda(const Expr &value, const Location &location) { return Func(value, location); }
Func lambda(const Var &x, const Expr &value, const Location &location) { return make_lambda({x}, value, location); }
Func lambda(const Var &x, const Var &y, const Expr &value, const Location &location) {
    return make_lambda({x, y}, value, location);
}
Func lambda(const Var &x, const Var &y, const Var &z, const Expr &value, const Location &location) {
    return make_lambda({x, y, z}, value, location);
}
Func lambda(const Var &x, const Var &y, const Var &z, const Var &w, const Expr &value, const Location &location) {
    return make_lambda({x, y, z, w}, value, location);
}
Func lambda(const Var &x, const Var &y, const Var &z, const Var &w, const Var &v, const Expr &value,
            const Location &location) {
    return make_lambda({x, y, z, w, v}, value, location);
}

} // namespace fluorite
