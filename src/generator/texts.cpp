// Texts that accompany the code of a Generator.

#include "generator/texts.h"

#include "driver/c_names.h"
#include "ir/c_abi.h"
#include "support/check.h"

namespace fluorite::generators {

std::string registration_text(const std::string &function) {
    const std::string argv = ir::argv_name(function), metadata = ir::metadata_name(function);
    return concat(
        "/* Registers ", function, " with halide_register_argv_and_metadata(), which the program defines. */\n\n",
        "struct halide_filter_metadata_t;\n\n", "extern \"C\" {\n",
        "void halide_register_argv_and_metadata(int (*call)(void **), const struct halide_filter_metadata_t *,\n"
        "                                       const char *const *extra_key_value_pairs);\n",
        "int ", argv, "(void **args);\n", "const struct halide_filter_metadata_t *", metadata, "(void);\n",
        "#ifdef HALIDE_REGISTER_EXTRA_KEY_VALUE_PAIRS_FUNC\n",
        "const char *const *HALIDE_REGISTER_EXTRA_KEY_VALUE_PAIRS_FUNC();\n#endif\n}\n\n", "namespace {\n",
        "struct Register_", function, " {\n    Register_", function, "() {\n",
        "#ifdef HALIDE_REGISTER_EXTRA_KEY_VALUE_PAIRS_FUNC\n",
        "        const char *const *pairs = HALIDE_REGISTER_EXTRA_KEY_VALUE_PAIRS_FUNC();\n#else\n",
        "        const char *const *pairs = nullptr;\n#endif\n", "        halide_register_argv_and_metadata(", argv,
        ", ", metadata, "(), pairs);\n    }\n} register_", function, ";\n} // namespace\n");
}

std::string function_info_text(const ir::LoweredFunc &entry) {
    std::string rows;
    for (const ir::LoweredArg &arg : entry.args) {
        const char *const kinds[] = {"InputBuffer", "OutputBuffer", "InputScalar", "InputBuffer"};
        rows += concat("        {\"", arg.symbol.name(), "\", ArgumentKind::", kinds[static_cast<int>(arg.kind)], ", ",
                       arg.dimensions, ", halide_type_t{static_cast<halide_type_code_t>(",
                       static_cast<int>(arg.type.code()), "), ", arg.type.bits(), ", 1}},\n");
    }
    const std::string macro = "HALIDE_FUNCTION_INFO_" + driver::c_identifier(entry.name);
    return concat(
        "#ifndef ", macro, "\n#define ", macro, "\n\n/* The arguments of ", entry.name, ", for C++17. */\n\n",
        "#include <array>\n#include <cstdint>\n#include <string_view>\n\n#include \"HalideRuntime.h\"\n\n",
        "#ifndef HALIDE_FUNCTION_INFO_TYPES\n#define HALIDE_FUNCTION_INFO_TYPES\n",
        "namespace HalideFunctionInfo {\nenum ArgumentKind { InputScalar = 0, InputBuffer = 1, OutputBuffer = 2 };\n",
        "struct ArgumentInfo {\n    std::string_view name;\n    ArgumentKind kind;\n    int32_t dimensions;\n",
        "    halide_type_t type;\n};\n} // namespace HalideFunctionInfo\n#endif\n\n",
        "inline constexpr std::array<HalideFunctionInfo::ArgumentInfo, ", entry.args.size(), "> ", entry.name,
        "_argument_info() {\n    using namespace HalideFunctionInfo;\n    return {{\n", rows, "    }};\n}\n\n#endif\n");
}

std::string schedule_text(const std::string &function, const std::string &target, const std::string &schedule) {
    const std::string macro = "FLUORITE_SCHEDULE_" + driver::c_identifier(function);
    return concat("#ifndef ", macro, "\n#define ", macro, "\n\n/* The schedule of ", function, " for ", target,
                  ". Apply it to the pipeline with\n * pipeline.apply(fluorite::Schedule::parse(", function,
                  "_schedule)), of fluorite/schedule.h. */\n\n", "static const char ", function,
                  "_schedule[] = R\"schedule(", schedule, ")schedule\";\n\n#endif\n");
}

// ---- Stubs.

namespace {

std::string input_type(const AbstractGenerator::ArgInfo &arg) {
    const std::string one = arg.kind == ArgInfoKind::Scalar     ? "fluorite::Expr"
                            : arg.kind == ArgInfoKind::Function ? "fluorite::Func"
                                                                : "fluorite::detail::generators::Given";
    return arg.is_array && arg.kind != ArgInfoKind::Buffer ? "std::vector<" + one + ">" : one;
}

/// The struct of the parameters, which gives those that differ from their defaults.
std::string params_text(const std::vector<StubParam> &params) {
    std::string fields, entries, levels;
    for (const StubParam &param : params) {
        fields += concat("        ", param.cpp_type, " ", param.name, " = ", param.cpp_value, ";\n");
        if (param.cpp_type == "Halide::LoopLevel") {
            levels +=
                concat("            generator.set_generatorparam_value(\"", param.name, "\", ", param.name, ");\n");
        } else {
            entries += concat("            generator.set_generatorparam_value(\"", param.name, "\", text_of(",
                              param.name, "));\n");
        }
    }
    const auto own_names = [](std::string text) {
        for (size_t at = 0; (at = text.find("Halide::", at)) != std::string::npos;) {
            text.replace(at, 8, "fluorite::");
        }
        return text;
    };
    return own_names(concat(
        "    struct GeneratorParams final {\n", fields,
        "\n        void set(fluorite::AbstractGenerator &generator) const {\n",
        params.empty() ? "            (void)generator;\n" : "", entries, levels, "        }\n\n      private:\n",
        "        static std::string text_of(bool value) { return value ? \"true\" : \"false\"; }\n",
        "        static std::string text_of(const std::string &value) { return value; }\n",
        "        static std::string text_of(const fluorite::Type &value) { return to_string(value); }\n",
        "        static std::string text_of(float value) { return fluorite::detail::generators::float_text(value); }\n",
        "        static std::string text_of(double value) { return fluorite::detail::generators::float_text(value); "
        "}\n",
        "        template <typename T> static std::string text_of(const T &value) { return std::to_string(value); }\n",
        "    };\n"));
}

} // namespace

std::string stub_text(const std::string &generator, const std::string &stub_name,
                      const std::vector<AbstractGenerator::ArgInfo> &args, const std::vector<StubParam> &params) {
    std::string inputs, outputs, binds, results, opened, closed, name = stub_name;
    for (size_t at = 0; (at = name.find("::")) != std::string::npos;) {
        if (at > 0) {
            opened += "namespace " + name.substr(0, at) + " {\n";
            closed = "} // namespace " + name.substr(0, at) + "\n" + closed;
        }
        name = name.substr(at + 2);
    }
    for (const AbstractGenerator::ArgInfo &arg : args) {
        if (arg.dir == ArgInfoDirection::Input) {
            inputs += concat("        ", input_type(arg), " ", arg.name, ";\n");
            binds += concat("        generator->bind_input(\"", arg.name, "\", inputs.", arg.name, ");\n");
        } else {
            outputs += concat("        ", arg.is_array ? "std::vector<fluorite::Func>" : "fluorite::Func", " ",
                              arg.name, ";\n");
            results += concat("        outputs.", arg.name, " = generator->output_func(\"", arg.name, "\")",
                              arg.is_array ? "" : ".at(0)", ";\n");
        }
    }
    const std::string macro = "FLUORITE_STUB_" + driver::c_identifier(stub_name + "_of_" + generator);
    return concat(
        "#ifndef ", macro, "\n#define ", macro, "\n\n// Applies the generator ", generator,
        " in C++. Link the object that registers it.\n\n",
        "#include <memory>\n#include <string>\n#include <vector>\n\n#include \"fluorite/generator.h\"\n\n", opened,
        "class ", name, " {\n  public:\n", params_text(params), "\n    struct Inputs final {\n", inputs,
        "    };\n\n    struct Outputs final {\n", outputs, "        fluorite::Target target;\n    };\n\n",
        "    static Outputs generate(const fluorite::GeneratorContext &context, const Inputs &inputs) {\n"
        "        return generate(context, inputs, GeneratorParams());\n    }\n"
        "    static Outputs generate(const fluorite::GeneratorContext &context, const Inputs &inputs,\n"
        "                            const GeneratorParams &params) {\n"
        "        const fluorite::AbstractGeneratorPtr generator =\n            fluorite::GeneratorRegistry::create(\"",
        generator, "\", context);\n        params.set(*generator);\n", inputs.empty() ? "        (void)inputs;\n" : "",
        binds, "        generator->build_pipeline();\n        Outputs outputs;\n", results,
        "        outputs.target = generator->context().target();\n        return outputs;\n    }\n};\n", closed,
        "\n#endif\n");
}

} // namespace fluorite::generators
