// Questions about the target. In a program, each is an Extern node target.<field> with a number as operand; freezing,
// which knows the target, replaces it by a constant, so that no later stage meets one.

#include "language/freeze/target_queries.h"

#include "fluorite/target_queries.h"
#include "support/check.h"

#include <array>
#include <string_view>

namespace fluorite {

namespace {

Expr make_query(Type type, const char *name, int64_t operand) {
    return ir::make_extern(type, name, std::array{ir::make_int(Int(32), operand)});
}

Expr make_checked_query(const char *name, int value, int first, int last, const Location &location) {
    if (value < first || value > last) {
        throw CompileError("no-such-value",
                           concat("in ", name, ": the number ", value,
                                  " is given, which no enumerator has; use one of Target's names"),
                           location);
    }
    return make_query(Bool(), name, value);
}

} // namespace

Expr target_arch_is(Target::Arch arch, const Location &location) {
    return make_checked_query("target.arch_is", arch, Target::ArchUnknown, Target::RISCV, location);
}
Expr target_os_is(Target::OS os, const Location &location) {
    return make_checked_query("target.os_is", os, Target::OSUnknown, Target::WebAssemblyRuntime, location);
}
Expr target_has_feature(Target::Feature feature, const Location &location) {
    return make_checked_query("target.has_feature", feature, 0, Target::FeatureEnd - 1, location);
}
Expr target_bits() { return make_query(Int(32), "target.bits", 0); }
Expr target_natural_vector_size(const Type &type) {
    return make_query(Int(32), "target.natural_vector_size", type.bytes());
}

namespace language {

Expr value_of_target_query(const ir::ExprNode &node, const Target &given) {
    constexpr std::string_view prefix = "target.";
    if (node.kind() != ir::ExprKind::Extern || !node.text().starts_with(prefix)) {
        return {};
    }
    const std::string_view field = std::string_view(node.text()).substr(prefix.size());
    const Target target = given == Target() ? get_host_target() : given;
    const int operand = static_cast<int>(node.arg(0)->int_value());
    if (field == "arch_is") {
        return ir::make_bool(target.arch == operand);
    }
    if (field == "os_is") {
        return ir::make_bool(target.os == operand);
    }
    if (field == "has_feature") {
        return ir::make_bool(target.has_feature(static_cast<Target::Feature>(operand)));
    }
    if (field == "bits") {
        return ir::make_int(Int(32), target.bits);
    }
    check(field == "natural_vector_size", "a query of the target has a row here");
    return ir::make_int(Int(32), target.natural_vector_size(operand));
}

} // namespace language
} // namespace fluorite
