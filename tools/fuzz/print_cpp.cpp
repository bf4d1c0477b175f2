// Prints the program that build.cpp builds as C++ source.

#include "print_cpp.h"

#include "build.h"

#include <sstream>

namespace fluorite::fuzz {

namespace {

std::string type_text(Type type) {
    if (type.is_bool()) {
        return "Bool()";
    }
    const char *names[] = {"Int", "UInt", "Float", "Handle", "BFloat"};
    return std::string(names[static_cast<int>(type.code())]) + "(" + std::to_string(type.bits()) + ")";
}

std::string scalar_text(Type type) {
    if (type.is_bool()) {
        return "bool";
    }
    if (type.is_float()) {
        return type == Float(32)   ? "float"
               : type == Float(64) ? "double"
               : type.is_bfloat()  ? "bfloat16_t"
                                   : "float16_t";
    }
    return to_string(type) + "_t";
}

class Printer {
  public:
    explicit Printer(const Genome &genome) : genome_(genome) {}

    std::string run() {
        out_ << "#include <fluorite/fluorite.h>\nusing namespace fluorite;\nint main() {\n    Var x(\"x\"), y(\"y\"), "
                "z(\"z\");\n";
        for (const InputGene &input : genome_.inputs) {
            out_ << "    ImageParam " << input.name << "(" << type_text(input.type) << ", " << input.rank << ", \""
                 << input.name << "\"); // " << kind_name(input.layout);
            for (size_t i = 0; i + 1 < input.box.size(); i += 2) {
                out_ << " [" << input.box[i] << ", " << input.box[i] + input.box[i + 1] << ")";
            }
            out_ << "\n";
            if (is_sparse(input.layout) && input.rank > 0) {
                out_ << "    " << input.name << ".dim(0).set_stride(Expr());\n";
            }
        }
        for (const ParamGene &param : genome_.params) {
            out_ << "    Param<" << scalar_text(param.type) << "> " << param.name << "(\"" << param.name << "\", "
                 << scalar_text(param.type) << "(" << param.value << "));\n";
        }
        for (const FuncGene &func : genome_.funcs) {
            print_func(func);
        }
        for (const OutputGene &output : genome_.outputs) {
            const FuncGene &func = genome_.funcs[static_cast<size_t>(output.func)];
            if (is_sparse(output.layout) && func.rank > 0) {
                out_ << "    for (OutputImageParam b : " << func.name
                     << ".output_buffers()) b.dim(0).set_stride(Expr());\n";
            }
        }
        for (const std::string &line : build(genome_).schedule_text) {
            out_ << "    " << line << "\n";
        }
        for (const OutputGene &output : genome_.outputs) {
            out_ << "    // realize " << genome_.funcs[static_cast<size_t>(output.func)].name << " over";
            for (size_t d = 0; d < output.extent.size(); d++) {
                out_ << " [" << output.min[d] << ", " << output.min[d] + output.extent[d] << ")";
            }
            out_ << ", " << kind_name(output.layout) << "\n";
        }
        out_ << "}\n";
        return out_.str();
    }

  private:
    const Genome &genome_;
    std::ostringstream out_;
    std::vector<std::string> variables_;
    std::vector<std::string> self_, second_;

    void print_boundary(const FuncGene &func) {
        std::string source = func.of_input ? genome_.inputs[static_cast<size_t>(func.source)].name
                                           : genome_.funcs[static_cast<size_t>(func.source)].name;
        out_ << "    Func " << func.name << " = BoundaryConditions::" << kind_name(func.kind) << "(" << source;
        if (func.kind == FuncGene::Kind::ConstantExterior) {
            std::vector<std::string> values;
            for (Type type : func.types) {
                values.push_back("cast(" + type_text(type) + ", " + std::to_string(func.exterior) + ")");
            }
            out_ << ", Tuple({" << list(values) << "})";
        }
        for (size_t i = 0; i + 1 < func.box.size(); i += 2) {
            out_ << (i ? ", {" : ", Region{{") << func.box[i] << ", " << func.box[i + 1] << "}";
        }
        out_ << (func.box.empty() ? ");\n" : "});\n");
    }

