// Accesses to memory by form: tables, interleaved channels, strides, transposes, sums.
#include "batch.h"

using namespace Halide;

namespace {

constexpr int width = 1536, height = 512;
Var x("x"), y("y"), c("c"), xi("xi"), yi("yi");

template <typename Entry, typename Index> void add_table(bench::Batch &batch, const char *name, int lanes, int size) {
    const Buffer<Entry> table = bench::random_buffer<Entry>({size}, 250);
    const Buffer<Index> in = bench::random_buffer<Index>({width, height}, static_cast<std::uint32_t>(size));
    Func f(name);
    f(x, y) = table(clamp(cast<int>(in(x, y)), 0, size - 1));
    f.vectorize(x, lanes);
    batch.add(name, f, Buffer<Entry>(width, height), 4);
}

void add_channels(bench::Batch &batch) {
    const Buffer<std::uint8_t> planar = bench::random_buffer<std::uint8_t>({width, height, 3}, 256);
    Buffer<std::uint8_t> mixed = Buffer<std::uint8_t>::make_interleaved(width, height, 3);
    bench::fill(mixed.data(), mixed.number_of_elements(), 256);
    Func mix("mix"), part("part"), gray("gray");
    mix(x, y, c) = planar(x, y, c);
    mix.output_buffer().dim(0).set_stride(3).dim(2).set_stride(1).set_bounds(0, 3);
    part(x, y, c) = mixed(x, y, c);
    for (Func f : {mix, part}) {
        f.reorder(c, x, y).bound(c, 0, 3).unroll(c).vectorize(x, 16);
    }
    const auto channel = [&](int i) { return cast<std::uint16_t>(mixed(x, y, i)); };
    gray(x, y) = cast<std::uint8_t>((channel(0) * 77 + channel(1) * 151 + channel(2) * 28) >> 8);
    gray.vectorize(x, 32);
    batch.add("interleave", mix, Buffer<std::uint8_t>::make_interleaved(width, height, 3), 4);
    batch.add("deinterleave", part, Buffer<std::uint8_t>(width, height, 3), 4);
    batch.add("gray_of_interleaved", gray, Buffer<std::uint8_t>(width, height), 4);
}

void add_transpose(bench::Batch &batch) {
    const Buffer<float> in = bench::random_buffer<float>({width, width}, 256);
    Func transposed("transposed"), block("block");
    block(x, y) = in(y, x);
    transposed(x, y) = block(x, y);
    transposed.tile(x, y, xi, yi, 8, 8).vectorize(xi).unroll(yi);
    block.compute_at(transposed, x).reorder_storage(y, x).vectorize(y).unroll(x);
    batch.add("transpose", transposed, Buffer<float>(width, width), 2);
}

void add_sums(bench::Batch &batch) {
    const Buffer<std::uint8_t> bytes = bench::random_buffer<std::uint8_t>({width, height}, 256);
    const Buffer<std::int16_t> a = bench::random_buffer<std::int16_t>({width, height}, 256),
                               b = bench::random_buffer<std::int16_t>({width}, 256);
    const Buffer<std::int8_t> weights = bench::random_buffer<std::int8_t>({width}, 100);
    RDom r(0, width);
    const auto add = [&](const char *name, const Expr &term, int lanes) {
        Func sum(name);
        sum(y) = cast(term.type(), 0);
        sum(y) += term;
        sum.update().atomic().vectorize(r, lanes);
        batch.add(name, sum, Buffer<std::int32_t>(height), 8);
    };
    add("sum_of_bytes", cast<std::int32_t>(bytes(r, y)), 32);
    add("dot_of_shorts", cast<std::int32_t>(a(r, y)) * b(r), 32);
    add("dot_of_bytes", cast<std::int32_t>(bytes(r, y)) * cast<std::int32_t>(weights(r)), 64);
}

} // namespace

int main() {
    bench::Batch batch;
    add_table<std::uint8_t, std::uint8_t>(batch, "table_u8_u8", 32, 256);
    add_table<std::uint8_t, std::uint16_t>(batch, "table_u8_u16", 16, 1024);
    add_table<std::uint16_t, std::uint16_t>(batch, "table_u16_u16", 32, 1024);
    add_table<float, std::uint8_t>(batch, "table_f32_u8", 8, 256);
    add_channels(batch);
    add_transpose(batch);
    add_sums(batch);
    return batch.serve();
}
