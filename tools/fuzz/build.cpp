// Builds a genome's Funcs through the public API and applies its directives. A directive that the library refuses with a
// CompileError is left out; everything else that goes wrong is the library's fault.

#include "build.h"

#include <algorithm>

namespace fluorite::fuzz {

namespace {

const char *var_names[] = {"x", "y", "z"};

class Builder {
  public:
    explicit Builder(const Genome &genome) : genome_(genome) {}

    Program run() {
        for (const InputGene &input : genome_.inputs) {
            program_.inputs.emplace_back(input.type, input.rank, input.name);
        }
        for (const FuncGene &gene : genome_.funcs) {
            program_.funcs.push_back(define(gene));
        }
        program_.output = program_.funcs.back();
        for (size_t i = 0; i < genome_.schedule.size(); i++) {
            std::string refusal, text;
            try {
                text = apply(genome_.schedule[i]);
            } catch (const CompileError &error) {
                refusal = error.what();
            }
            program_.accepted.push_back(refusal.empty() && !text.empty());
            program_.refusals.push_back(refusal);
            if (program_.accepted.back()) {
                program_.schedule_text.push_back(text);
            }
        }
        return std::move(program_);
    }

  private:
    const Genome &genome_;
    Program program_;
    int fresh_ = 0;

    // What a definition's terms refer to.
    struct Context {
        std::vector<Expr> variables;
        std::vector<Expr> self; // values of the Func being updated
    };

    Func define(const FuncGene &gene) {
        Func func(gene.name);
        std::vector<Var> vars;
        Context context;
        for (int d = 0; d < gene.rank; d++) {
            vars.emplace_back(var_names[d]);
            context.variables.emplace_back(vars.back());
        }
        define_values(func(vars), gene.values, context);
        for (const Update &update : gene.updates) {
            define_update(func, gene, update, vars);
        }
        return func;
    }

    void define_values(const FuncRef &target, const std::vector<Term> &terms, const Context &context) {
        if (terms.size() == 1) {
            target = expr(terms[0], context);
            return;
        }
        std::vector<Expr> values;
        for (const Term &term : terms) {
            values.push_back(expr(term, context));
        }
        target = Tuple(values);
    }

    void define_update(Func &func, const FuncGene &gene, const Update &update, const std::vector<Var> &vars) {
        Context context;
        std::vector<Expr> lhs;
        for (const Var &var : vars) {
            context.variables.emplace_back(var);
            lhs.emplace_back(var);
        }
        size_t dimension = static_cast<size_t>(update.dimension);
        RDom domain;
        if (!update.domain.empty()) {
            Region region;
            for (auto [min, extent] : update.domain) {
                region.emplace_back(Expr(min), Expr(extent));
            }
            domain = RDom(region, "r");
            for (int r = 0; r < domain.dimensions(); r++) {
                context.variables.emplace_back(domain[r]);
            }
        }
        std::vector<Expr> self_at = lhs;
        if (update.kind == Update::Kind::Scan) {
            lhs[dimension] = domain[0];
            self_at[dimension] = Expr(domain[0]) - 1;
        }
        if (update.kind == Update::Kind::Scatter) {
            lhs[dimension] = coordinate(update.target, context);
            self_at = lhs;
        }
        if (update.has_predicate) {
            Expr sum = Expr(domain[0]);
            for (int r = 1; r < domain.dimensions(); r++) {
                sum += domain[r];
            }
            domain.where(sum < update.predicate_limit);
        }
        for (size_t v = 0; v < gene.types.size(); v++) {
            FuncRef self = func(self_at);
            context.self.push_back(gene.types.size() == 1 ? Expr(self) : Expr(self[static_cast<int>(v)]));
        }
        define_values(func(lhs), update.values, context);
    }

    Expr coordinate(const Coordinate &c, const Context &context) {
        switch (c.kind) {
        case Coordinate::Kind::Constant:
            return Expr(c.offset);
        case Coordinate::Kind::Data:
            return clamp(cast<int32_t>(expr(c.data[0], context)), c.low, c.high);
        default:
            break;
        }
        Expr variable = context.variables[static_cast<size_t>(c.variable)];
        switch (c.kind) {
        case Coordinate::Kind::Halved:
            return (variable + c.offset) / 2;
        case Coordinate::Kind::Doubled:
            return variable * 2 + c.offset;
        case Coordinate::Kind::Wrapped:
            return (variable + c.offset) % c.high;
        default:
            return c.offset == 0 ? variable : variable + c.offset;
        }
    }

    std::vector<Expr> coordinates(const Term &term, const Context &context) {
        std::vector<Expr> result;
        for (const Coordinate &c : term.coordinates) {
            result.push_back(coordinate(c, context));
        }
        return result;
    }

