// The texts of terms: docs/certificates.md.

#include "verify/terms/term.h"

namespace fluorite::verify {

std::string to_text(const Index &index) {
    static const char *const names[] = {"", "", "+", "-", "*", "/", "%", "min", "max"};
    switch (index.kind()) {
    case Index::Kind::Number:
        return std::to_string(index.value());
    case Index::Kind::Name:
        return index.name();
    default:
        return std::string("(") + names[int(index.kind())] + " " + to_text(index.a()) + " " + to_text(index.b()) + ")";
    }
}

std::string to_text(const Condition &condition) {
    static const char *const names[] = {"true", "<=", "<", "=", "and", "or", "not"};
    if (condition.is_true()) {
        return "true";
    }
    std::string text = std::string("(") + names[int(condition.kind)];
    for (const Index &index : condition.indices) {
        text += " " + to_text(index);
    }
    for (const Condition &operand : condition.operands) {
        text += " " + to_text(operand);
    }
    return text + ")";
}

static void print(const Term &term, std::string &out) {
    using Kind = Term::Kind;
    static const char *const marks[] = {"parallel", "vector", "unroll"};
    switch (term.kind()) {
    case Kind::Number:
        out += std::to_string(term.value());
        return;
    case Kind::Unit:
        out += "(unit " + term.name() + ")";
        return;
    case Kind::Var:
        out += term.name();
        return;
    case Kind::Gen:
        out += "(gen " + term.name() + " " + to_text(term.index());
        break;
    case Kind::Fold:
        out += "(fold " + term.other_name() + " " + term.name() + " " + to_text(term.index());
        break;
    case Kind::If:
        out += "(if " + to_text(term.condition());
        break;
    case Kind::Let:
        out += "(let " + term.name();
        break;
    case Kind::Get: {
        const Term *tensor = &term;
        std::string indices;
        for (; tensor->kind() == Kind::Get; tensor = &tensor->operand(0)) {
            indices = " " + to_text(tensor->index()) + indices;
        }
        out += "(get ";
        print(*tensor, out);
        out += indices + ")";
        return;
    }
    case Kind::Op:
        out += "(op" + std::to_string(term.operands().size()) + " " + term.name();
        break;
    case Kind::View:
        out += "(reindex (";
        for (size_t i = 0; i < term.loops().size(); i++) {
            out += (i ? " (" : "(") + term.loops()[i].first + " " + to_text(term.loops()[i].second) + ")";
        }
        out += ") (";
        for (size_t i = 0; i < term.indices().size(); i++) {
            out += (i ? " " : "") + to_text(term.indices()[i]);
        }
        out += ")";
        break;
    case Kind::Mark:
        out += std::string("(mark ") + marks[int(term.mark())];
        break;
    case Kind::Bind:
        out += "(bind " + term.name();
        break;
    case Kind::Iter:
        out += "(iter " + term.other_name() + " " + term.name() + " " + to_text(term.index());
        break;
    }
    for (const Term &operand : term.operands()) {
        out += ' ';
        print(operand, out);
    }
    out += ')';
}
std::string to_text(const Term &term) {
    std::string out;
    print(term, out);
    return out;
}

// The end of the list or word that begins at `at`.
static size_t end_of(const std::string &text, size_t at) {
    if (text[at] != '(') {
        while (at < text.size() && text[at] != ' ' && text[at] != ')') {
            at++;
        }
        return at;
    }
    int depth = 0;
    for (; at < text.size(); at++) {
        depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
        if (depth == 0) {
            return at + 1;
        }
    }
    return at;
}
static void lay_out(const std::string &text, size_t from, size_t to, int indent, int width, std::string &out) {
    if (text[from] != '(' || int(to - from) + indent <= width) {
        out.append(text, from, to - from);
        return;
    }
    out += '(';
    bool head = true; // words at the beginning stay on the line
    for (size_t at = from + 1; at + 1 < to;) {
        size_t end = end_of(text, at);
        head = head && text[at] != '(';
        if (head) {
            out += out.back() == '(' ? "" : " ";
        } else {
            out += "\n" + std::string(size_t(indent < 40 ? indent + 2 : 40), ' ');
        }
        lay_out(text, at, end, indent < 40 ? indent + 2 : 40, width, out);
        at = end + 1;
    }
    out += ')';
}
std::string pretty(const std::string &text, int indent, int width) {
    std::string out(size_t(indent), ' ');
    lay_out(text, 0, text.size(), indent, width, out);
    return out;
}

} // namespace fluorite::verify
