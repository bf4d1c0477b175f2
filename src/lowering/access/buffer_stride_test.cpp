#include "lowering/access/buffer_stride.h"

#include "ir/parse.h"

#include <gtest/gtest.h>

namespace fluorite::lowering::buffer_stride_test {
namespace {

using namespace ir;

TEST(BufferStride, ByItsForm) {
    const Symbol f(SymbolKind::Buffer, "f");
    const auto e = [&](const char *text) {
        ParseOptions names;
        names.symbols = {f};
        return parse_expr(text, names);
    };
    EXPECT_TRUE(is_stride_of(e("f->stride[1]"), f));
    EXPECT_TRUE(is_stride_of(e("cast<int64>(f->stride[1]) * 3:int64"), f));
    EXPECT_FALSE(is_stride_of(e("f->stride[1] * 0"), f));
    EXPECT_FALSE(is_stride_of(e("f->extent[1]"), f));
    EXPECT_FALSE(is_stride_of(e("g->stride[1]"), f));
    EXPECT_TRUE(is_nonzero_stride(e("g->stride[1] * f->stride[2]")));
    EXPECT_TRUE(is_nonzero_stride(e("broadcast(-2, 4)")));
    EXPECT_FALSE(is_nonzero_stride(e("0")));
    EXPECT_FALSE(is_nonzero_stride(e("x")));
    EXPECT_FALSE(is_nonzero_stride(e("f->stride[1] + 1")));
}

TEST(BufferStride, LetsOfFlatteningAreStridesOfTheirFunc) {
    SymbolOwner owner;
    owner.func = FuncId(3), owner.dim = DimId(1);
    const Symbol buffer(SymbolKind::Buffer, "f", owner);
    const Expr stride = make_var(Int(64), Symbol(SymbolKind::Let, "f.stride.1", owner));
    owner.func = FuncId(4);
    const Symbol other(SymbolKind::Buffer, "g", owner);
    EXPECT_TRUE(is_stride_of(stride, buffer));
    EXPECT_FALSE(is_stride_of(stride, other));
    EXPECT_TRUE(is_nonzero_stride(stride));
}

} // namespace
} // namespace fluorite::lowering::buffer_stride_test