    void print_func(const FuncGene &func) {
        if (func.kind != FuncGene::Kind::Defined) {
            print_boundary(func);
            return;
        }
        static const char *names[] = {"x", "y", "z"};
        variables_.assign(names, names + func.rank);
        out_ << "    Func " << func.name << "(\"" << func.name << "\");\n";
        out_ << "    " << func.name << "(" << list(variables_) << ") = " << values(func.values) << ";\n";
        for (const Update &update : func.updates) {
            print_update(func, update);
        }
    }

    static std::string list(const std::vector<std::string> &items) {
        std::string text;
        for (const std::string &item : items) {
            text += (text.empty() ? "" : ", ") + item;
        }
        return text;
    }

    std::string values(const std::vector<Term> &terms) {
        std::vector<std::string> texts;
        for (const Term &term : terms) {
            texts.push_back(text(term));
        }
        return terms.size() == 1 ? texts[0] : "Tuple(" + list(texts) + ")";
    }

    void print_update(const FuncGene &func, const Update &update) {
        static const char *names[] = {"x", "y", "z"};
        variables_.assign(names, names + func.rank);
        std::vector<std::string> lhs = variables_;
        size_t d = static_cast<size_t>(update.dimension);
        out_ << "    {\n";
        if (!update.domain.empty()) {
            out_ << "        RDom r(Region{";
            for (size_t r = 0; r < update.domain.size(); r++) {
                const Axis &axis = update.domain[r];
                out_ << (r ? ", " : "") << "{" << axis.min << ", "
                     << (axis.param >= 0 ? genome_.params[static_cast<size_t>(axis.param)].name
                                         : std::to_string(axis.extent))
                     << "}";
                variables_.push_back("r[" + std::to_string(r) + "]");
            }
            out_ << "}, \"r\");\n";
        }
        if (!update.predicate.empty() && !update.domain.empty()) {
            out_ << "        r.where(" << text(update.predicate[0]) << ");\n";
        }
        std::vector<std::string> self_at = lhs, second_at = lhs;
        switch (update.kind) {
        case Update::Kind::Scan:
            lhs[d] = "r[0]";
            self_at[d] = "r[0] - 1";
            break;
        case Update::Kind::ScanBack:
            lhs[d] = std::to_string(update.offset) + " - r[0]";
            self_at[d] = lhs[d] + " + 1";
            break;
        case Update::Kind::ScanBoth:
            lhs[d] = "r[0]";
            lhs[d + 1] = "r[1]";
            self_at = second_at = lhs;
            self_at[d] = "r[0] - 1";
            second_at[d + 1] = "r[1] - 1";
            break;
        case Update::Kind::Block:
            for (size_t i = 0; i < lhs.size(); i++) {
                lhs[i] = "r[" + std::to_string(i) + "]";
            }
            self_at = lhs;
            break;
        case Update::Kind::Scatter:
            lhs[d] = coordinate(update.target);
            self_at = lhs;
            break;
        case Update::Kind::Slice:
            lhs[d] = std::to_string(update.offset);
            self_at = lhs;
            break;
        case Update::Kind::Accumulate:
        case Update::Kind::Plain:
            break;
        }
        self_.clear();
        second_.clear();
        for (size_t v = 0; v < func.types.size(); v++) {
            std::string element = func.types.size() > 1 ? "[" + std::to_string(v) + "]" : "";
            self_.push_back(func.name + "(" + list(self_at) + ")" + element);
            second_.push_back(func.name + "(" + list(second_at) + ")" + element);
        }
        out_ << "        " << func.name << "(" << list(lhs) << ") = " << values(update.values) << ";\n    }\n";
    }

