// Calls through libffi, which knows the calling convention of every machine.
//
// Relies on cells in the form of interpret/scalar.h: the first bytes of a cell are the value as C passes it, on
// machines whose low byte comes first. Does not do: 16-bit floats, structs, variadic functions.

#include "interpret/extern_call.h"

#include "fluorite/errors.h"
#include "fluorite/runtime_abi.h"
#include "support/check.h"

#include <algorithm>
#include <bit>
#include <dlfcn.h>
#include <ffi.h>
#include <string>

namespace fluorite::interpret {

static_assert(std::endian::native == std::endian::little, "arguments are the first bytes of cells");

namespace {

ffi_type *ffi_type_of(Type type) {
    if (type.is_void()) {
        return &ffi_type_void;
    }
    if (type.is_handle()) {
        return &ffi_type_pointer;
    }
    if (type.is_float()) {
        return type.bits() == 64 ? &ffi_type_double : &ffi_type_float;
    }
    switch (type.bytes()) {
    case 1:
        return type.is_int() ? &ffi_type_sint8 : &ffi_type_uint8;
    case 2:
        return type.is_int() ? &ffi_type_sint16 : &ffi_type_uint16;
    case 4:
        return type.is_int() ? &ffi_type_sint32 : &ffi_type_uint32;
    default:
        return type.is_int() ? &ffi_type_sint64 : &ffi_type_uint64;
    }
}

/// Throws the error that the failed function reported to the runtime.
[[noreturn]] void fail_as_reported() {
    std::string text = fluorite_last_error_message();
    fluorite_clear_error();
    text.resize(std::min(text.size(), text.rfind(" [")));
    throw RuntimeError("extern-failed", text, {});
}

bool is_plain(Type type) {
    return type.is_scalar() && (type.is_int_or_uint() || type.is_handle() || type == Float(32) || type == Float(64));
}

} // namespace

struct CFunction::Signature {
    std::vector<ffi_type *> arguments;
    ffi_cif cif = {};
};

bool is_callable(const std::vector<Type> &arguments, Type result) {
    return is_plain(result) && std::all_of(arguments.begin(), arguments.end(), is_plain);
}

void *find_c_function(const std::string &name) {
    size_t count = 0;
    const fluorite_symbol_t *symbols = fluorite_runtime_symbols(&count);
    const auto *known =
        std::find_if(symbols, symbols + count, [&](const fluorite_symbol_t &symbol) { return name == symbol.name; });
    return known != symbols + count ? known->address : dlsym(RTLD_DEFAULT, name.c_str());
}

CFunction::CFunction(void *address, const std::vector<Type> &arguments, Type result)
    : address_(address), result_(result), signature_(std::make_unique<Signature>()) {
    check(std::all_of(arguments.begin(), arguments.end(), is_plain), "a C function takes plain scalars");
    for (Type type : arguments) {
        signature_->arguments.push_back(ffi_type_of(type));
    }
    const ffi_status status = ffi_prep_cif(&signature_->cif, FFI_DEFAULT_ABI, static_cast<unsigned>(arguments.size()),
                                           ffi_type_of(result), signature_->arguments.data());
    check(status == FFI_OK, "libffi knows the types of a call");
}

CFunction::~CFunction() = default;

Cell CFunction::operator()(const Cell *arguments) const {
    std::vector<void *> pointers(signature_->arguments.size());
    for (size_t i = 0; i < pointers.size(); i++) {
        pointers[i] = const_cast<Cell *>(&arguments[i]); // libffi only reads them
    }
    Cell result = 0; // libffi widens small integers
    ffi_call(&signature_->cif, FFI_FN(address_), &result, pointers.data());
    return result_.is_void() ? 0 : find_loader(result_)(&result);
}

Cell call_extern(const CFunction &function, const Cell *arguments) {
    const Cell value = function(arguments);
    if (fluorite_extern_function_status() != 0) {
        fail_as_reported();
    }
    return value;
}

} // namespace fluorite::interpret
