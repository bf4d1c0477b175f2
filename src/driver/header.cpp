// C headers of compiled functions, for C99 and any C++.
//
// What: `int f(struct halide_buffer_t *_input_buffer, float _gain, ..., struct halide_buffer_t *_f_buffer);` in the
// order of the arguments. 16-bit floats are passed as their bits. The compatibility headers make halide_buffer_t
// another name of the struct, so that callers written for either compile.
//
// The header includes fluorite/runtime_abi.h, which defines the buffer struct, if the compiler finds it; a caller that
// only passes buffers through does not need the library's headers. The guard contains a hash of the declarations, so
// that headers of one name in two folders do not hide each other.

#include "driver/header.h"

#include "driver/c_names.h"
#include "ir/c_abi.h"
#include "support/check.h"
#include "support/numeric.h"

namespace fluorite::driver {

namespace {

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

/// The parameters of a function, and the names of these as arguments of a call.
struct Parameters {
    std::string list, names;
};
Parameters parameters_of(const ir::LoweredFunc &func) {
    std::string list, names;
    std::set<std::string> taken;
    for (const ir::LoweredArg &arg : func.args) {
        const bool is_buffer = arg.kind != ir::LoweredArg::Kind::Scalar;
        list += list.empty() ? "" : ", ";
        const std::string name = "_" + c_identifier(arg.symbol.name()) + (is_buffer ? "_buffer" : "");
        const std::string used = free_identifier(name, taken);
        list += (is_buffer ? "struct halide_buffer_t *" : c_type(arg.type)) + used;
        names += (names.empty() ? "" : ", ") + used;
    }
    return {list.empty() ? "void" : list, names};
}

std::string declaration(const ir::LoweredFunc &func) {
    return "int " + func.name + "(" + parameters_of(func).list + ");\n";
}

/// Functions in namespaces that call those of C.
std::string forwarding_functions(const ir::LoweredFunc &func, const std::string &cpp_name) {
    std::string opened, closed;
    size_t begin = 0;
    for (size_t end = cpp_name.find("::"); end != std::string::npos; end = cpp_name.find("::", begin)) {
        opened += "namespace " + cpp_name.substr(begin, end - begin) + " {\n";
        closed += "}\n";
        begin = end + 2;
    }
    if (opened.empty()) {
        return "";
    }
    const std::string name = cpp_name.substr(begin);
    const Parameters parameters = parameters_of(func);
    return concat("#ifdef __cplusplus\n", opened, "inline int ", name, "(", parameters.list, ") { return ::", func.name,
                  "(", parameters.names, "); }\ninline int ", ir::argv_name(name),
                  "(void **args) { return ::", ir::argv_name(func.name),
                  "(args); }\ninline const struct halide_filter_metadata_t *", ir::metadata_name(name),
                  "() { return ::", ir::metadata_name(func.name), "(); }\n", closed, "#endif\n\n");
}

/// Whether all ranks call the function together.
bool runs_on_ranks(const ir::LoweredFunc &entry) {
    const auto *let = entry.body.as<ir::LetStmt>();
    return let && let->value->kind() == ir::ExprKind::Extern && let->value->text() == "fluorite_distributed_run";
}

} // namespace

std::string header_text(const ir::LoweredFunc &entry, const std::string &guard, const std::string &cpp_name) {
    std::string text = "#include <stdbool.h>\n#include <stdint.h>\n";
    text += "#ifdef __has_include\n#if __has_include(\"fluorite/runtime_abi.h\")\n"
            "#include \"fluorite/runtime_abi.h\"\n#endif\n#endif\n\n";
    text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
    text += "struct halide_buffer_t;\nstruct halide_filter_metadata_t;\n\n";
    if (runs_on_ranks(entry)) {
        text += "/* All ranks call it together: fluorite/runtime_ranks.h. Link Fluorite::Ranks. */\n";
    }
    text += "/* Returns 0, or an error code of fluorite/runtime_abi.h. */\n" + declaration(entry);
    text += "/* The same with each argument behind a pointer: buffers as they are, scalars by address. */\n";
    text += "int " + ir::argv_name(entry.name) + "(void **args);\n";
    text += "const struct halide_filter_metadata_t *" + ir::metadata_name(entry.name) + "(void);\n\n";
    text += "#ifdef __cplusplus\n} /* extern \"C\" */\n#endif\n\n" + forwarding_functions(entry, cpp_name) + "#endif\n";
    const std::string macro = concat("FLUORITE_", c_identifier(guard), "_", hash_text(text));
    return "#ifndef " + macro + "\n#define " + macro + "\n\n" + text;
}

} // namespace fluorite::driver
