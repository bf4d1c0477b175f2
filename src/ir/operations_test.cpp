#include "ir/operations.h"

#include "fluorite/runtime/checks.h"
#include "fluorite/runtime/fork.h"
#include "fluorite/runtime/iterate.h"
#include "fluorite/runtime/profile.h"
#include "fluorite/runtime_abi.h"
#include "fluorite/runtime_memoization.h"
#include "fluorite/runtime_ranks.h"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <type_traits>

namespace fluorite::ir::operations_test {
namespace {

/// The letters that may describe a C function's parameters, position by position.
template <typename T> std::string letters_of() {
    if constexpr (std::is_pointer_v<T>) {
        return "hb";
    } else if constexpr (std::is_floating_point_v<T>) {
        return "D";
    } else if constexpr (sizeof(T) == 8) {
        return std::is_signed_v<T> ? "L" : "LU";
    } else {
        return std::is_signed_v<T> ? "ic" : "u";
    }
}
template <typename Result, typename... Params> std::vector<std::string> letters_of_parameters(Result (*)(Params...)) {
    return {letters_of<Params>()...};
}

TEST(Operations, RuntimeCallsAreAsTheRuntimeDeclaresThem) {
#define FLUORITE_OPERATION(name, result_type, letters, further, what)
#define FLUORITE_PLACEHOLDER(name, result_type, letters, further, what)
#define FLUORITE_RUNTIME_CALL(name, context, result_type, letters, further, what)                                      \
    {                                                                                                                  \
        const Operation &row = *find_operation(#name);                                                                 \
        std::vector<std::string> declared = letters_of_parameters(static_cast<decltype(&name)>(nullptr));              \
        if (row.takes_context) {                                                                                       \
            EXPECT_EQ(declared.front(), "hb") << #name;                                                                \
            declared.erase(declared.begin());                                                                          \
        }                                                                                                              \
        if (row.rest != ' ') {                                                                                         \
            declared.resize(row.operands.size()); /* an array of them, and how many */                                 \
        }                                                                                                              \
        ASSERT_EQ(declared.size(), row.operands.size()) << #name;                                                      \
        for (size_t i = 0; i < declared.size(); i++) {                                                                 \
            EXPECT_NE(declared[i].find(row.operands[i]), std::string::npos) << #name << ", operand " << i;             \
        }                                                                                                              \
    }
#include "ir/operations.def"
#undef FLUORITE_OPERATION
#undef FLUORITE_PLACEHOLDER
#undef FLUORITE_RUNTIME_CALL
}

TEST(Operations, NamesAreTold) {
    std::set<std::string_view> names;
    for (const Operation &operation : operations()) {
        EXPECT_TRUE(names.insert(operation.name).second) << operation.name;
        EXPECT_EQ(find_operation(operation.name), &operation);
    }
    EXPECT_EQ(find_operation("sinf"), nullptr);
    EXPECT_EQ(find_operation("fluorite_malloc"), nullptr) << "no statement calls it: it has no row";
}

TEST(Operations, EffectsAreThoseOfTheStrongestNode) {
    const Expr x = make_var(Int(32), Symbol(SymbolKind::Var, "x"));
    const Expr c = make_extern(Int(32), "user_function", std::vector<Expr>{x});
    const Expr error = make_extern(Int(32), "fluorite_error_specialize_fail",
                                   std::vector<Expr>{make_string("f"), make_string("text")});
    const Expr one = make_int(Int(32), 1);
    const Expr text = make_extern(Handle(), "text.concat", std::vector<Expr>{x});
    EXPECT_EQ(effect_of(add(x, one)), Effect::None);
    EXPECT_EQ(effect_of(text), Effect::None);
    EXPECT_EQ(effect_of(add(c, one)), Effect::Function);
    EXPECT_EQ(effect_of(add(c, error)), Effect::Always);
}

} // namespace
} // namespace fluorite::ir::operations_test
