#pragma once
// An arithmetic for the kernels of fluorite/runtime/math_kernels.h whose values are names of variables of OpenCL C:
// each operation appends the definition of a variable. A definition that is there already is used again.

#include "backends/c_text/c_text.h"
#include "support/check.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace fluorite::backends::c_text {

class TextMath;

template <typename T> struct TextValue {
    const TextMath *math;
    std::string name; // or a constant
};

class TextMath {
  public:
    using Single = TextValue<float>;
    using Double = TextValue<double>;
    using Int = TextValue<int32_t>;
    using Long = TextValue<int64_t>;
    using Bool = TextValue<bool>;

    template <typename T> TextValue<T> parameter(const std::string &name) const { return {this, name}; }
    /// The definitions so far.
    const std::string &text() const { return text_; }

    template <typename T> TextValue<T> define(const std::string &expression) const {
        const std::string definition = concat(type_name<T>(), " = ", expression);
        const auto [known, is_new] = names_.try_emplace(definition, concat("t", names_.size()));
        if (is_new) {
            text_ += concat("    const ", type_name<T>(), " ", known->second, " = ", expression, ";\n");
        }
        return {this, known->second};
    }

    Single single(float value) const { return {this, text_of(value)}; }
    std::optional<float> known(const Single & /*x*/) const { return std::nullopt; }
    Double number(double value) const { return {this, text_of(value)}; }
    template <typename T> T add_exact_product(const T &a, const T &b, const T &c) const { return a * b + c; }
    /// Whether a device has an instruction for it is known only where the program is built.
    std::optional<Double> fused(const Double & /*a*/, const Double & /*b*/, const Double & /*c*/) const {
        return std::nullopt;
    }
    Double widen(const Single &x) const { return define<double>("(double)" + x.name); }
    Single narrow(const Double &x) const { return define<float>("(float)" + x.name); }
    Double to_double(const Int &x) const { return define<double>("(double)" + x.name); }
    Single to_single(const Int &x) const { return define<float>("(float)" + x.name); }
    Int bits(const Single &x) const { return define<int32_t>(concat("as_int(", x.name, ")")); }
    Long bits(const Double &x) const { return define<int64_t>(concat("as_long(", x.name, ")")); }
    Single from_bits(const Int &x) const { return define<float>(concat("as_float(", x.name, ")")); }
    Double from_bits(const Long &x) const { return define<double>(concat("as_double(", x.name, ")")); }
    Int constant(int32_t value) const { return {this, text_of_int(fluorite::Int(32), value)}; }
    Long constant(int64_t value) const { return {this, text_of_int(fluorite::Int(64), value)}; }

    template <typename T> TextValue<T> plus(const TextValue<T> &a, const TextValue<T> &b) const {
        return wrapping(a, "+", b);
    }
    template <typename T> TextValue<T> minus(const TextValue<T> &a, const TextValue<T> &b) const {
        return wrapping(a, "-", b);
    }
    template <typename T> TextValue<T> product(const TextValue<T> &a, const TextValue<T> &b) const {
        return wrapping(a, "*", b);
    }
    template <typename T> TextValue<T> both_bits(const TextValue<T> &a, const TextValue<T> &b) const {
        return infix<T>(a, "&", b);
    }
    template <typename T> TextValue<T> other_bits(const TextValue<T> &a, const TextValue<T> &b) const {
        return infix<T>(a, "^", b);
    }
    template <typename T> TextValue<T> either_bits(const TextValue<T> &a, const TextValue<T> &b) const {
        return infix<T>(a, "|", b);
    }
    template <typename T> TextValue<T> left(const TextValue<T> &a, int by) const {
        return define<T>(concat("(", type_name<T>(), ")((u", type_name<T>(), ")", a.name, " << ", by, ")"));
    }
    /// Shifts in copies of the sign.
    Int right(const Int &a, int by) const { return define<int32_t>(concat(a.name, " >> ", by)); }
    /// Shifts in zeros.
    Long right(const Long &a, int by) const {
        return define<int64_t>(concat("(long)((ulong)", a.name, " >> ", by, ")"));
    }
    template <typename T> Bool is_zero(const TextValue<T> &a) const { return define<bool>(a.name + " == 0"); }
    Bool is_less(const Int &a, const Int &b) const { return infix<bool>(a, "<", b); }
    template <typename T> T abs(const T &x) const { return call("fabs", x); }
    Double sqrt(const Double &x) const { return call("sqrt", x); }
    Bool both(const Bool &a, const Bool &b) const { return infix<bool>(a, "&&", b); }
    Bool either(const Bool &a, const Bool &b) const { return infix<bool>(a, "||", b); }
    Bool negate(const Bool &a) const { return define<bool>("!" + a.name); }
    template <typename T>
    TextValue<T> select(const Bool &condition, const TextValue<T> &yes, const TextValue<T> &no) const {
        return define<T>(concat(condition.name, " ? ", yes.name, " : ", no.name));
    }

    template <typename Result, typename T>
    TextValue<Result> infix(const TextValue<T> &a, const char *sign, const TextValue<T> &b) const {
        return define<Result>(concat(a.name, " ", sign, " ", b.name));
    }

  private:
    template <typename T> static const char *type_name() {
        if constexpr (std::is_same_v<T, float>) {
            return "float";
        } else if constexpr (std::is_same_v<T, double>) {
            return "double";
        } else if constexpr (std::is_same_v<T, int32_t>) {
            return "int";
        } else if constexpr (std::is_same_v<T, int64_t>) {
            return "long";
        } else {
            static_assert(std::is_same_v<T, bool>);
            return "bool";
        }
    }
    template <typename T> TextValue<T> call(const char *function, const TextValue<T> &x) const {
        return define<T>(concat(function, "(", x.name, ")"));
    }
    template <typename T> TextValue<T> wrapping(const TextValue<T> &a, const char *sign, const TextValue<T> &b) const {
        const std::string type = type_name<T>();
        return define<T>(concat("(", type, ")((u", type, ")", a.name, " ", sign, " (u", type, ")", b.name, ")"));
    }

    mutable std::string text_;
    mutable std::unordered_map<std::string, std::string> names_;
};

template <typename T> TextValue<T> operator+(const TextValue<T> &a, const TextValue<T> &b) {
    return a.math->template infix<T>(a, "+", b);
}
template <typename T> TextValue<T> operator-(const TextValue<T> &a, const TextValue<T> &b) {
    return a.math->template infix<T>(a, "-", b);
}
template <typename T> TextValue<T> operator*(const TextValue<T> &a, const TextValue<T> &b) {
    return a.math->template infix<T>(a, "*", b);
}
template <typename T> TextValue<T> operator/(const TextValue<T> &a, const TextValue<T> &b) {
    return a.math->template infix<T>(a, "/", b);
}
template <typename T> TextValue<bool> operator<(const TextValue<T> &a, const TextValue<T> &b) {
    return a.math->template infix<bool>(a, "<", b);
}
template <typename T> TextValue<bool> operator>(const TextValue<T> &a, const TextValue<T> &b) {
    return a.math->template infix<bool>(a, ">", b);
}
template <typename T> TextValue<bool> operator==(const TextValue<T> &a, const TextValue<T> &b) {
    return a.math->template infix<bool>(a, "==", b);
}

} // namespace fluorite::backends::c_text