    std::string coordinate(const Coordinate &c) {
        auto number = [](int n) { return std::to_string(n); };
        if (c.kind == Coordinate::Kind::Constant) {
            return number(c.offset);
        }
        if (c.kind == Coordinate::Kind::Data) {
            return "clamp(cast<int32_t>(" + text(c.data[0]) + "), " + number(c.low) + ", " + number(c.high) + ")";
        }
        const std::string &v = variables_[static_cast<size_t>(c.variable)];
        std::string moved = c.offset == 0 ? v : v + (c.offset < 0 ? " - " : " + ") + number(std::abs(c.offset));
        switch (c.kind) {
        case Coordinate::Kind::Halved:
            return "(" + moved + ") / " + number(c.high);
        case Coordinate::Kind::Scaled:
            return v + " * " + number(c.high) + (c.offset == 0 ? "" : " + " + number(c.offset));
        case Coordinate::Kind::Wrapped:
            return "(" + moved + ") % " + number(c.high);
        case Coordinate::Kind::Reversed:
            return number(c.offset) + " - " + v;
        case Coordinate::Kind::Clamped:
            return "clamp(" + moved + ", " + number(c.low) + ", " + number(c.high) + ")";
        case Coordinate::Kind::Pair:
            return moved + " + " + variables_[static_cast<size_t>(c.other)];
        case Coordinate::Kind::Shifted:
            return moved + " + " + genome_.params[static_cast<size_t>(c.other)].name;
        default:
            return moved;
        }
    }

    std::string reduction(const Term &term) {
        static const char *names[] = {"sum", "product", "minimum", "maximum", "argmin", "argmax"};
        size_t added = term.second > 0 ? 2 : 1;
        for (size_t i = 0; i < added; i++) {
            variables_.push_back("s[" + std::to_string(i) + "]");
        }
        std::string operand = text(term.args[0]);
        variables_.resize(variables_.size() - added);
        bool tuple = term.op == Term::Op::ArgMin || term.op == Term::Op::ArgMax;
        return "[&] { RDom s(0, " + std::to_string(term.number) +
               (added > 1 ? ", 0, " + std::to_string(term.second) : "") + "); return Expr(" +
               names[static_cast<int>(term.op) - static_cast<int>(Term::Op::Sum)] + "(s, " + operand + ")" +
               (tuple ? "[" + std::to_string(term.element) + "]" : "") + "); }()";
    }

    std::string text(const Term &term) {
        using Op = Term::Op;
        if (term.is_reduction()) {
            return reduction(term);
        }
        switch (term.op) {
        case Op::Variable:
            return variables_[static_cast<size_t>(term.number)];
        case Op::Call:
        case Op::Input: {
            std::vector<std::string> coordinates;
            for (const Coordinate &c : term.coordinates) {
                coordinates.push_back(coordinate(c));
            }
            size_t source = static_cast<size_t>(term.source);
            bool is_call = term.op == Op::Call;
            std::string name = is_call ? genome_.funcs[source].name : genome_.inputs[source].name;
            bool tuple = is_call && genome_.funcs[source].types.size() > 1;
            return name + "(" + list(coordinates) + ")" + (tuple ? "[" + std::to_string(term.element) + "]" : "");
        }
        case Op::Self:
            return (term.number == 1 ? second_ : self_)[static_cast<size_t>(term.element)];
        case Op::Param:
            return genome_.params[static_cast<size_t>(term.number)].name;
        default:
            break;
        }
        std::string result;
        for (const char *at = op_text(term.op); *at; at++) {
            if (*at != '%' || !at[1] || at[1] == ' ') {
                result += *at;
                continue;
            }
            at++;
            result += *at == 't'   ? type_text(term.type)
                      : *at == 'n' ? std::to_string(term.number)
                                   : text(term.args[static_cast<size_t>(*at - '0')]);
        }
        return result;
    }
};

} // namespace

std::string print_cpp(const Genome &genome) { return Printer(genome).run(); }

} // namespace fluorite::fuzz
