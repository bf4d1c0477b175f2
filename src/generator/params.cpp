// Texts of the values of GeneratorParams.

#include "generator/state.h"
#include "support/check.h"

#include <cerrno>
#include <charconv>
#include <cstdlib>

namespace fluorite::detail::generators {

using fluorite::generators::refuse;

void ParamMember::set_level(const LoopLevel &) {
    refuse("generator-param-value", generator() ? generator()->name() : "",
           concat("the parameter ", name(),
                  " is set to a LoopLevel, and it is none; a parameter is set to values of its "
                  "type; give a text"));
}

void ParamMember::refuse_text(const std::string &text, const std::string &rule) const {
    refuse("generator-param-value", generator() ? generator()->name() : "",
           concat("the parameter ", name(), " is set to '", text, "'; ", rule, "; give such a value"));
}

void ParamMember::check_settable() const {
    if (generator() && !generator()->state_->is_settable()) {
        refuse("generator-phase", generator()->name(),
               concat("the parameter ", name(),
                      " is set while or after generate() runs, which has read it; parameters "
                      "are set before; set it earlier"));
    }
}

int64_t parse_int(const std::string &text, int64_t least, int64_t most, bool *is_valid) {
    int64_t value = 0;
    const char *begin = text.data() + (!text.empty() && text[0] == '+' ? 1 : 0), *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(begin, end, value);
    *is_valid = error == std::errc() && stop == end && value >= least && value <= most;
    return value;
}

uint64_t parse_uint(const std::string &text, uint64_t most, bool *is_valid) {
    uint64_t value = 0;
    const char *begin = text.data() + (!text.empty() && text[0] == '+' ? 1 : 0), *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(begin, end, value);
    *is_valid = error == std::errc() && stop == end && value <= most;
    return value;
}

double parse_float(const std::string &text, bool *is_valid) {
    double value = 0;
    const char *begin = text.data() + (!text.empty() && text[0] == '+' ? 1 : 0), *end = text.data() + text.size();
    const bool has_suffix = text.size() > 1 && text.back() == 'f' && text[text.size() - 2] != 'n'; // 1.5f, and not inf
    const auto [stop, error] = std::from_chars(begin, has_suffix ? end - 1 : end, value);
    *is_valid = error == std::errc() && stop == (has_suffix ? end - 1 : end);
    return value;
}

fluorite::Type parse_type(const std::string &text, bool *is_valid) {
    static constexpr fluorite::Type types[] = {Bool(),     Int(8),    Int(16),   Int(32),  Int(64),
                                               UInt(8),    UInt(16),  UInt(32),  UInt(64), Float(16),
                                               BFloat(16), Float(32), Float(64), Handle()};
    for (const fluorite::Type &type : types) {
        if (text == to_string(type)) {
            *is_valid = true;
            return type;
        }
    }
    *is_valid = false;
    return {};
}

std::string float_text(double value) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof(text), value);
    return {text, end.ptr};
}

std::string level_text(const LoopLevel &level) {
    return !level.defined() ? "" : level.is_root() ? "root" : level.is_inlined() ? "inlined" : "";
}

} // namespace fluorite::detail::generators
