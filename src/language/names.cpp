// Names of users' objects, reference counts of handles, and the form of error messages.

#include "language/function.h"
#include "support/loop_name.h"

#include <algorithm>
#include <atomic>
#include <cctype>

namespace fluorite {

namespace ir {
void retain(const Parameter *parameter) noexcept { parameter->retain(); }
void release(const Parameter *parameter) noexcept { parameter->release(); }
} // namespace ir

namespace language {

void retain(const Function *function) noexcept { function->retain(); }
void release(const Function *function) noexcept { function->release(); }
void retain(const ReductionDomain *domain) noexcept { domain->retain(); }
void release(const ReductionDomain *domain) noexcept { domain->release(); }

// The counter only makes names unique within the process; freezing replaces them, so no result depends on its value.
std::string anonymous_name(const std::string &prefix) {
    static std::atomic<uint64_t> count{0};
    return prefix + "$" + std::to_string(count++);
}

bool is_anonymous(const std::string &name) {
    const size_t at = name.rfind('$');
    return at != std::string::npos && at + 1 < name.size() &&
           std::isdigit(static_cast<unsigned char>(name[at + 1])) != 0;
}

std::string shown_name(const std::string &name) { return is_anonymous(name) ? name.substr(0, name.rfind('$')) : name; }

std::string shown(const Expr &expr) { return concat(expr); }

std::string user_text(const Expr &expr) {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    const char *fields[] = {"min", "max", "extent", "stride"};
    const std::string text = shown(ir::transform(expr, [&](const Expr &node) -> Expr {
        if (node->kind() != ir::ExprKind::BufferField) {
            return node;
        }
        const std::string name = concat(shown_name(node->symbol().name()), ".dim(", node->member().index, ").",
                                        fields[static_cast<int>(node->member().field)], "()");
        return ir::make_var(node->type(), ir::Symbol(ir::SymbolKind::Var, name));
    }));
    std::string result;
    for (size_t i = 0; i < text.size(); i++) {
        if (text[i] == ':' && i + 1 < text.size() && is_word(text[i + 1])) { // a type
            while (i + 1 < text.size() && is_word(text[i + 1])) {
                i++;
            }
        } else if (text[i] != '\'') {
            result += text[i];
        }
    }
    constexpr size_t longest = 200;
    if (result.size() > longest) {
        result.resize(longest);
        result += "...";
    }
    return result;
}

std::string both_names(const ReductionDomain &a, const ReductionDomain &b) {
    const bool alike = a.name == b.name, one_line = a.location.line == b.location.line;
    const auto text = [&](const ReductionDomain &domain) {
        const unsigned known = domain.location.column; // 0 by compilers that know none
        const std::string column = one_line && known != 0 ? ":" + std::to_string(known) : "";
        return "RDom " + domain.name + (alike ? " (made at " + to_string(domain.location) + column + ")" : "");
    };
    return text(a) + " and " + text(b);
}

std::string clean_name(const std::string &name) {
    std::string result = name;
    for (char &c : result) {
        c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    }
    return !result.empty() && std::isdigit(static_cast<unsigned char>(result[0])) != 0 ? "_" + result : result;
}

void fail(const char *slug, const Function &function, int stage, const std::string &text, const Location &location) {
    const std::string where = stage < 0 ? "" : ", stage " + std::to_string(stage);
    fail(slug, shown_name(function.name) + where, text, location);
}

void fail(const char *slug, const std::string &what, const std::string &text, const Location &location) {
    throw CompileError(slug, "in " + what + ": " + with_dotted_loops(text), location);
}

} // namespace language
} // namespace fluorite
