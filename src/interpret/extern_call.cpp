// One calling sequence for all signatures of up to eight scalars.
//
// Method: in the calling conventions of the supported machines (System V x86-64, AAPCS64), integers and pointers use
// one sequence of registers and floats another, each in order, whatever the order in the signature. So a call that
// loads eight integers and eight floats serves every signature of at most eight arguments: the callee reads only its
// own. Integers beyond the registers (the 7th and 8th on x86-64) lie on the stack in order, as the callee expects them.
// A float32 argument is the low half of its register. Only the kind of the result needs distinct function types.
//
// Relies on: those two calling conventions. Does not do: 16-bit floats, structs, variadic functions.

#include "interpret/extern_call.h"

#include "fluorite/errors.h"
#include "fluorite/runtime_abi.h"
#include "support/check.h"

#include <algorithm>
#include <bit>
#include <string>

namespace fluorite::interpret {

#if !defined(__x86_64__) && !defined(__aarch64__)
#error "call_extern: state the calling convention of this machine"
#endif

namespace {

template <typename Result>
using Function = Result (*)(Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell, double, double, double, double, double,
                            double, double, double);

template <typename Result> Result call(void *address, const Cell *i, const double *f) {
    return reinterpret_cast<Function<Result>>(address)(i[0], i[1], i[2], i[3], i[4], i[5], i[6], i[7], f[0], f[1], f[2],
                                                       f[3], f[4], f[5], f[6], f[7]);
}

Cell call_as(void *address, const Cell *integers, const double *floats, Type result) {
    if (result == Float(32)) {
        return std::bit_cast<uint32_t>(call<float>(address, integers, floats));
    }
    if (result == Float(64)) {
        return std::bit_cast<uint64_t>(call<double>(address, integers, floats));
    }
    const Cell bits = call<Cell>(address, integers, floats);
    // The callee sets only the bits of its result type (for bool, one byte).
    return result.is_handle() ? bits : find_loader(result)(&bits);
}

/// Throws the error that the failed function reported to the runtime.
[[noreturn]] void fail_as_reported() {
    std::string text = fluorite_last_error_message();
    fluorite_clear_error();
    text.resize(std::min(text.size(), text.rfind(" [")));
    throw RuntimeError("extern-failed", text, {});
}

bool is_plain(Type type) { return type.is_int_or_uint() || type.is_handle() || type == Float(32) || type == Float(64); }

} // namespace

bool is_callable(const std::vector<Type> &arguments, Type result) {
    if (arguments.size() > most_extern_arguments || !is_plain(result)) {
        return false;
    }
    for (Type type : arguments) {
        if (!is_plain(type)) {
            return false;
        }
    }
    return true;
}

Cell call_extern(void *address, const std::vector<Type> &types, const Cell *arguments, Type result) {
    check(is_callable(types, result), "an extern function is called with at most 8 plain scalars");
    Cell integers[most_extern_arguments] = {};
    double floats[most_extern_arguments] = {};
    size_t integer_count = 0, float_count = 0;
    for (size_t k = 0; k < types.size(); k++) {
        if (types[k].is_float()) {
            floats[float_count++] = std::bit_cast<double>(arguments[k]);
        } else {
            integers[integer_count++] = arguments[k];
        }
    }
    const Cell value = call_as(address, integers, floats, result);
    if (fluorite_extern_function_status() != 0) {
        fail_as_reported();
    }
    return value;
}

} // namespace fluorite::interpret
