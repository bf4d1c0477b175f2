// One description of each struct (`visit`) serves both the writer and the reader. A line that begins with # is a
// comment.

#include "genome_text.h"
#include "schedule/directives/table.h"

#include <map>
#include <sstream>
#include <stdexcept>

namespace fluorite::fuzz {

namespace {

// ---- Values.

std::string text_of(int value) { return std::to_string(value); }
std::string text_of(int64_t value) { return std::to_string(value); }
std::string text_of(bool value) { return value ? "yes" : "no"; }
std::string text_of(const std::string &value) { return value; }
std::string text_of(Type value) { return to_string(value); }
std::string text_of(TailStrategy value) { return schedule::tail_word(value); }
template <typename T>
    requires std::is_enum_v<T>
std::string text_of(T value) {
    if constexpr (requires { kind_name(value); }) {
        return kind_name(value);
    } else {
        return op_name(value);
    }
}
template <typename T> std::string text_of(const std::vector<T> &values) {
    std::string text;
    for (const T &value : values) {
        text += (text.empty() ? "" : ",") + text_of(value);
    }
    return text;
}

// The last enumerator of each enumeration.
constexpr Coordinate::Kind last_of(Coordinate::Kind) { return Coordinate::Kind::Data; }
constexpr Term::Op last_of(Term::Op) { return Term::Op::ArgMax; }
constexpr Update::Kind last_of(Update::Kind) { return Update::Kind::Plain; }
constexpr FuncGene::Kind last_of(FuncGene::Kind) { return FuncGene::Kind::MirrorInterior; }
constexpr Layout last_of(Layout) { return Layout::Strided; }
constexpr InputGene::Values last_of(InputGene::Values) { return InputGene::Values::Extreme; }
constexpr Directive::Op last_of(Directive::Op) { return static_cast<Directive::Op>(directive_count - 1); }
constexpr WalkStep::Op last_of(WalkStep::Op) { return WalkStep::Op::Skew; }
constexpr TailStrategy last_of(TailStrategy) { return TailStrategy::Auto; }

[[noreturn]] void bad(const std::string &text) { throw std::runtime_error("bad genome: " + text); }

template <typename T> void read(const std::string &text, T &value) {
    if constexpr (std::is_same_v<T, std::string>) {
        value = text;
    } else if constexpr (std::is_same_v<T, bool>) {
        value = text == "yes";
    } else if constexpr (std::is_integral_v<T>) {
        char *end = nullptr;
        value = static_cast<T>(std::strtoll(text.c_str(), &end, 10));
        if (text.empty() || *end) {
            bad("'" + text + "' is not a number");
        }
    } else if constexpr (std::is_same_v<T, Type>) {
        for (Type type : all_types()) {
            if (to_string(type) == text) {
                value = type;
                return;
            }
        }
        bad("'" + text + "' is not a type");
    } else {
        static_assert(std::is_enum_v<T>);
        for (int i = 0; i < 64; i++) {
            // Tables of names end at the last enumerator of each enumeration.
            if (i > static_cast<int>(last_of(T()))) {
                break;
            }
            if (text_of(static_cast<T>(i)) == text) {
                value = static_cast<T>(i);
                return;
            }
        }
        bad("'" + text + "' is not a known name");
    }
}
template <typename T> void read(const std::string &text, std::vector<T> &values) {
    std::istringstream stream(text);
    std::string item;
    while (std::getline(stream, item, ',')) {
        values.emplace_back();
        read(item, values.back());
    }
}

// ---- Structs. `item` is a plain member, `list` is for members that are structs.

template <typename A> void visit(A &a, Term &t);

template <typename A> void visit(A &a, Coordinate &c) {
    Coordinate d;
    a.item("kind", c.kind, d.kind);
    a.item("variable", c.variable, d.variable);
    a.item("other", c.other, d.other);
    a.item("offset", c.offset, d.offset);
    a.item("low", c.low, d.low);
    a.item("high", c.high, d.high);
    a.list("data", c.data);
}

template <typename A> void visit(A &a, Term &t) {
    Term d;
    a.item("op", t.op, static_cast<Term::Op>(255)); // always written
    a.item("type", t.type, d.type);
    a.item("number", t.number, d.number);
    a.item("second", t.second, d.second);
    a.item("source", t.source, d.source);
    a.item("element", t.element, d.element);
    a.list("at", t.coordinates);
    a.list("arg", t.args);
}

template <typename A> void visit(A &a, Axis &x) {
    Axis d;
    a.item("min", x.min, d.min);
    a.item("extent", x.extent, d.extent);
    a.item("param", x.param, d.param);
}

template <typename A> void visit(A &a, Update &u) {
    Update d;
    a.item("kind", u.kind, d.kind);
    a.item("dimension", u.dimension, d.dimension);
    a.item("offset", u.offset, d.offset);
    a.list("axis", u.domain);
    std::vector<Coordinate> target;
    if (u.kind == Update::Kind::Scatter) {
        target.push_back(u.target);
    }
    a.list("target", target);
    if (!target.empty()) {
        u.target = target.back(); // the one that was read
    }
    a.list("value", u.values);
    a.list("predicate", u.predicate);
}

template <typename A> void visit(A &a, FuncGene &f) {
    FuncGene d;
    a.item("name", f.name, d.name);
    a.item("kind", f.kind, d.kind);
    a.item("rank", f.rank, d.rank);
    a.item("types", f.types, d.types);
    a.item("of_input", f.of_input, d.of_input);
    a.item("source", f.source, d.source);
    a.item("exterior", f.exterior, d.exterior);
    a.item("box", f.box, d.box);
    a.list("value", f.values);
    a.list("update", f.updates);
}

template <typename A> void visit(A &a, InputGene &i) {
    InputGene d;
    a.item("name", i.name, d.name);
    a.item("type", i.type, d.type);
    a.item("rank", i.rank, d.rank);
    a.item("layout", i.layout, d.layout);
    a.item("values", i.values, d.values);
    a.item("box", i.box, d.box);
}

template <typename A> void visit(A &a, ParamGene &p) {
    ParamGene d;
    a.item("name", p.name, d.name);
    a.item("type", p.type, d.type);
    a.item("value", p.value, d.value);
}

template <typename A> void visit(A &a, OutputGene &o) {
    OutputGene d;
    a.item("func", o.func, d.func);
    a.item("layout", o.layout, d.layout);
    a.item("min", o.min, d.min);
    a.item("extent", o.extent, d.extent);
}

template <typename A> void visit(A &a, Directive &x) {
    Directive d;
    a.item("op", x.op, static_cast<Directive::Op>(255));
    a.item("func", x.func, d.func);
    a.item("stage", x.stage, d.stage);
    a.item("wrapper", x.wrapper, d.wrapper);
    a.item("loop", x.loop, d.loop);
    a.item("other", x.other, d.other);
    a.item("consumer", x.consumer, d.consumer);
    a.item("consumer_stage", x.consumer_stage, d.consumer_stage);
    a.item("factor", x.factor, d.factor);
    a.item("factor2", x.factor2, d.factor2);
    a.item("tail", x.tail, d.tail);
    a.item("wild", x.wild, d.wild);
}

template <typename A> void visit(A &a, WalkStep &x) {
    WalkStep d;
    a.item("op", x.op, static_cast<WalkStep::Op>(255));
    a.item("func", x.func, d.func);
    a.item("helper", x.helper, d.helper);
    a.item("stage", x.stage, d.stage);
    a.item("loop", x.loop, d.loop);
    a.item("other", x.other, d.other);
    a.item("factor", x.factor, d.factor);
    a.item("tail", x.tail, d.tail);
}

template <typename A> void visit(A &a, AutomaticGene &x) {
    AutomaticGene d;
    a.item("by_polymage", x.by_polymage, d.by_polymage);
    a.item("threads", x.threads, d.threads);
    a.item("factor", x.factor, d.factor);
    a.item("vector_bits", x.vector_bits, d.vector_bits);
}

template <typename A> void visit(A &a, Genome &g) {
    a.list("input", g.inputs);
    a.list("param", g.params);
    a.list("func", g.funcs);
    a.list("output", g.outputs);
    a.list("step", g.walk);
    a.list("directive", g.schedule);
    a.list("automatic", g.automatic);
    a.item("device", g.device, 0);
}

// ---- Writing.

struct Writer {
    std::string out;
    int depth = 0;

