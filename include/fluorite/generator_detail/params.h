#pragma once
// GeneratorParam: a number, text, type or choice that is fixed before a Generator makes its pipeline. Command lines and
// stubs set it by name; in generate() and schedule() it converts to its value.

#include "fluorite/require_cxx17.h"

#include "fluorite/auto_schedule.h"
#include "fluorite/generator_detail/member.h"
#include "fluorite/loop_level.h"
#include "fluorite/target.h"

#include <cstdint>
#include <map>
#include <string>
#include <type_traits>

namespace fluorite {

namespace detail::generators {

class ParamMember : public Member {
  public:
    static bool has(Role role) { return role == Role::Parameter; }
    /// Sets it from a text. Throws CompileError [generator-param-value] for a text that is no value of it.
    virtual void set_text(const std::string &text) = 0;
    /// The value as set_text takes it.
    virtual std::string text() const = 0;
    /// The C++ type, and the value as a C++ expression, in stubs. Empty where stubs do not have the parameter.
    virtual std::string cpp_type() const = 0;
    virtual std::string cpp_value() const = 0;
    /// Sets the value of a LoopLevel; others refuse it.
    virtual void set_level(const LoopLevel &level);

  protected:
    explicit ParamMember(std::string name) : Member(std::move(name), Role::Parameter) {}
    [[noreturn]] void refuse_text(const std::string &text, const std::string &rule) const;
    /// Throws CompileError [generator-phase] once generate() runs.
    void check_settable() const;
};

/// Texts of numbers and back. The numbers are parsed whole, and are values of the type.
int64_t parse_int(const std::string &text, int64_t least, int64_t most, bool *is_valid);
uint64_t parse_uint(const std::string &text, uint64_t most, bool *is_valid);
double parse_float(const std::string &text, bool *is_valid);
Type parse_type(const std::string &text, bool *is_valid);
std::string float_text(double value);
std::string level_text(const LoopLevel &level);

/// Conversion to Expr, which parameters that are numbers have.
template <typename Param, bool is_number> struct ExprOfNumber {};
template <typename Param> struct ExprOfNumber<Param, true> {
    /// The value as a constant of its type.
    operator Expr() const { // NOLINT(google-explicit-constructor)
        return Expr(static_cast<const Param &>(*this).value());
    }
};

} // namespace detail::generators

/// T is an integer, a float, bool, std::string, Type, Target, LoopLevel, or, with a map from names to values, an
/// enumeration or any other type.
template <typename T>
class GeneratorParam : public detail::generators::ParamMember,
                       public detail::generators::ExprOfNumber<GeneratorParam<T>, std::is_arithmetic_v<T>> {
    static constexpr bool is_text = std::is_same_v<T, std::string>;

  public:
    /// With the value that it has where nothing else is said.
    GeneratorParam(const std::string &name, const T &value) : ParamMember(name), value_(value) {}
    /// A number between two limits; other values throw CompileError [generator-param-value].
    GeneratorParam(const std::string &name, const T &value, const T &min, const T &max)
        : ParamMember(name), value_(value), has_limits_(true), min_(min), max_(max) {
        set(value);
    }
    /// One of the values of a map, set by its name there.
    GeneratorParam(const std::string &name, const T &value, const std::map<std::string, T> &names)
        : ParamMember(name), value_(value), names_(names) {}
    /// With the value as a text.
    template <typename Text, std::enable_if_t<!is_text && std::is_convertible_v<Text, std::string>> * = nullptr>
    GeneratorParam(const std::string &name, const Text &text) : ParamMember(name), value_() {
        set_text(text);
    }

    /// The value.
    const T &value() const { return value_; }
    operator T() const { return value_; } // NOLINT(google-explicit-constructor)

    /// Sets it before generate() runs.
    template <typename U> void set(const U &value) {
        check_settable();
        if constexpr (std::is_convertible_v<U, std::string> && !is_text) {
            set_text(value);
        } else {
            const T own = static_cast<T>(value);
            check_limits(own);
            value_ = own;
        }
    }
    void set_text(const std::string &text) override {
        check_settable();
        const T value = parse(text);
        check_limits(value);
        value_ = value;
    }
    void set_level(const LoopLevel &level) override {
        if constexpr (std::is_same_v<T, LoopLevel>) {
            check_settable();
            value_ = level;
        } else {
            ParamMember::set_level(level);
        }
    }
    std::string text() const override { return text_of(value_); }
    std::string cpp_type() const override;
    std::string cpp_value() const override;

  private:
    static constexpr bool is_int = std::is_integral_v<T> && std::is_signed_v<T> && !std::is_same_v<T, bool>;
    static constexpr bool is_uint = std::is_integral_v<T> && !is_int && !std::is_same_v<T, bool>;

    void check_limits(const T &value) const {
        if constexpr (std::is_arithmetic_v<T>) {
            if (has_limits_ && !(min_ <= value && value <= max_)) {
                refuse_text(text_of(value), "it lies between " + text_of(min_) + " and " + text_of(max_));
            }
        }
    }
    std::string name_list() const {
        std::string list;
        for (const auto &entry : names_) {
            list += (list.empty() ? "" : ", ") + entry.first;
        }
        return list;
    }
    std::string text_of(const T &value) const {
        for (const auto &entry : names_) {
            if constexpr (!std::is_same_v<T, LoopLevel>) {
                if (entry.second == value) {
                    return entry.first;
                }
            }
        }
        if constexpr (std::is_same_v<T, bool>) {
            return value ? "true" : "false";
        } else if constexpr (std::is_integral_v<T>) {
            return std::to_string(value);
        } else if constexpr (std::is_floating_point_v<T>) {
            return detail::generators::float_text(static_cast<double>(value));
        } else if constexpr (std::is_same_v<T, std::string>) {
            return value;
        } else if constexpr (std::is_same_v<T, Type>) {
            return to_string(value);
        } else if constexpr (std::is_same_v<T, Target>) {
            return value.to_string();
        } else if constexpr (std::is_same_v<T, LoopLevel>) {
            return detail::generators::level_text(value);
        } else {
            return "";
        }
    }
    T parse(const std::string &text) const {
        using namespace detail::generators;
        bool is_valid = true;
        if (!names_.empty()) {
            const auto found = names_.find(text);
            if (found == names_.end()) {
                refuse_text(text, "it is one of " + name_list());
            }
            return found->second;
        } else if constexpr (std::is_same_v<T, bool>) {
            if (text != "true" && text != "false" && text != "1" && text != "0") {
                refuse_text(text, "it is true or false");
            }
            return text == "true" || text == "1";
        } else if constexpr (is_int) {
            const int64_t least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
            const int64_t value = parse_int(text, least, most, &is_valid);
            return is_valid ? static_cast<T>(value)
                            : (refuse_text(text, "it is an integer from " + std::to_string(least) + " to " +
                                                     std::to_string(most)),
                               value_);
        } else if constexpr (is_uint) {
            const uint64_t most = std::numeric_limits<T>::max(), value = parse_uint(text, most, &is_valid);
            return is_valid ? static_cast<T>(value)
                            : (refuse_text(text, "it is an integer from 0 to " + std::to_string(most)), value_);
        } else if constexpr (std::is_floating_point_v<T>) {
            const double value = parse_float(text, &is_valid);
            return is_valid ? static_cast<T>(value) : (refuse_text(text, "it is a number"), value_);
        } else if constexpr (std::is_same_v<T, std::string>) {
            return text;
        } else if constexpr (std::is_same_v<T, Type>) {
            const Type type = parse_type(text, &is_valid);
            return is_valid ? type
                            : (refuse_text(text, "it is a type as uint8, int16, float32, bfloat16 or bool"), value_);
        } else if constexpr (std::is_same_v<T, Target>) {
            return Target(text);
        } else if constexpr (std::is_same_v<T, LoopLevel>) {
            if (text == "root") {
                return LoopLevel::root();
            } else if (text == "inlined") {
                return LoopLevel::inlined();
            }
            refuse_text(text, "it is root or inlined; other levels are set in C++, by a stub or set()");
        } else {
            refuse_text(text, "its type has no texts; give the parameter a map from names to values");
        }
    }

    T value_;
    bool has_limits_ = false;
    T min_ = T(), max_ = T();
    std::map<std::string, T> names_;
};

template <typename T> std::string GeneratorParam<T>::cpp_type() const {
    if constexpr (std::is_same_v<T, bool>) {
        return "bool";
    } else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
        return std::is_same_v<T, float> ? "float" : "double";
    } else if constexpr (std::is_integral_v<T>) {
        return (is_int ? "int" : "uint") + std::to_string(8 * sizeof(T)) + "_t";
    } else if constexpr (std::is_same_v<T, Type>) {
        return "Halide::Type";
    } else if constexpr (std::is_same_v<T, LoopLevel>) {
        return "Halide::LoopLevel";
    } else if constexpr (std::is_same_v<T, Target>) {
        return ""; // the context has it
    } else {
        return "std::string"; // names of choices, too
    }
}

