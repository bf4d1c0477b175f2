// C headers of compiled functions.
//
// What: `int f(struct fluorite_buffer_t *_input_buffer, float _gain, ..., struct fluorite_buffer_t *_f_buffer);` in the
// order of the arguments. 16-bit floats are handed over as their bits. The compatibility headers make halide_buffer_t
// another name of the struct, so callers written for either compile.

#include "driver/header.h"

#include "support/check.h"

#include <cctype>

namespace fluorite::driver {

namespace {

std::string c_name(std::string name) {
    for (char &c : name) {
        c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    }
    return name;
}

std::string c_type(Type type) {
    if (type.is_handle()) {
        return "void *";
    }
    if (type.is_bool()) {
        return "bool ";
    }
    if (type.is_float() && type.bits() > 16) {
        return type.bits() == 32 ? "float " : "double ";
    }
    return concat(type.is_int() ? "int" : "uint", type.bits(), "_t ");
}

std::string declaration(const ir::LoweredFunc &func) {
    std::string list;
    for (const ir::LoweredArg &arg : func.args) {
        const bool is_buffer = arg.kind != ir::LoweredArg::Kind::Scalar;
        list += list.empty() ? "" : ", ";
        list += is_buffer ? "struct fluorite_buffer_t *_" + c_name(arg.symbol.name()) + "_buffer"
                          : c_type(arg.type) + "_" + c_name(arg.symbol.name());
    }
    return "int " + func.name + "(" + (list.empty() ? "void" : list) + ");\n";
}

} // namespace

std::string header_text(const std::vector<ir::LoweredFunc> &funcs, const std::string &guard) {
    const std::string macro = "FLUORITE_" + c_name(guard);
    std::string text = "#ifndef " + macro + "\n#define " + macro + "\n\n";
    text += "#include <stdbool.h>\n#include <stdint.h>\n\n";
    text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
    text += "struct fluorite_buffer_t;\nstruct fluorite_filter_metadata_t;\n\n";
    for (const ir::LoweredFunc &func : funcs) {
        text += "/* Returns 0, or an error code of fluorite/runtime_abi.h. */\n" + declaration(func);
        text += "/* The same with each argument behind a pointer: buffers as they are, scalars by address. */\n";
        text += "int " + func.name + "_argv(void **args);\n";
        text += "const struct fluorite_filter_metadata_t *" + func.name + "_metadata(void);\n\n";
    }
    text += "#ifdef __cplusplus\n} /* extern \"C\" */\n#endif\n\n#endif\n";
    return text;
}

} // namespace fluorite::driver
