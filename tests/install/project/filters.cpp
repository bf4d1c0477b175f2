#include <Halide.h>

using namespace Halide;

class Blur : public Generator<Blur> {
  public:
    GeneratorParam<bool> vectorized{"vectorized", true};
    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};
    Var x, y;
    Func rows;
    void generate() {
        Func in = BoundaryConditions::repeat_edge(input);
        rows(x, y) = (cast<uint16_t>(in(x - 1, y)) + 2 * cast<uint16_t>(in(x, y)) + in(x + 1, y)) / 4;
        output(x, y) = cast<uint8_t>((rows(x, y - 1) + 2 * rows(x, y) + rows(x, y + 1)) / 4);
    }
    void schedule() {
        rows.compute_at(output, y);
        if (vectorized) {
            output.vectorize(x, natural_vector_size<uint8_t>());
            rows.vectorize(x, natural_vector_size<uint16_t>());
        }
    }
};

class Sharpen : public Generator<Sharpen> {
  public:
    GeneratorParam<int> amount{"amount", 1, 0, 8};
    Input<Buffer<void, 2>> input{"input"};
    Input<int> bias{"bias", 2, -10, 10};
    Output<Buffer<uint8_t, 2>> output{"output"};
    void generate() {
        Var x, y;
        Func in = BoundaryConditions::repeat_edge(input);
        Expr centre = cast<int>(in(x, y));
        Expr detail = 2 * centre - cast<int>(in(x - 1, y)) - cast<int>(in(x + 1, y));
        output(x, y) = cast<uint8_t>(clamp(centre + bias + amount * detail / 4, 0, 255));
        input.set_estimates({{0, 640}, {0, 480}});
        bias.set_estimate(3);
        output.set_estimates({{0, 640}, {0, 480}});
    }
};

/// Allocates on the heap, outside of its parallel loop and in each of its tasks.
class TwoStages : public Generator<TwoStages> {
  public:
    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};
    void generate() {
        Var x, y;
        Func in = BoundaryConditions::repeat_edge(input), whole("whole"), rows("rows");
        whole(x, y) = in(x, y) / 2 + in(x, y + 1) / 2;
        rows(x, y) = whole(x, y) / 2 + whole(x + 1, y) / 2;
        output(x, y) = rows(x, y) / 2 + rows(x, y - 1) / 2;
        whole.compute_root().store_in(MemoryType::Heap);
        rows.compute_at(output, y).store_in(MemoryType::Heap);
        output.parallel(y);
    }
};

HALIDE_REGISTER_GENERATOR(Blur, blur)
HALIDE_REGISTER_GENERATOR(Sharpen, sharpen)
HALIDE_REGISTER_GENERATOR(TwoStages, two_stages)