    template <typename T> void item(const char *name, const T &value, const T &unless) {
        if (value == unless) {
            return;
        }
        out += std::string(" ") + name + "=" + text_of(value);
    }
    template <typename T> void list(const char *name, std::vector<T> &values) {
        for (T &value : values) {
            out += "\n" + std::string(static_cast<size_t>(2 * depth), ' ') + "(" + name;
            depth++;
            visit(*this, value);
            depth--;
            out += ")";
        }
    }
};

// ---- Reading.

struct Node {
    std::string name;
    std::map<std::string, std::string> items;
    std::vector<Node> children;
};

class NodeReader {
  public:
    explicit NodeReader(const std::string &text) : text_(text) {}

    Node run() {
        Node root;
        while (skip_space()) {
            root.children.push_back(node());
        }
        return root;
    }

  private:
    const std::string &text_;
    size_t at_ = 0;

    bool skip_space() {
        while (at_ < text_.size() && (std::isspace(static_cast<unsigned char>(text_[at_])) || text_[at_] == '#')) {
            if (text_[at_] == '#') {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else {
                at_++;
            }
        }
        return at_ < text_.size();
    }
    std::string word() {
        size_t begin = at_;
        while (at_ < text_.size() && !std::isspace(static_cast<unsigned char>(text_[at_])) && text_[at_] != '(' &&
               text_[at_] != ')') {
            at_++;
        }
        return text_.substr(begin, at_ - begin);
    }
    Node node() {
        if (text_[at_] != '(') {
            bad("'(' is missing at character " + std::to_string(at_));
        }
        at_++;
        Node result;
        result.name = word();
        while (true) {
            if (!skip_space()) {
                bad("')' is missing at the end");
            }
            if (text_[at_] == ')') {
                at_++;
                return result;
            }
            if (text_[at_] == '(') {
                result.children.push_back(node());
                continue;
            }
            std::string item = word();
            size_t equals = item.find('=');
            if (equals == std::string::npos) {
                bad("'" + item + "' has no value");
            }
            result.items[item.substr(0, equals)] = item.substr(equals + 1);
        }
    }
};

struct Reader {
    const Node &node;

    template <typename T> void item(const char *name, T &value, const T &) {
        auto found = node.items.find(name);
        if (found != node.items.end()) {
            read(found->second, value);
        }
    }
    template <typename T> void list(const char *name, std::vector<T> &values) {
        for (const Node &child : node.children) {
            if (child.name == name) {
                values.emplace_back();
                Reader inner{child};
                visit(inner, values.back());
            }
        }
    }
};

} // namespace

std::string genome_text(const Genome &genome) {
    Genome copy = genome;
    Writer writer;
    visit(writer, copy);
    return writer.out.substr(writer.out.empty() ? 0 : 1) + "\n";
}

Genome parse_genome(const std::string &text) {
    Node root = NodeReader(text).run();
    Reader reader{root};
    Genome genome;
    visit(reader, genome);
    if (genome.funcs.empty() || genome.outputs.empty()) {
        bad("it has no Func or no output");
    }
    return genome;
}

} // namespace fluorite::fuzz
