#include "support/npy_header.h"

#include <gtest/gtest.h>

namespace fluorite::npy_header_test {
namespace {

using namespace npy;

std::string refusal_of(std::string_view text) {
    const auto parsed = parse_dictionary(text);
    const auto *refusal = std::get_if<Refusal>(&parsed);
    return !refusal                                       ? "accepted"
           : refusal->kind == Refusal::Kind::NoDictionary ? "no dictionary"
           : refusal->kind == Refusal::Kind::Records      ? "records"
                                                          : "element " + refusal->dtype;
}

TEST(NpyHeader, IsReadAsItIsWritten) {
    for (const std::vector<int64_t> &shape : {std::vector<int64_t>{}, {4}, {2, 3}, std::vector<int64_t>(25000, 1)}) {
        Header header = Header::native('f', 8, shape);
        header.fortran_order = shape.size() == 2;
        const std::string bytes = written(header);
        EXPECT_EQ(bytes.size() % 64, 0U);
        const Prefix prefix = read_prefix(std::string_view(bytes).substr(0, prefix_bytes));
        ASSERT_EQ(prefix.verdict, Prefix::Verdict::Known);
        EXPECT_EQ(prefix.version, shape.size() > 100 ? 2 : 1);
        ASSERT_EQ(static_cast<int64_t>(prefix.begin) + prefix.length, static_cast<int64_t>(bytes.size()));
        const auto parsed = parse_dictionary(std::string_view(bytes).substr(prefix.begin));
        const auto *read = std::get_if<Header>(&parsed);
        ASSERT_TRUE(read);
        EXPECT_EQ(read->dtype(), header.dtype());
        EXPECT_EQ(read->shape, shape);
        EXPECT_EQ(read->fortran_order, header.fortran_order);
        EXPECT_FALSE(read->is_swapped());
    }
}

TEST(NpyHeader, Texts) {
    const Header header = Header::native('u', 1, {7});
    EXPECT_EQ(header.dtype(), "|u1");
    EXPECT_EQ(header.shape_text(), "(7,)");
    EXPECT_EQ(Header::native('c', 16, {2, 3}).shape_text(), "(2, 3)");
    EXPECT_EQ(Header::native('c', 16, {}).shape_text(), "()");
}

TEST(NpyHeader, WhatIsNoHeader) {
    EXPECT_EQ(read_prefix("\x93NUMPX\x01\x00\x10\x00").verdict, Prefix::Verdict::NoNpy);
    EXPECT_EQ(read_prefix("\x93NUMPY").verdict, Prefix::Verdict::NoNpy);
    EXPECT_EQ(read_prefix(std::string_view("\x93NUMPY\x04\x00\x10\x00\x00\x00", 12)).verdict,
              Prefix::Verdict::UnknownVersion);
    EXPECT_EQ(refusal_of("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"), "accepted");
    EXPECT_EQ(refusal_of("{\"shape\":(2,),\"descr\":'=i8','fortran_order':True}  \n"), "accepted");
    EXPECT_EQ(refusal_of("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}"), "records");
    EXPECT_EQ(refusal_of("{'descr': '<U4', 'fortran_order': False, 'shape': (2,)}"), "element <U4");
    EXPECT_EQ(refusal_of("{'descr': '<f', 'fortran_order': False, 'shape': (2,)}"), "element <f");
    for (const char *text : {"", "{", "{'descr': '<f4', 'fortran_order': False}", "{'descr': '<f4', 'descr': '<f4'}",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'more': 1}",
                             "{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3)}",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x"}) {
        EXPECT_EQ(refusal_of(text), "no dictionary") << text;
    }
}

} // namespace
} // namespace fluorite::npy_header_test
