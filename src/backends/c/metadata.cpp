#include "backends/c/metadata.h"

#include "backends/c/words.h"
#include "ir/c_abi.h"
#include "support/check.h"

namespace fluorite::backends::c {

namespace {

using Values = std::vector<std::optional<int64_t>>;

/// Definitions of constants of 64 bits, and the pointers to them: NULL where there is no value.
class Constants {
  public:
    std::string pointer(const std::string &name, const std::optional<int64_t> &value) {
        if (!value) {
            return "NULL";
        }
        text_ += concat("    static const int64_t ", name, " = (int64_t)", static_cast<uint64_t>(*value), "ULL;\n");
        return "&" + name;
    }
    /// A pointer to the value of a scalar, whose bits these are.
    std::string scalar(const std::string &name, const std::optional<uint64_t> &bits) {
        if (!bits) {
            return "NULL";
        }
        text_ += concat("    static const uint64_t ", name, " = ", *bits, "ULL;\n");
        return concat("(const fluorite_scalar_value_t *)&", name);
    }
    std::string list(const std::string &name, const Values &values) {
        if (values.empty()) {
            return "NULL";
        }
        std::string pointers;
        for (size_t i = 0; i < values.size(); i++) {
            pointers += (i == 0 ? "" : ", ") + pointer(concat(name, "_", i), values[i]);
        }
        text_ += concat("    static const int64_t *const ", name, "[] = {", pointers, "};\n");
        return name;
    }
    const std::string &text() const { return text_; }

  private:
    std::string text_;
};

} // namespace

const char *type_code(TypeCode code) {
    switch (code) {
    case TypeCode::Int:
        return "fluorite_type_int";
    case TypeCode::UInt:
        return "fluorite_type_uint";
    case TypeCode::Float:
        return "fluorite_type_float";
    case TypeCode::Handle:
        return "fluorite_type_handle";
    case TypeCode::BFloat:
        return "fluorite_type_bfloat";
    }
    unreachable("a type of no code");
}

std::string metadata_text(const ir::LoweredFunc &entry, const Target &target) {
    const ir::FilterMetadata metadata = ir::filter_metadata(entry, target);
    std::string arguments;
    Constants constants;
    for (size_t i = 0; i < metadata.arguments.size(); i++) {
        const ir::FilterMetadata::Argument &arg = metadata.arguments[i];
        const std::string value = constants.scalar(concat("value_", i), arg.value),
                          min = constants.scalar(concat("min_", i), arg.min),
                          max = constants.scalar(concat("max_", i), arg.max),
                          estimate = constants.scalar(concat("estimate_", i), arg.estimate),
                          estimates = constants.list(concat("estimates_", i), arg.estimates);
        arguments += concat("        {", c_string(arg.name), ", ", arg.kind, ", ", arg.dimensions, ", {",
                            type_code(static_cast<TypeCode>(arg.type.code)), ", ", static_cast<int>(arg.type.bits),
                            ", 1}, ", value, ", ", min, ", ", max, ", ", estimate, ", ", estimates, "},\n");
    }
    const std::string list = arguments.empty() ? ""
                                               : concat("    static const fluorite_filter_argument_t arguments[] = {\n",
                                                        arguments, "    };\n");
    const std::string name = ir::metadata_name(entry.name);
    return concat("FLUORITE_PUBLIC const fluorite_filter_metadata_t *", name, "(void) {\n", constants.text(), list,
                  "    static const fluorite_filter_metadata_t metadata = {", metadata.version, ", ",
                  metadata.arguments.size(), ", ", arguments.empty() ? "NULL" : "arguments", ", ",
                  c_string(metadata.target), ", ", c_string(metadata.name), "};\n    return &metadata;\n}\n");
}

} // namespace fluorite::backends::c
