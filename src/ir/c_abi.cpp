#include "ir/c_abi.h"

#include "fluorite/float16.h"
#include "ir/parameter.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace fluorite::ir {

std::string argv_name(const std::string &func) { return func + "_argv"; }
std::string metadata_name(const std::string &func) { return func + "_metadata"; }

std::optional<size_t> context_argument(const LoweredFunc &func) {
    for (size_t i = 0; i < func.args.size(); i++) {
        const LoweredArg &arg = func.args[i];
        if (arg.kind == LoweredArg::Kind::Scalar && arg.type.is_handle() && arg.symbol.name() == "__user_context") {
            return i;
        }
    }
    return std::nullopt;
}

namespace {

int32_t kind_of(const LoweredArg &arg) {
    switch (arg.kind) {
    case LoweredArg::Kind::InputBuffer:
        return fluorite_argument_kind_input_buffer;
    case LoweredArg::Kind::OutputBuffer:
        return fluorite_argument_kind_output_buffer;
    case LoweredArg::Kind::Scalar:
    case LoweredArg::Kind::Allocation: // only of a task, which C does not call
        return fluorite_argument_kind_input_scalar;
    }
    unreachable("an argument of no kind");
}

template <typename T> uint64_t bits_of(const T &value) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    return bits;
}

/// The bits of a constant of the type; nothing for other Exprs, which the metadata does not have.
std::optional<uint64_t> constant_bits(const Expr &value, Type type) {
    int64_t integer = 0;
    double number = 0;
    if (!value.defined()) {
        return std::nullopt;
    }
    if (is_const_int(value, &integer)) {
        number = static_cast<double>(integer);
    } else if (!is_const_float(value, &number)) {
        return std::nullopt;
    }
    if (!type.is_float()) {
        return static_cast<uint64_t>(integer) & (~uint64_t{0} >> (64 - 8 * type.bytes()));
    }
    if (type.bits() == 16) {
        return type.is_bfloat() ? bits_of(bfloat16_t(number)) : bits_of(float16_t(number));
    }
    return type.bits() == 32 ? bits_of(static_cast<float>(number)) : bits_of(number);
}

void describe_scalar(FilterMetadata::Argument &argument, const Parameter &parameter) {
    if (parameter.default_value.defined()) {
        argument.value = constant_bits(parameter.default_value, parameter.type);
    } else if (parameter.has_value && !parameter.type.is_handle()) {
        argument.value = parameter.value_bits;
    }
    argument.min = constant_bits(parameter.min_value, parameter.type);
    argument.max = constant_bits(parameter.max_value, parameter.type);
    argument.estimate = constant_bits(parameter.estimate, parameter.type);
}

std::optional<int64_t> constant_int(const Expr &value) {
    int64_t integer = 0;
    return value.defined() && is_const_int(value, &integer) ? std::optional<int64_t>(integer) : std::nullopt;
}

Expr estimate_or_constant(const Expr &estimate, const Expr &constraint) {
    return estimate.defined() || !constant_int(constraint) ? estimate : constraint;
}

} // namespace

Expr min_estimate_of(const DimConstraint &dim) { return estimate_or_constant(dim.min_estimate, dim.min); }
Expr extent_estimate_of(const DimConstraint &dim) { return estimate_or_constant(dim.extent_estimate, dim.extent); }

std::vector<std::optional<int64_t>> constant_estimates(const std::vector<DimConstraint> &dims) {
    std::vector<std::optional<int64_t>> estimates;
    for (const DimConstraint &dim : dims) {
        estimates.push_back(constant_int(min_estimate_of(dim)));
        estimates.push_back(constant_int(extent_estimate_of(dim)));
    }
    const bool has_some =
        std::any_of(estimates.begin(), estimates.end(), [](const auto &each) { return each.has_value(); });
    return has_some ? estimates : std::vector<std::optional<int64_t>>();
}

FilterMetadata filter_metadata(const LoweredFunc &entry, const Target &target) {
    FilterMetadata metadata;
    metadata.name = entry.name;
    metadata.target = target.to_string();
    for (const LoweredArg &arg : entry.args) {
        const fluorite_type_t type(static_cast<fluorite_type_code_t>(arg.type.code()),
                                   static_cast<uint8_t>(arg.type.bits()), 1);
        FilterMetadata::Argument argument{arg.symbol.name(), kind_of(arg), arg.dimensions, type};
        argument.estimates = arg.estimates;
        if (const Parameter *parameter = parameter_of(arg.symbol)) {
            if (arg.kind == LoweredArg::Kind::Scalar) {
                describe_scalar(argument, *parameter);
            } else if (arg.kind == LoweredArg::Kind::InputBuffer) {
                argument.estimates = constant_estimates(parameter->dims);
            }
        }
        metadata.arguments.push_back(std::move(argument));
    }
    return metadata;
}

Passing passing_of(std::string_view function) {
    static constexpr std::string_view of_pointers[] = {"fluorite_iterate", "fluorite_distributed_run",
                                                       "fluorite_check_sharing", "fluorite_profile_run"};
    return function == "fluorite_check_ranges" ? Passing::Doubles
           : std::find(std::begin(of_pointers), std::end(of_pointers), function) != std::end(of_pointers)
               ? Passing::Pointers
               : Passing::Each;
}

Type passed_type(const Operation *operation, size_t i, Type given) {
    switch (operation ? operation->operand(i) : ' ') {
    case 'L':
        return given.is_uint() ? UInt(64, given.lanes()) : Int(64, given.lanes());
    case 'D':
        return Float(64, given.lanes());
    default: // the other letters restrict the operand, and do not convert it
        return given;
    }
}

// The runtime's functions, whether operations.def lists them or not, begin with its prefix.
bool is_of_program(std::string_view function) { return !function.starts_with("fluorite_"); }

} // namespace fluorite::ir
