#include "ir/extern_stage.h"

#include "fluorite/runtime_abi.h"

#include <array>

namespace fluorite::ir {

namespace {

constexpr const char *stage_name = "extern.stage", *const address_name = "extern.address",
                     *const offset_name = "extern.offset";
constexpr size_t first_operand = 2;

bool is_named(const Expr &expr, const char *name) { return is_kind(expr, ExprKind::Extern) && expr->text() == name; }

Expr make_dim(const Expr &header, int dim, int what) {
    return make_extern(Int(32), "extern.dim", std::array{header, int32(dim), int32(what)});
}

} // namespace

Expr make_extern_stage(Type type, const std::string &function, int element, std::span<const Expr> operands) {
    std::vector<Expr> all = {make_string(function), int32(element)};
    all.insert(all.end(), operands.begin(), operands.end());
    return make_extern(type, stage_name, all);
}

Expr make_anywhere(int operand, int dimension) {
    return make_extern(Int(32), "extern.anywhere", std::array{int32(operand), int32(dimension)});
}

const ExprNode *find_extern_stage(const Stage &stage) {
    return !stage.values.empty() && is_named(stage.values[0], stage_name) ? stage.values[0].get() : nullptr;
}

const std::string &extern_function(const ExprNode &stage) { return stage.arg(0)->text(); }

std::span<const Expr> extern_operands(const ExprNode &stage) { return stage.args().subspan(first_operand); }

Expr extern_access(const Expr &operand) { return is_named(operand, address_name) ? operand->arg(0) : Expr(); }

Expr make_address(const Expr &access) { return make_extern(Handle(), address_name, std::array{access}); }
Expr make_offset(const Expr &access) { return make_extern(Int(64), offset_name, std::array{access}); }

bool is_address(const Expr &expr) { return is_named(expr, address_name) || is_named(expr, offset_name); }

Expr make_header(int number, const Expr &address, Type type, const std::vector<HeaderDim> &dims) {
    const fluorite_type_t element(static_cast<fluorite_type_code_t>(type.code()), static_cast<uint8_t>(type.bits()), 1);
    const Expr null = make_reinterpret(Handle(), make_uint(UInt(64), 0));
    std::vector<Expr> operands = {int32(number), address.defined() ? address : null,
                                  make_uint(UInt(32), element.as_u32()), int32(static_cast<int64_t>(dims.size()))};
    for (const HeaderDim &dim : dims) {
        operands.insert(operands.end(), {dim.min, dim.extent, dim.stride});
    }
    return make_extern(Handle(), "extern.header", operands);
}

Expr make_header_min(const Expr &header, int dim) { return make_dim(header, dim, 0); }
Expr make_header_extent(const Expr &header, int dim) { return make_dim(header, dim, 1); }

const std::string &called_function(const ExprNode &node) {
    return node.text() == "extern.call" || node.text() == stage_name ? node.arg(0)->text() : node.text();
}

Expr make_extern_call(const std::string &function, std::vector<Expr> operands) {
    operands.insert(operands.begin(), make_string(function));
    return make_extern(Int(32), "extern.call", operands);
}

} // namespace fluorite::ir
