#include "lowering/access/buffer_uses.h"

#include "ir/parse.h"

#include <gtest/gtest.h>
#include <string>

namespace fluorite::lowering::buffer_uses_test {
namespace {

using namespace ir;

TEST(BufferUses, OfNodes) {
    EXPECT_EQ(buffer_use(parse_expr("f[x]:int32")), BufferUse::Load);
    EXPECT_EQ(buffer_use(parse_expr("f:handle")), BufferUse::Address);
    EXPECT_EQ(buffer_use(parse_expr("f->stride[1]")), BufferUse::Field);
    EXPECT_EQ(buffer_use(parse_expr("x")), BufferUse::None);
    EXPECT_EQ(buffer_use(parse_expr("f[x]:int32 + 1")), BufferUse::None);
}

TEST(BufferUses, LoadsOfAnExpression) {
    std::string names;
    for_each_load(parse_expr("f[g[x]:int32]:int32 + h[x]:int32"),
                  [&](const Expr &load) { names += load->symbol().name(); });
    EXPECT_EQ(names, "gfh");
}

TEST(BufferUses, WhatReadsABuffer) {
    const auto reads = [](const char *text) {
        const Symbol f(SymbolKind::Buffer, "f");
        ParseOptions names;
        names.symbols = {f};
        return reads_buffer(parse_expr(text, names), f);
    };
    EXPECT_TRUE(reads("1 + f[x]:int32"));
    EXPECT_TRUE(reads("g[f[x]:int32]:int32"));
    EXPECT_TRUE(reads("extern sum(f:handle):int32"));
    EXPECT_FALSE(reads("f->min[0] + g[x]:int32"));
}

} // namespace
} // namespace fluorite::lowering::buffer_uses_test
