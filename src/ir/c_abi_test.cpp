#include "ir/c_abi.h"

#include "ir/parameter.h"
#include "ir/parse.h"

#include <gtest/gtest.h>

namespace fluorite::ir::c_abi_test {
namespace {

LoweredFunc func_of(const std::string &args) { return parse_lowered("func f(" + args + ") { evaluate 1 }"); }

TEST(CAbi, NamesTheFormsOfAFunction) {
    EXPECT_EQ(argv_name("blur"), "blur_argv");
    EXPECT_EQ(metadata_name("blur"), "blur_metadata");
}

TEST(CAbi, FindsTheContextOfTheUser) {
    EXPECT_EQ(context_argument(func_of("n: scalar int32, __user_context: scalar handle")), 1U);
    EXPECT_EQ(context_argument(func_of("__user_context: scalar uint64, in: input uint8[2]")), std::nullopt);
    EXPECT_EQ(context_argument(func_of("")), std::nullopt);
}

TEST(CAbi, DescribesAFilter) {
    const Target target("x86-64-linux-avx2");
    const FilterMetadata metadata =
        filter_metadata(func_of("in: input uint16[3], b: output float32[1], n: scalar int8"), target);
    EXPECT_EQ(metadata.version, fluorite_filter_metadata_version);
    EXPECT_EQ(metadata.name, "f");
    EXPECT_EQ(metadata.target, target.to_string());
    ASSERT_EQ(metadata.arguments.size(), 3U);
    const auto expect = [&](size_t i, const char *name, int32_t kind, int32_t dimensions, fluorite_type_t type) {
        const FilterMetadata::Argument &arg = metadata.arguments[i];
        EXPECT_EQ(arg.name, name);
        EXPECT_EQ(arg.kind, kind) << name;
        EXPECT_EQ(arg.dimensions, dimensions) << name;
        EXPECT_EQ(arg.type.as_u32(), type.as_u32()) << name;
    };
    expect(0, "in", fluorite_argument_kind_input_buffer, 3, fluorite_type_t(fluorite_type_uint, 16));
    expect(1, "b", fluorite_argument_kind_output_buffer, 1, fluorite_type_t(fluorite_type_float, 32));
    expect(2, "n", fluorite_argument_kind_input_scalar, 0, fluorite_type_t(fluorite_type_int, 8));
}

TEST(CAbi, DescribesValuesLimitsAndEstimates) {
    const RefPtr<Parameter> gain(new Parameter), half(new Parameter), image(new Parameter);
    gain->type = Int(16);
    gain->has_value = true;
    gain->value_bits = 7;
    gain->min_value = make_int(Int(16), -2);
    gain->estimate = make_int(Int(16), 300);
    half->type = Float(16);
    half->max_value = make_float(Float(16), 1.5);
    image->is_buffer = true;
    image->dims.resize(2);
    image->dims[1].extent_estimate = make_int(Int(32), 480);
    LoweredFunc func = func_of("gain: scalar int16, half: scalar float16, image: input uint8[2], out: output uint8[1]");
    func.args[0].symbol = Symbol(SymbolKind::Param, "gain", {}, gain.get());
    func.args[1].symbol = Symbol(SymbolKind::Param, "half", {}, half.get());
    func.args[2].symbol = Symbol(SymbolKind::Buffer, "image", {}, image.get());
    image->dims[0].min = make_int(Int(32), 2); // the estimate, where none is set
    image->dims[1].extent = make_int(Int(32), 500);
    func.args[3].estimates = {0, 640};
    const FilterMetadata metadata = filter_metadata(func, Target("x86-64-linux"));
    EXPECT_EQ(metadata.arguments[0].value, 7U);
    EXPECT_EQ(metadata.arguments[0].min, 0xfffeU);
    EXPECT_EQ(metadata.arguments[0].max, std::nullopt);
    EXPECT_EQ(metadata.arguments[0].estimate, 300U);
    EXPECT_EQ(metadata.arguments[1].value, std::nullopt);
    EXPECT_EQ(metadata.arguments[1].max, 0x3e00U);
    const std::vector<std::optional<int64_t>> of_image = {2, {}, {}, 480}, of_out = {0, 640};
    EXPECT_EQ(metadata.arguments[2].estimates, of_image);
    EXPECT_EQ(metadata.arguments[3].estimates, of_out);
}

TEST(CAbi, PassesOperands) {
    EXPECT_EQ(passing_of("fluorite_check_ranges"), Passing::Doubles);
    EXPECT_EQ(passing_of("fluorite_iterate"), Passing::Pointers);
    EXPECT_EQ(passing_of("fluorite_check_sharing"), Passing::Pointers);
    EXPECT_EQ(passing_of("fluorite_distributed_run"), Passing::Pointers);
    EXPECT_EQ(passing_of("sinf"), Passing::Each);
    Operation operation;
    operation.operands = "iLD";
    EXPECT_EQ(passed_type(&operation, 0, Int(32)), Int(32));
    EXPECT_EQ(passed_type(&operation, 1, Int(8)), Int(64));
    EXPECT_EQ(passed_type(&operation, 1, UInt(16)), UInt(64));
    EXPECT_EQ(passed_type(&operation, 2, Float(32)), Float(64));
    EXPECT_EQ(passed_type(&operation, 3, Float(32)), Float(32));
    EXPECT_EQ(passed_type(nullptr, 0, UInt(8)), UInt(8));
}

TEST(CAbi, TellsTheFunctionsOfTheProgram) {
    EXPECT_TRUE(is_of_program("sinf"));
    EXPECT_TRUE(is_of_program("my_fluorite_"));
    EXPECT_FALSE(is_of_program("fluorite_error"));
}

} // namespace
} // namespace fluorite::ir::c_abi_test
