// Elements of an Input that is an array of numbers are operands.
#include <Halide.h>

#include <stdio.h>

using namespace Halide;

class SumOfInputs : public Generator<SumOfInputs> {
  public:
    Input<int32_t[3]> k{"k"};
    Output<Buffer<int32_t, 1>> out{"out"};
    void generate() {
        Var x;
        out(x) = (k[0] + k[1]) * 10 - k[2] / 2 + x;
    }
};
HALIDE_REGISTER_GENERATOR(SumOfInputs, sum_of_inputs)

int main() {
    Callable sum = create_callable_from_generator(get_host_target(), "sum_of_inputs", {});
    Buffer<int32_t> out(3);
    if (sum(1, 2, 9, out) != 0 || out(0) != 26 || out(2) != 28) {
        printf("wrong values: %d %d\n", out(0), out(2));
        return 1;
    }
    printf("Success!\n");
    return 0;
}
