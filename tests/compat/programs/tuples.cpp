// Tuples: as values, in reductions, argmax by hand and built in, struct-like wrappers, complex numbers.
#include <Halide.h>

#include <algorithm>
#include <stdio.h>

using namespace Halide;

template <typename FuncOrExpr> struct Complex {
    FuncOrExpr real, imag;
    explicit Complex(Tuple t) : real(t[0]), imag(t[1]) {}
    Complex(FuncOrExpr r, FuncOrExpr i) : real(r), imag(i) {}
    Complex(FuncRef t) : Complex(Tuple(t)) {}
    operator Tuple() const { return {real, imag}; }
    Complex operator+(const Complex &other) const { return {real + other.real, imag + other.imag}; }
    Complex operator*(const Complex &other) const {
        return {real * other.real - imag * other.imag, real * other.imag + imag * other.real};
    }
    FuncOrExpr magnitude_squared() const { return real * real + imag * imag; }
};

int main() {
    Var x("x"), y("y"), t("t");
    Func multi_valued("multi_valued");
    multi_valued(x, y) = {x + y, sin(x * y)};
    {
        Realization r = multi_valued.realize({80, 60});
        if (r.size() != 2) {
            return 1;
        }
        Buffer<int> im0 = r[0];
        Buffer<float> im1 = r[1];
        if (im0(30, 40) != 30 + 40 || std::abs(im1(3, 4) - sinf(12)) > 1e-4f) {
            printf("%d %f\n", im0(30, 40), im1(3, 4));
            return 2;
        }
    }
    Func input_func("input_func");
    input_func(x) = sin(x);
    Buffer<float> input = input_func.realize({100});
    Func arg_max("arg_max");
    arg_max() = {0, input(0)};
    RDom r(1, 99);
    Expr old_index = arg_max()[0];
    Expr old_max = arg_max()[1];
    Expr new_index = select(old_max < input(r), r, old_index);
    Expr new_max = max(input(r), old_max);
    arg_max() = {new_index, new_max};
    int arg_max_0 = 0;
    float arg_max_1 = input(0);
    for (int i = 1; i < 100; i++) {
        if (arg_max_1 < input(i)) {
            arg_max_0 = i;
            arg_max_1 = input(i);
        }
    }
    {
        Realization m = arg_max.realize();
        Buffer<int> m0 = m[0];
        Buffer<float> m1 = m[1];
        if (m0(0) != arg_max_0 || m1(0) != arg_max_1) {
            printf("argmax %d %f\n", m0(0), m1(0));
            return 3;
        }
        Func built_in("built_in");
        RDom all(0, 100);
        built_in() = argmax(input(all));
        Realization q = built_in.realize();
        Buffer<int> q0 = q[0];
        if (q0() != arg_max_0) {
            return 4;
        }
    }
    // The Mandelbrot set with a Tuple scan over t.
    Func mandelbrot("mandelbrot");
    Complex<Expr> initial(x / 15.0f - 2.5f, y / 6.0f - 2.0f);
    mandelbrot(x, y, t) = Complex<Expr>(0.0f, 0.0f);
    RDom steps(1, 12);
    Complex<Expr> current = mandelbrot(x, y, steps - 1);
    mandelbrot(x, y, steps) = current * current + initial;
    Expr escape = Complex<Expr>(mandelbrot(x, y, steps)).magnitude_squared() < 16.0f;
    Func count("count");
    Tuple first = argmin(escape);
    count(x, y) = first[0];
    Buffer<int> result = count.realize({61, 25});
    for (int j = 0; j < 25; j++) {
        for (int i = 0; i < 61; i++) {
            float re = 0, im = 0, cr = i / 15.0f - 2.5f, ci = j / 6.0f - 2.0f;
            int want = 0; // if no value is below the initial value of argmin
            for (int k = 1; k < 13; k++) {
                float nr = re * re - im * im + cr, ni = 2 * re * im + ci;
                re = nr, im = ni;
                if (!(re * re + im * im < 16.0f)) {
                    want = k;
                    break;
                }
            }
            if (result(i, j) != want) {
                printf("mandelbrot(%d, %d) = %d instead of %d\n", i, j, result(i, j), want);
                return 5;
            }
        }
    }
    return 0;
}