    Expr expr(const Term &term, const Context &context) {
        auto arg = [&](size_t i) { return expr(term.args[i], context); };
        using Op = Term::Op;
        switch (term.op) {
        case Op::Constant:
            return cast(term.type, Expr(static_cast<int32_t>(term.number)));
        case Op::Variable:
            return cast(term.type, context.variables[static_cast<size_t>(term.number)]);
        case Op::Call: {
            FuncRef call = program_.funcs[static_cast<size_t>(term.source)](coordinates(term, context));
            bool tuple = genome_.funcs[static_cast<size_t>(term.source)].types.size() > 1;
            return tuple ? Expr(call[term.element]) : Expr(call);
        }
        case Op::Input:
            return program_.inputs[static_cast<size_t>(term.source)](coordinates(term, context));
        case Op::Self:
            return context.self[static_cast<size_t>(term.element)];
        case Op::Cast:
            return cast(term.type, arg(0));
        case Op::Saturate:
            return saturating_cast(term.type, arg(0));
        case Op::Add:
            return arg(0) + arg(1);
        case Op::Sub:
            return arg(0) - arg(1);
        case Op::Mul:
            return arg(0) * arg(1);
        case Op::Div:
            return arg(0) / arg(1);
        case Op::Mod:
            return arg(0) % arg(1);
        case Op::Min:
            return min(arg(0), arg(1));
        case Op::Max:
            return max(arg(0), arg(1));
        case Op::Select:
            return select(arg(0) < arg(1), arg(2), arg(3));
        case Op::Compare:
            return arg(0) < arg(1);
        case Op::And:
            return term.type.is_bool() ? arg(0) && arg(1) : arg(0) & arg(1);
        case Op::Or:
            return term.type.is_bool() ? arg(0) || arg(1) : arg(0) | arg(1);
        case Op::Xor:
            return arg(0) ^ arg(1);
        case Op::ShiftLeft:
            return arg(0) << arg(1);
        case Op::ShiftRight:
            return arg(0) >> arg(1);
        case Op::Abs:
            return term.type.is_uint() ? arg(0) : cast(term.type, abs(arg(0)));
        case Op::AbsDiff:
            return cast(term.type, absd(arg(0), arg(1)));
        case Op::Negate:
            return -arg(0);
        case Op::Sqrt:
            return sqrt(arg(0));
        case Op::Floor:
            return floor(arg(0));
        case Op::Sum: {
            RDom domain(0, static_cast<int32_t>(term.number));
            Context inner = context;
            inner.variables.emplace_back(RVar(domain));
            return sum(domain, expr(term.args[0], inner) + cast(term.type, RVar(domain)));
        }
        }
        return Expr();
    }

    // ---- Directives.

    static std::string var_text(const std::string &name) { return "Var(\"" + name + "\")"; }

    static std::string tail_text(TailStrategy tail) {
        static const char *names[] = {"RoundUp",
                                      "GuardWithIf",
                                      "Predicate",
                                      "PredicateLoads",
                                      "PredicateStores",
                                      "ShiftInwards",
                                      "ShiftInwardsAndBlend",
                                      "RoundUpAndBlend",
                                      "Auto"};
        return std::string("TailStrategy::") + names[static_cast<int>(tail)];
    }

    Stage stage_of(int func, int stage) {
        Func &f = program_.funcs[static_cast<size_t>(func)];
        return stage == 0 ? Stage(f.function(), 0) : f.update(stage - 1);
    }

    static VarOrRVar loop_var(const std::string &name) { return VarOrRVar(name, false); }

