#include "verify/loops/fused_bindings.h"

#include <algorithm>

namespace fluorite::verify {

using Kind = Term::Kind;

// The outermost binding of one of the names.
static std::optional<Path> find_first(const Term &term, const std::vector<std::string> &names) {
    if (term.kind() == Kind::Let && std::ranges::find(names, term.name()) != names.end()) {
        return Path{};
    }
    for (size_t k = 0; k < term.operands().size(); k++) {
        if (std::optional<Path> path = find_first(term.operand(k), names)) {
            path->insert(path->begin(), k);
            return path;
        }
    }
    return std::nullopt;
}

std::string bring_together(Derivation &derivation, FusedBindings &group) {
    const std::optional<Path> first = find_first(derivation.program(), group.tensors);
    if (!first) {
        return "it has no binding";
    }
    std::vector<std::string> left = group.tensors, order;
    Path at = *first; // of the last binding that was found, which moves inwards with those before it
    order.push_back(derivation.subterm(at).name());
    std::erase(left, order.back());
    while (!left.empty()) {
        const Term next = derivation.subterm(at).operand(1);
        if (next.kind() != Kind::Let) {
            return "its binding and that of the other Func do not stand one inside of the other";
        }
        if (std::ranges::find(left, next.name()) != left.end()) {
            std::erase(left, next.name());
            order.push_back(next.name());
            at.push_back(1);
            continue;
        }
        // The binding in between goes out past those of the group.
        Path here = at;
        for (size_t passed = 0; passed < order.size(); passed++) {
            if (!derivation.apply(here, let_swap())) {
                return "a binding between its own and that of the other Func reads one of them";
            }
            if (passed + 1 < order.size()) {
                here.pop_back();
            }
        }
        at.push_back(1);
    }
    group.tensors = order;
    return "";
}

namespace {

// The path of the outermost binding, and the stores of all of them, as certificates have them.
struct NestTexts {
    std::string path, stores;
};
NestTexts nests_of(const Term &program, const std::vector<StorePlan> &stores, const FusedBindings &group,
                   const std::vector<std::string> &unread) {
    const std::optional<Path> path = find_first(program, group.tensors);
    if (!path) {
        throw Unsupported{"it has no binding"};
    }
    // The number of the first view there: of those before it in the order of the program.
    size_t store = 0;
    Term here = program;
    NestTexts texts;
    for (size_t i = 0; i < path->size(); i++) {
        const size_t k = (*path)[i];
        store += here.kind() == Kind::View ? 1 : 0;
        for (size_t before = 0; before < k; before++) {
            store += count_views(here.operand(before));
        }
        here = Term(here.operand(k));
        texts.path += (i ? " " : "") + std::to_string(k);
    }
    for (size_t i = 0; i < group.tensors.size(); i++) {
        if (here.kind() != Kind::Let || here.name() != group.tensors[i] || here.operand(0).kind() != Kind::View) {
            throw Unsupported{"it has updates, or its loops are those of its definition"};
        }
        const std::optional<Nest> nest = nest_of(here.operand(0).operand(0), here.operand(0).indices().size());
        for (const std::string &other : unread) {
            if (!nest || occurs_tensor(other, here.operand(0))) {
                throw Unsupported{"one of the Funcs that share loops reads another"};
            }
        }
        texts.stores += (i ? " " : "") + stores.at(store).text;
        store += count_views(here.operand(0));
        here = Term(here.operand(1));
    }
    return texts;
}

} // namespace

std::string plan_fused_bindings(const Term &program, const std::vector<StorePlan> &stores, const FusedBindings &group) {
    const NestTexts texts = nests_of(program, stores, group, group.tensors);
    return "((" + texts.path + ") (" + texts.stores + "))";
}

std::string plan_fused_windows(const Term &program, const std::vector<StorePlan> &stores, const FusedWindows &group,
                               size_t sliding) {
    std::vector<std::string> all = group.windows;
    all.insert(all.end(), group.nests.tensors.begin(), group.nests.tensors.end());
    std::string windows;
    for (const std::string &window : group.windows) {
        const std::optional<Path> path = find_first(program, {window});
        const std::optional<Term> binding = path ? at_path(program, *path) : std::nullopt;
        for (const std::string &other : all) {
            if (!binding || occurs_tensor(other, binding->operand(0))) {
                throw Unsupported{"one of the Funcs that share loops reads another"};
            }
        }
        windows += (windows.empty() ? "" : " ") + window;
    }
    const bool has_nests = !group.nests.tensors.empty(); // windows alone are beside each other
    const NestTexts texts = has_nests ? nests_of(program, stores, group.nests, all) : NestTexts{};
    return "(" + std::to_string(sliding) + " (" + texts.path + ") (" + windows + ") (" + texts.stores + "))";
}

} // namespace fluorite::verify
