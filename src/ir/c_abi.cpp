#include "ir/c_abi.h"

#include <algorithm>
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

} // namespace

FilterMetadata filter_metadata(const LoweredFunc &entry, const Target &target) {
    FilterMetadata metadata;
    metadata.name = entry.name;
    metadata.target = target.to_string();
    for (const LoweredArg &arg : entry.args) {
        const fluorite_type_t type(static_cast<fluorite_type_code_t>(arg.type.code()),
                                   static_cast<uint8_t>(arg.type.bits()), 1);
        metadata.arguments.push_back({arg.symbol.name(), kind_of(arg), arg.dimensions, type});
    }
    return metadata;
}

Passing passing_of(std::string_view function) {
    static constexpr std::string_view of_pointers[] = {"fluorite_iterate", "fluorite_distributed_run",
                                                       "fluorite_check_sharing"};
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
