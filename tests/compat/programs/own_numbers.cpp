// A program's own numbers beside the library's: complex numbers and numbers with a derivative, both implicitly made of
// an Expr. Operators and functions of two Exprs remain the library's.
#include "Halide.h"

#include <cmath>
#include <cstdio>

using namespace Halide;

namespace {

struct Complex {
    Expr re, im;
    Complex(const Expr &real) : re(real), im(0.0f) {}
    Complex(const Expr &real, const Expr &imaginary) : re(real), im(imaginary) {}
    explicit Complex(const FuncRef &ref) : re(ref[0]), im(ref[1]) {}
    operator Tuple() const { return Tuple(re, im); }
};
Complex operator+(const Complex &a, const Complex &b) { return {a.re + b.re, a.im + b.im}; }
Complex operator-(const Complex &a, const Complex &b) { return {a.re - b.re, a.im - b.im}; }
Complex operator-(const Complex &a) { return {-a.re, -a.im}; }
Complex operator*(const Complex &a, const Complex &b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
Complex operator*(const Complex &a, Expr b) { return {a.re * b, a.im * b}; }
Complex operator*(Expr a, const Complex &b) { return b * a; }
Complex operator/(const Complex &a, Expr b) { return {a.re / b, a.im / b}; }
Complex exp(const Complex &a) { return Complex(cos(a.im), sin(a.im)) * exp(a.re); }
Expr abs(const Complex &a) { return sqrt(a.re * a.re + a.im * a.im); }
Complex select(Expr condition, const Complex &a, const Complex &b) {
    return {select(condition, a.re, b.re), select(condition, a.im, b.im)};
}

/// A value and its derivative, also made of C++ numbers.
struct Dual {
    Expr value, slope;
    Dual(float number) : value(number), slope(0.0f) {}
    Dual(Expr constant, Expr derivative = 0.0f) : value(constant), slope(derivative) {}
};
Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.slope + b.slope}; }
Dual operator*(Dual a, Dual b) { return {a.value * b.value, a.slope * b.value + a.value * b.slope}; }
Dual operator/(Dual a, Dual b) {
    return {a.value / b.value, (a.slope * b.value - a.value * b.slope) / (b.value * b.value)};
}
Expr operator<(Dual a, Dual b) { return a.value < b.value; }
Dual sin(Dual a) { return {sin(a.value), cos(a.value) * a.slope}; }
Dual power(Dual a, int n) { return {pow(a.value, n), pow(a.value, n - 1) * float(n) * a.slope}; }

bool near(float a, double b) { return std::fabs(a - b) < 1e-5 * (1 + std::fabs(b)); }

} // namespace

int main() {
    Var x("x");
    Param<float> p;
    p.set(0.5f);
    const Expr t = cast<float>(x) * 0.25f, u = t + 1.0f, v = 2.0f * u - t / 3 + u % 2.0f;
    const Complex z(t, u);
    const Complex w = select(x % 2 == 0, exp(z) * z + u, -z / u - 2.0f * z) * p + t * z;
    Func f("f");
    f(x) = w + Complex(v, -t);
    Func length("length");
    length(x) = abs(Complex(f(x)));

    const Dual d(t, 1.0f);
    const Dual e = power(d, 3) / (d + 2.0f) + 3.0f * sin(d * d);
    Func g("g");
    g(x) = Tuple(e.value, select(e < 1.0f, e.slope, -e.slope));

    const Buffer<float> lengths = length.realize({16});
    const Realization parts = g.realize({16});
    const Buffer<float> values = parts[0], slopes = parts[1];
    for (int i = 0; i < 16; i++) {
        const double a = i * 0.25, b = a + 1, c = 2 * b - a / 3 + std::fmod(b, 2);
        double re = std::exp(a) * std::cos(b), im = std::exp(a) * std::sin(b);
        const double even_re = re * a - im * b + b, even_im = re * b + im * a;
        re = (i % 2 == 0 ? even_re : -a / b - 2 * a) / 2 + a * a + c;
        im = (i % 2 == 0 ? even_im : -b / b - 2 * b) / 2 + a * b - a;
        const double value = a * a * a / (a + 2) + 3 * std::sin(a * a);
        const double slope = (3 * a * a * (a + 2) - a * a * a) / ((a + 2) * (a + 2)) + 6 * a * std::cos(a * a);
        const bool is_sure = std::fabs(value - 1) > 1e-4;
        if (!near(lengths(i), std::sqrt(re * re + im * im)) || !near(values(i), value) ||
            (is_sure && !near(slopes(i), value < 1 ? slope : -slope))) {
            std::printf("Wrong at %d: %g, %g, %g\n", i, lengths(i), values(i), slopes(i));
            return 1;
        }
    }
    std::printf("Success!\n");
    return 0;
}