template <typename T> std::string GeneratorParam<T>::cpp_value() const {
    if constexpr (std::is_same_v<T, Type>) {
        const char *const codes[] = {"Int", "UInt", "Float", "Handle", "BFloat"};
        return std::string("Halide::") + codes[static_cast<int>(value_.code())] + "(" + std::to_string(value_.bits()) +
               ")";
    } else if constexpr (std::is_same_v<T, LoopLevel>) {
        const std::string text = detail::generators::level_text(value_);
        return text.empty() ? "Halide::LoopLevel()" : "Halide::LoopLevel::" + text + "()";
    } else if constexpr (std::is_arithmetic_v<T>) {
        return "static_cast<" + cpp_type() + ">(" + text() + ")";
    } else {
        return "\"" + text() + "\"";
    }
}

/// The name that parameters of schedules had in 2017.
template <typename T> using ScheduleParam = GeneratorParam<T>;

// Operators on parameters are those on their values, whatever the other operand is. Without them, the conversions to
// the value and to Expr would be ambiguous.
#define FLUORITE_GENERATOR_PARAM_OPERATOR(op)                                                                          \
    template <typename Other, typename T>                                                                              \
    auto operator op(const Other &a, const GeneratorParam<T> &b)->decltype(a op static_cast<T>(b)) {                   \
        return a op static_cast<T>(b);                                                                                 \
    }                                                                                                                  \
    template <typename Other, typename T>                                                                              \
    auto operator op(const GeneratorParam<T> &a, const Other &b)->decltype(static_cast<T>(a) op b) {                   \
        return static_cast<T>(a) op b;                                                                                 \
    }                                                                                                                  \
    template <typename T, typename T2>                                                                                 \
    auto operator op(const GeneratorParam<T> &a, const GeneratorParam<T2> &b)                                          \
        ->decltype(static_cast<T>(a) op static_cast<T2>(b)) {                                                          \
        return static_cast<T>(a) op static_cast<T2>(b);                                                                \
    }
