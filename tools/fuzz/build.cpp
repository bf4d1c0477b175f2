// Builds a genome's Funcs through the public API.

#include "build.h"

#include "apply_automatic.h"
#include "apply_device.h"
#include "apply_directive.h"
#include "apply_walk.h"

#include <algorithm>
#include <functional>

namespace fluorite::fuzz {

namespace {

template <typename T> Expr typed_param(const ParamGene &gene) {
    Param<T> param(gene.name);
    if constexpr (std::is_class_v<T>) {
        param.set(T(static_cast<float>(gene.value)));
    } else {
        param.set(static_cast<T>(gene.value));
    }
    return param;
}

Expr make_param(const ParamGene &gene) {
    static const std::map<std::string, std::function<Expr(const ParamGene &)>> makers = {
        {"uint8", typed_param<uint8_t>},      {"uint16", typed_param<uint16_t>}, {"uint32", typed_param<uint32_t>},
        {"uint64", typed_param<uint64_t>},    {"int8", typed_param<int8_t>},     {"int16", typed_param<int16_t>},
        {"int32", typed_param<int32_t>},      {"int64", typed_param<int64_t>},   {"bool", typed_param<bool>},
        {"float32", typed_param<float>},      {"float64", typed_param<double>},  {"float16", typed_param<float16_t>},
        {"bfloat16", typed_param<bfloat16_t>}};
    return makers.at(to_string(gene.type))(gene);
}

class Builder {
  public:
    explicit Builder(const Genome &genome) : genome_(genome) {}

    Program run() {
        for (const InputGene &input : genome_.inputs) {
            ImageParam param(input.type, input.rank, input.name);
            if (is_sparse(input.layout) && input.rank > 0) {
                param.dim(0).set_stride(Expr());
            }
            program_.inputs.push_back(param);
        }
        for (const ParamGene &param : genome_.params) {
            program_.params.push_back(make_param(param));
        }
        for (const FuncGene &gene : genome_.funcs) {
            program_.funcs.push_back(gene.kind == FuncGene::Kind::Defined ? define(gene) : boundary(gene));
        }
        for (const OutputGene &output : genome_.outputs) {
            Func func = program_.funcs[static_cast<size_t>(output.func)];
            if (is_sparse(output.layout) && func.dimensions() > 0) {
                for (OutputImageParam &buffer : func.output_buffers()) {
                    buffer.dim(0).set_stride(Expr());
                }
            }
            program_.outputs.push_back(func);
        }
        apply_automatic(genome_, program_);
        apply_walk(genome_, program_);
        apply_schedule(genome_, program_);
        apply_device(genome_, program_);
        return std::move(program_);
    }

  private:
    const Genome &genome_;
    Program program_;

    // What the terms of a definition refer to.
    struct Context {
        std::vector<Expr> variables;
        std::vector<Expr> self, second; // values of the Func being updated
    };

    Func boundary(const FuncGene &gene) {
        Region box;
        for (size_t i = 0; i + 1 < gene.box.size(); i += 2) {
            box.push_back({Expr(gene.box[i]), Expr(gene.box[i + 1])});
        }
        size_t index = static_cast<size_t>(gene.source);
        Func source = gene.of_input ? Func(program_.inputs[index]) : program_.funcs[index];
        if (box.empty()) {
            box = BoundaryConditions::detail::region_of(program_.inputs[index]);
        }
        switch (gene.kind) {
        case FuncGene::Kind::RepeatEdge:
            return BoundaryConditions::repeat_edge(source, box);
        case FuncGene::Kind::RepeatImage:
            return BoundaryConditions::repeat_image(source, box);
        case FuncGene::Kind::MirrorImage:
            return BoundaryConditions::mirror_image(source, box);
        case FuncGene::Kind::MirrorInterior:
            return BoundaryConditions::mirror_interior(source, box);
        default: {
            std::vector<Expr> values;
            for (Type type : gene.types) {
                values.push_back(cast(type, Expr(gene.exterior)));
            }
            return BoundaryConditions::constant_exterior(source, Tuple(values), box);
        }
        }
    }

