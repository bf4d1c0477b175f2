#include "ir/operations.h"

#include "ir/expr_traits.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace fluorite::ir {

namespace {

const std::array all = {
#define FLUORITE_OPERATION(name, result, operands, rest, effect)                                                       \
    Operation{name, Operation::Kind::InPlace, false, result, operands, rest, Effect::effect},
#define FLUORITE_PLACEHOLDER(name, result, operands, rest, effect)                                                     \
    Operation{name, Operation::Kind::Placeholder, false, result, operands, rest, Effect::effect},
#define FLUORITE_RUNTIME_CALL(name, context, result, operands, rest, effect)                                           \
    Operation{                                                                                                         \
        #name,         Operation::Kind::RuntimeCall, std::string_view(#context) == "Context", result, operands, rest,  \
        Effect::effect},
#include "ir/operations.def"
#undef FLUORITE_OPERATION
#undef FLUORITE_PLACEHOLDER
#undef FLUORITE_RUNTIME_CALL
};

} // namespace

std::span<const Operation> operations() { return all; }

const Operation *find_operation(std::string_view name) {
    static const std::unordered_map<std::string_view, const Operation *> by_name = [] {
        std::unordered_map<std::string_view, const Operation *> map;
        for (const Operation &operation : all) {
            map.emplace(operation.name, &operation);
        }
        return map;
    }();
    const auto found = by_name.find(name);
    return found == by_name.end() ? nullptr : found->second;
}

Effect effect_of(const ExprNode &node) {
    switch (traits_of(node.kind()).effect) {
    case EffectTrait::None:
        return Effect::None;
    case EffectTrait::Always:
        return Effect::Always;
    case EffectTrait::ByName: {
        const Operation *operation = find_operation(node.text());
        return operation ? operation->effect : Effect::Function;
    }
    }
    unreachable("a node of no kind");
}

Effect effect_of(const Expr &expr) {
    Effect most = Effect::None;
    for_each_node(expr, [&](const Expr &node) { most = std::max(most, effect_of(*node)); });
    return most;
}

} // namespace fluorite::ir