    std::string apply(const Directive &d) {
        Func &func = program_.funcs[static_cast<size_t>(d.func)];
        Stage stage = stage_of(d.func, d.stage);
        std::string name = func.name(),
                    on = d.stage == 0 ? name : name + ".update(" + std::to_string(d.stage - 1) + ")";
        std::vector<std::string> loops = stage.loops();
        auto loop = [&](int i) { return loops[static_cast<size_t>(i) % loops.size()]; };
        bool output = d.func + 1 == static_cast<int>(program_.funcs.size());
        using Op = Directive::Op;
        bool needs_loops = d.op != Op::ComputeRoot && d.op != Op::StoreRoot && d.op != Op::ComputeAt &&
                           d.op != Op::StoreAt && d.op != Op::ReorderStorage && d.op != Op::AlignBounds;
        if (needs_loops && loops.empty()) {
            return "";
        }
        std::string fresh = "v" + std::to_string(++fresh_), fresh2 = "w" + std::to_string(fresh_);
        std::string factor = std::to_string(d.factor), tail = tail_text(d.tail);
        switch (d.op) {
        case Op::ComputeRoot:
            func.compute_root();
            return name + ".compute_root();";
        case Op::StoreRoot:
            func.store_root();
            return name + ".store_root();";
        case Op::ComputeAt:
        case Op::StoreAt: {
            if (output) {
                return "";
            }
            std::vector<std::string> around = stage_of(d.consumer, d.consumer_stage).loops();
            std::string at = around.empty() || static_cast<size_t>(d.loop) % (around.size() + 1) == around.size()
                                 ? "__outermost"
                                 : around[static_cast<size_t>(d.loop) % (around.size() + 1)];
            LoopLevel level(program_.funcs[static_cast<size_t>(d.consumer)], loop_var(at), d.consumer_stage);
            std::string text = "LoopLevel(" + genome_.funcs[static_cast<size_t>(d.consumer)].name + ", " +
                               var_text(at) + ", " + std::to_string(d.consumer_stage) + ")";
            if (d.op == Op::ComputeAt) {
                func.compute_at(level);
                return name + ".compute_at(" + text + ");";
            }
            func.store_at(level);
            return name + ".store_at(" + text + ");";
        }
        case Op::Split:
            stage.split(loop_var(loop(d.loop)), Var(fresh), Var(fresh2), d.factor, d.tail);
            return on + ".split(" + var_text(loop(d.loop)) + ", " + var_text(fresh) + ", " + var_text(fresh2) + ", " +
                   factor + ", " + tail + ");";
        case Op::Fuse:
            if (loops.size() < 2) {
                return "";
            }
            stage.fuse(loop_var(loop(d.loop)), loop_var(loop(d.loop + 1)), Var(fresh));
            return on + ".fuse(" + var_text(loop(d.loop)) + ", " + var_text(loop(d.loop + 1)) + ", " + var_text(fresh) +
                   ");";
        case Op::Reorder: {
            std::string a = loop(d.loop), b = loop(d.other);
            if (a == b) {
                return "";
            }
            stage.reorder(loop_var(a), loop_var(b));
            return on + ".reorder(" + var_text(a) + ", " + var_text(b) + ");";
        }
        case Op::Vectorize:
            stage.vectorize(loop_var(loop(d.loop)), d.factor, d.tail);
            return on + ".vectorize(" + var_text(loop(d.loop)) + ", " + factor + ", " + tail + ");";
        case Op::VectorizeWhole: {
            // Only loops of constant extent can be: an inner loop made by a split.
            std::string a = loop(d.loop);
            stage.split(loop_var(a), Var(fresh), Var(fresh2), d.factor, d.tail);
            stage.vectorize(Var(fresh2));
            return on + ".split(" + var_text(a) + ", " + var_text(fresh) + ", " + var_text(fresh2) + ", " + factor +
                   ", " + tail + "); " + on + ".vectorize(" + var_text(fresh2) + ");";
        }
        case Op::Unroll:
            stage.unroll(loop_var(loop(d.loop)), d.factor, d.tail);
            return on + ".unroll(" + var_text(loop(d.loop)) + ", " + factor + ", " + tail + ");";
        case Op::Parallel:
            stage.parallel(loop_var(loop(d.loop)));
            return on + ".parallel(" + var_text(loop(d.loop)) + ");";
        case Op::Tile: {
            std::string a = loop(d.loop), b = loop(d.loop + 1);
            if (a == b) {
                return "";
            }
            std::string c = fresh + "o", e = fresh2 + "o";
            stage.tile(loop_var(a), loop_var(b), Var(c), Var(e), Var(fresh), Var(fresh2), d.factor, 4, d.tail);
            return on + ".tile(" + var_text(a) + ", " + var_text(b) + ", " + var_text(c) + ", " + var_text(e) + ", " +
                   var_text(fresh) + ", " + var_text(fresh2) + ", " + factor + ", 4, " + tail + ");";
        }
        case Op::ReorderStorage: {
            if (func.dimensions() < 2) {
                return "";
            }
            func.reorder_storage({Var(var_names[1]), Var(var_names[0])});
            return name + ".reorder_storage({Var(\"y\"), Var(\"x\")});";
        }
        case Op::AlignBounds:
            if (output || func.dimensions() < 1) {
                return "";
            }
            func.align_bounds(Var(var_names[d.loop % func.dimensions()]), d.factor);
            return name + ".align_bounds(" + var_text(var_names[d.loop % func.dimensions()]) + ", " + factor + ");";
        case Op::Partition: {
            stage.partition(loop_var(loop(d.loop)), d.other % 2 ? Partition::Never : Partition::Always);
            return on + ".partition(" + var_text(loop(d.loop)) + ", Partition::" + (d.other % 2 ? "Never" : "Always") +
                   ");";
        }
        }
        return "";
    }
};

} // namespace

Program build(const Genome &genome) { return Builder(genome).run(); }

} // namespace fluorite::fuzz