    Func define(const FuncGene &gene) {
        Func func(gene.name);
        static const char *names[] = {"x", "y", "z"};
        std::vector<Var> vars;
        Context context;
        for (int d = 0; d < gene.rank; d++) {
            vars.emplace_back(names[d]);
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
            for (const Axis &axis : update.domain) {
                Expr extent = axis.param >= 0 ? program_.params[static_cast<size_t>(axis.param)] : Expr(axis.extent);
                region.emplace_back(Expr(axis.min), extent);
            }
            domain = RDom(region, "r");
            for (int r = 0; r < domain.dimensions(); r++) {
                context.variables.emplace_back(domain[r]);
            }
        }
        if (!update.predicate.empty() && domain.defined()) {
            domain.where(expr(update.predicate[0], context));
        }
        std::vector<Expr> self_at = lhs, second_at = lhs;
        switch (update.kind) {
        case Update::Kind::Scan:
            lhs[dimension] = domain[0];
            self_at[dimension] = Expr(domain[0]) - 1;
            break;
        case Update::Kind::ScanBack:
            lhs[dimension] = update.offset - Expr(domain[0]);
            self_at[dimension] = update.offset - Expr(domain[0]) + 1;
            break;
        case Update::Kind::ScanBoth:
            lhs[dimension] = domain[0];
            lhs[dimension + 1] = domain[1];
            self_at = second_at = lhs;
            self_at[dimension] = Expr(domain[0]) - 1;
            second_at[dimension + 1] = Expr(domain[1]) - 1;
            break;
        case Update::Kind::Block:
            for (size_t d = 0; d < lhs.size(); d++) {
                lhs[d] = domain[static_cast<int>(d)];
            }
            self_at = lhs;
            break;
        case Update::Kind::Scatter:
            lhs[dimension] = coordinate(update.target, context);
            self_at = lhs;
            break;
        case Update::Kind::Slice:
            lhs[dimension] = update.offset;
            self_at = lhs;
            break;
        case Update::Kind::Accumulate:
        case Update::Kind::Plain:
            break;
        }
        for (size_t v = 0; v < gene.types.size(); v++) {
            for (bool second : {false, true}) {
                FuncRef self = func(second ? second_at : self_at);
                (second ? context.second : context.self)
                    .push_back(gene.types.size() == 1 ? Expr(self) : Expr(self[static_cast<int>(v)]));
            }
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
        Expr moved = c.offset == 0 ? variable : variable + c.offset;
        switch (c.kind) {
        case Coordinate::Kind::Halved:
            return moved / c.high;
        case Coordinate::Kind::Scaled:
            return variable * c.high + c.offset;
        case Coordinate::Kind::Wrapped:
            return moved % c.high;
        case Coordinate::Kind::Reversed:
            return c.offset - variable;
        case Coordinate::Kind::Clamped:
            return clamp(moved, c.low, c.high);
        case Coordinate::Kind::Pair:
            return moved + context.variables[static_cast<size_t>(c.other)];
        case Coordinate::Kind::Shifted:
            return moved + program_.params[static_cast<size_t>(c.other)];
        default:
            return moved;
        }
    }

    std::vector<Expr> coordinates(const Term &term, const Context &context) {
        std::vector<Expr> result;
        for (const Coordinate &c : term.coordinates) {
            result.push_back(coordinate(c, context));
        }
        return result;
    }

    Expr reduction(const Term &term, const Context &context) {
        Region region = {{Expr(0), Expr(static_cast<int32_t>(term.number))}};
        if (term.second > 0) {
            region.emplace_back(Expr(0), Expr(term.second));
        }
        RDom domain(region);
        Context inner = context;
        for (int r = 0; r < domain.dimensions(); r++) {
            inner.variables.emplace_back(domain[r]);
        }
        Expr operand = expr(term.args[0], inner);
        switch (term.op) {
        case Term::Op::Sum:
            return sum(domain, operand);
        case Term::Op::Product:
            return product(domain, operand);
        case Term::Op::Minimum:
            return minimum(domain, operand);
        case Term::Op::Maximum:
            return maximum(domain, operand);
        case Term::Op::ArgMin:
            return argmin(domain, operand)[static_cast<size_t>(term.element)];
        default:
            return argmax(domain, operand)[static_cast<size_t>(term.element)];
        }
    }

    Expr expr(const Term &term, const Context &context) {
        auto arg = [&](size_t i) { return expr(term.args[i], context); };
        using Op = Term::Op;
        switch (term.op) {
        case Op::Constant:
            return cast(term.type, Expr(static_cast<int32_t>(term.number)));
        case Op::Variable:
            return context.variables[static_cast<size_t>(term.number)];
        case Op::Call: {
            FuncRef call = program_.funcs[static_cast<size_t>(term.source)](coordinates(term, context));
            bool tuple = genome_.funcs[static_cast<size_t>(term.source)].types.size() > 1;
            return tuple ? Expr(call[term.element]) : Expr(call);
        }
        case Op::Input:
            return program_.inputs[static_cast<size_t>(term.source)](coordinates(term, context));
        case Op::Self:
            return (term.number == 1 ? context.second : context.self)[static_cast<size_t>(term.element)];
        case Op::Param:
            return program_.params[static_cast<size_t>(term.number)];
        case Op::Undef:
            return undef(term.type);
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
        case Op::DivToZero:
            return div_round_to_zero(arg(0), arg(1));
        case Op::ModToZero:
            return mod_round_to_zero(arg(0), arg(1));
        case Op::Min:
            return min(arg(0), arg(1));
        case Op::Max:
            return max(arg(0), arg(1));
        case Op::Clamp:
            return max(min(arg(0), arg(1)), arg(2));
        case Op::Select:
            return select(arg(0) < arg(1), arg(2), arg(3));
        case Op::SelectIf:
            return select(arg(0), arg(1), arg(2));
        case Op::SelectLikely:
            return select(likely(arg(0) <= arg(1)), arg(2), arg(3));
        case Op::Compare:
            return arg(0) < arg(1);
        case Op::Equal:
            return arg(0) == arg(1);
        case Op::NotEqual:
            return arg(0) != arg(1);
        case Op::AtMost:
            return arg(0) <= arg(1);
        case Op::And:
            return arg(0) & arg(1);
        case Op::Or:
            return arg(0) | arg(1);
        case Op::Xor:
            return arg(0) ^ arg(1);
        case Op::Not:
            return ~arg(0);
        case Op::ShiftLeft:
            return arg(0) << arg(1);
        case Op::ShiftRight:
            return arg(0) >> arg(1);
        case Op::CountOnes:
            return cast(term.type, popcount(arg(0)));
        case Op::LeadingZeros:
            return cast(term.type, count_leading_zeros(arg(0)));
        case Op::TrailingZeros:
            return cast(term.type, count_trailing_zeros(arg(0)));
        case Op::Abs:
            return cast(term.type, abs(arg(0)));
        case Op::AbsDiff:
            return cast(term.type, absd(arg(0), arg(1)));
        case Op::Negate:
            return -arg(0);
        case Op::HalvingAdd:
            return halving_add(arg(0), arg(1));
        case Op::RoundingHalvingAdd:
            return rounding_halving_add(arg(0), arg(1));
        case Op::SaturatingAdd:
            return saturating_add(arg(0), arg(1));
        case Op::SaturatingSub:
            return saturating_sub(arg(0), arg(1));
        case Op::RoundingShift:
            return rounding_shift_right(arg(0), arg(1));
        case Op::Lerp:
            return lerp(arg(0), arg(1), arg(2));
        case Op::Sqrt:
            return sqrt(arg(0));
        case Op::Floor:
            return floor(arg(0));
        case Op::Ceil:
            return ceil(arg(0));
        case Op::Round:
            return round(arg(0));
        case Op::Trunc:
            return trunc(arg(0));
        case Op::Fract:
            return fract(arg(0));
        case Op::Sin:
            return sin(arg(0));
        case Op::Exp:
            return exp(arg(0));
        case Op::Sum:
        case Op::Product:
        case Op::Minimum:
        case Op::Maximum:
        case Op::ArgMin:
        case Op::ArgMax:
            return reduction(term, context);
        }
        return Expr();
    }
};

} // namespace

Program build(const Genome &genome) { return Builder(genome).run(); }

} // namespace fluorite::fuzz
