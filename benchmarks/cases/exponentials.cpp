// Pipelines of many exponentials on float32: a bilateral filter, and the softmax of rows.
#include "batch.h"

using namespace Halide;

namespace {

/// Weights of 5x5 neighbours fall with their distance and with the difference of values.
struct Bilateral {
    Var x{"x"}, y{"y"};
    RDom r{-2, 5, -2, 5};
    Func sums{"sums"}, out{"bilateral"};

    explicit Bilateral(const Buffer<float> &in) {
        const Func source = BoundaryConditions::repeat_edge(in);
        const Expr value = source(x + r.x, y + r.y), difference = value - source(x, y);
        const Expr distance = cast<float>(r.x * r.x + r.y * r.y);
        const Expr weight = exp(-distance * 0.125f - difference * difference * 12.5f);
        sums(x, y) = Tuple(0.0f, 0.0f);
        sums(x, y) = Tuple(sums(x, y)[0] + weight * value, sums(x, y)[1] + weight);
        out(x, y) = sums(x, y)[0] / sums(x, y)[1];
        out.vectorize(x, 8);
    }
};

struct Softmax {
    Var x{"x"}, y{"y"};
    RDom r;
    Func greatest{"greatest"}, exponential{"exponential"}, sum{"sum"}, out{"softmax"};

    explicit Softmax(const Buffer<float> &in) : r(0, in.width()) {
        greatest(y) = in(0, y);
        greatest(y) = max(greatest(y), in(r, y));
        exponential(x, y) = exp(in(x, y) - greatest(y));
        sum(y) = 0.0f;
        sum(y) += exponential(r, y);
        out(x, y) = exponential(x, y) / sum(y);
        out.vectorize(x, 8);
    }
};

} // namespace

int main() {
    bench::Batch batch;
    const Buffer<float> image = bench::random_buffer<float>({512, 512}, 65536, 1.0 / 65536);
    const Buffer<float> rows = bench::random_buffer<float>({512, 256}, 65536, 10.0 / 65536, -5);
    const bench::Tolerance sums = {2e-5}; // of some hundred terms

    Bilateral in_vectors(image), in_rows(image);
    in_vectors.sums.compute_at(in_vectors.out, in_vectors.x).vectorize(in_vectors.x, 8);
    in_vectors.sums.update().vectorize(in_vectors.x, 8).unroll(in_vectors.r.x);
    batch.add("bilateral_by_vectors", in_vectors.out, Buffer<float>(512, 512), 1, sums);
    in_rows.sums.compute_at(in_rows.out, in_rows.y).vectorize(in_rows.x, 8);
    in_rows.sums.update().reorder(in_rows.x, in_rows.r.x, in_rows.r.y).vectorize(in_rows.x, 8);
    batch.add("bilateral_by_rows", in_rows.out, Buffer<float>(512, 512), 1, sums);

    Softmax plain(rows), by_lanes(rows), inlined(rows);
    for (Softmax *softmax : {&plain, &by_lanes}) {
        softmax->greatest.compute_at(softmax->out, softmax->y);
        softmax->exponential.compute_at(softmax->out, softmax->y).vectorize(softmax->x, 8);
        softmax->sum.compute_at(softmax->out, softmax->y);
    }
    batch.add("softmax", plain.out, Buffer<float>(512, 256), 8, sums);
    by_lanes.greatest.update().atomic().vectorize(by_lanes.r, 8);
    by_lanes.sum.update().atomic().vectorize(by_lanes.r, 8);
    batch.add("softmax_by_lanes", by_lanes.out, Buffer<float>(512, 256), 8, sums);
    inlined.greatest.compute_at(inlined.out, inlined.y);
    inlined.sum.compute_at(inlined.out, inlined.y);
    batch.add("softmax_inlined", inlined.out, Buffer<float>(512, 256), 8, sums);
    return batch.serve();
}
