// Writes what build.cpp builds, as source text.

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

class Printer {
  public:
    explicit Printer(const Genome &genome) : genome_(genome) {}

    std::string run() {
        out_ << "#include <fluorite/fluorite.h>\nusing namespace fluorite;\nint main() {\n    Var x(\"x\"), y(\"y\"), "
                "z(\"z\");\n";
        for (const InputGene &input : genome_.inputs) {
            out_ << "    ImageParam " << input.name << "(" << type_text(input.type) << ", " << input.rank << ", \""
                 << input.name << "\");\n";
        }
        for (const FuncGene &func : genome_.funcs) {
            print_func(func);
        }
        for (const std::string &line : build(genome_).schedule_text) {
            out_ << "    " << line << "\n";
        }
        out_ << "    // realize " << genome_.funcs.back().name << " over";
        for (size_t d = 0; d < genome_.extent.size(); d++) {
            out_ << " [" << genome_.min[d] << ", " << genome_.min[d] + genome_.extent[d] << ")";
        }
        out_ << "\n}\n";
        return out_.str();
    }

  private:
    const Genome &genome_;
    std::ostringstream out_;
    std::vector<std::string> variables_;
    std::vector<std::string> self_;

    void print_func(const FuncGene &func) {
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
        std::vector<std::string> lhs = variables_, self_at = variables_;
        size_t dimension = static_cast<size_t>(update.dimension);
        out_ << "    {\n";
        if (!update.domain.empty()) {
            out_ << "        RDom r(Region{";
            for (size_t r = 0; r < update.domain.size(); r++) {
                out_ << (r ? ", " : "") << "{" << update.domain[r].first << ", " << update.domain[r].second << "}";
                variables_.push_back("r[" + std::to_string(r) + "]");
            }
            out_ << "}, \"r\");\n";
        }
        if (update.kind == Update::Kind::Scan) {
            lhs[dimension] = "r[0]";
            self_at[dimension] = "r[0] - 1";
        } else if (update.kind == Update::Kind::Scatter) {
            lhs[dimension] = coordinate(update.target);
            self_at = lhs;
        }
        if (update.has_predicate) {
            out_ << "        r.where(r[0]" << (update.domain.size() > 1 ? " + r[1]" : "") << " < "
                 << update.predicate_limit << ");\n";
        }
        self_.clear();
        for (size_t v = 0; v < func.types.size(); v++) {
            self_.push_back(func.name + "(" + list(self_at) + ")" +
                            (func.types.size() > 1 ? "[" + std::to_string(v) + "]" : ""));
        }
        out_ << "        " << func.name << "(" << list(lhs) << ") = " << values(update.values) << ";\n    }\n";
    }

    std::string coordinate(const Coordinate &c) {
        if (c.kind == Coordinate::Kind::Constant) {
            return std::to_string(c.offset);
        }
        if (c.kind == Coordinate::Kind::Data) {
            return "clamp(cast<int32_t>(" + text(c.data[0]) + "), " + std::to_string(c.low) + ", " +
                   std::to_string(c.high) + ")";
        }
        const std::string &v = variables_[static_cast<size_t>(c.variable)];
        std::string offset = c.offset == 0 ? "" : " + " + std::to_string(c.offset);
        switch (c.kind) {
        case Coordinate::Kind::Halved:
            return "(" + v + offset + ") / 2";
        case Coordinate::Kind::Doubled:
            return v + " * 2" + offset;
        case Coordinate::Kind::Wrapped:
            return "(" + v + offset + ") % " + std::to_string(c.high);
        default:
            return v + offset;
        }
    }

    std::string text(const Term &term) {
        auto arg = [&](size_t i) { return text(term.args[i]); };
        auto infix = [&](const char *op) { return "(" + arg(0) + " " + op + " " + arg(1) + ")"; };
        auto call = [&](const std::string &name) {
            return name + "(" + arg(0) + (term.args.size() > 1 ? ", " + arg(1) : "") + ")";
        };
        using Op = Term::Op;
        switch (term.op) {
        case Op::Constant:
            return "cast(" + type_text(term.type) + ", " + std::to_string(term.number) + ")";
        case Op::Variable:
            return "cast(" + type_text(term.type) + ", " + variables_[static_cast<size_t>(term.number)] + ")";
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
            return self_[static_cast<size_t>(term.element)];
        case Op::Cast:
            return "cast(" + type_text(term.type) + ", " + arg(0) + ")";
        case Op::Saturate:
            return "saturating_cast(" + type_text(term.type) + ", " + arg(0) + ")";
        case Op::Add:
            return infix("+");
        case Op::Sub:
            return infix("-");
        case Op::Mul:
            return infix("*");
        case Op::Div:
            return infix("/");
        case Op::Mod:
            return infix("%");
        case Op::Min:
            return call("min");
        case Op::Max:
            return call("max");
        case Op::Select:
            return "select(" + arg(0) + " < " + arg(1) + ", " + arg(2) + ", " + arg(3) + ")";
        case Op::Compare:
            return infix("<");
        case Op::And:
            return infix(term.type.is_bool() ? "&&" : "&");
        case Op::Or:
            return infix(term.type.is_bool() ? "||" : "|");
        case Op::Xor:
            return infix("^");
        case Op::ShiftLeft:
            return infix("<<");
        case Op::ShiftRight:
            return infix(">>");
        case Op::Abs:
            return term.type.is_uint() ? arg(0) : "cast(" + type_text(term.type) + ", abs(" + arg(0) + "))";
        case Op::AbsDiff:
            return "cast(" + type_text(term.type) + ", " + call("absd") + ")";
        case Op::Negate:
            return "(-" + arg(0) + ")";
        case Op::Sqrt:
            return call("sqrt");
        case Op::Floor:
            return call("floor");
        case Op::Sum: {
            variables_.push_back("RVar(s)");
            std::string body = text(term.args[0]);
            variables_.pop_back();
            return "[&] { RDom s(0, " + std::to_string(term.number) + "); return sum(s, " + body + " + cast(" +
                   type_text(term.type) + ", s)); }()";
        }
        }
        return "";
    }
};

} // namespace

std::string print_cpp(const Genome &genome) { return Printer(genome).run(); }

} // namespace fluorite::fuzz