FLUORITE_GENERATOR_PARAM_OPERATOR(+)
FLUORITE_GENERATOR_PARAM_OPERATOR(-)
FLUORITE_GENERATOR_PARAM_OPERATOR(*)
FLUORITE_GENERATOR_PARAM_OPERATOR(/)
FLUORITE_GENERATOR_PARAM_OPERATOR(%)
FLUORITE_GENERATOR_PARAM_OPERATOR(<)
FLUORITE_GENERATOR_PARAM_OPERATOR(<=)
FLUORITE_GENERATOR_PARAM_OPERATOR(>)
FLUORITE_GENERATOR_PARAM_OPERATOR(>=)
FLUORITE_GENERATOR_PARAM_OPERATOR(==)
FLUORITE_GENERATOR_PARAM_OPERATOR(!=)
FLUORITE_GENERATOR_PARAM_OPERATOR(&&)
FLUORITE_GENERATOR_PARAM_OPERATOR(||)
#undef FLUORITE_GENERATOR_PARAM_OPERATOR

/// The negations of the value.
template <typename T> auto operator-(const GeneratorParam<T> &a) -> decltype(-static_cast<T>(a)) {
    return -static_cast<T>(a);
}
template <typename T> auto operator!(const GeneratorParam<T> &a) -> decltype(!static_cast<T>(a)) {
    return !static_cast<T>(a);
}

} // namespace fluorite
