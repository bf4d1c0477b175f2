// iterate(): sweeps under every rule at the boundary, of every rank and type, against loops over buffers and the
// interpreter.
#include "tests/iterate/sweeps.h"

namespace fluorite::sweeps_test {
namespace {

using namespace iterate_support; // NOLINT(google-build-using-namespace)

/// `tile` steps a pass; 0: as the compiler chooses, for a domain that it does not know.
template <typename T>
void expect_sweeps(const std::vector<int> &sizes, Rule rule, const std::vector<int> &counts, int tile) {
    const Buffer<T> input = random_buffer<T>(sizes, 7);
    ImageParam image(input.type(), static_cast<int>(sizes.size()), "image");
    image.set(input);
    Param<int> steps("steps");
    Region domain;
    for (int size : sizes) {
        domain.emplace_back(0, size);
    }
    Iterated f = sweeps(image, steps, rule, tile == 0 ? Region() : domain);
    f.time_tile(tile);
    Looped<T> looped(input, rule);
    for (int count : counts) {
        steps.set(count);
        const std::string what = concat(input.type(), " of rank ", sizes.size(), " and extent ", sizes[0], ", rule ",
                                        static_cast<int>(rule), ", ", count, " steps");
        const Buffer<T> expected = looped.after(count);
        Buffer<T> result(sizes), meaning(sizes);
        f.realize(result);
        expect_same(result, expected, what);
        interpret_into(f, {meaning.raw_buffer()}, contracts());
        expect_same(meaning, expected, what + ", interpreted");
    }
}

TEST(Iterate, EveryRule) {
    for (Rule rule : rules) {
        expect_sweeps<float>({19, 11}, rule, {0, 1, 2, 5, 7}, 3);
        expect_sweeps<float>({7, 5, 6}, rule, {5}, 2);
    }
}

TEST(Iterate, EveryRank) {
    expect_sweeps<float>({37}, Rule::Mirror, {0, 1, 2, 5, 7}, 3);
    expect_sweeps<float>({37}, Rule::Edge, {3}, 1);
    expect_sweeps<float>({4, 3, 2, 5}, Rule::Wrap, {0, 3}, 1);
    expect_sweeps<float>({4, 3, 2, 5}, Rule::Edge, {4}, 2);
}

TEST(Iterate, ChosenByTheCompiler) { expect_sweeps<float>({67, 140}, Rule::Edge, {0, 1, 2, 5, 7, 13}, 0); }

TEST(Iterate, TinyGrids) {
    expect_sweeps<float>({1}, Rule::Wrap, {0, 3}, 2);
    expect_sweeps<float>({1, 1}, Rule::MirrorInterior, {3}, 2);
    expect_sweeps<float>({2, 1, 3}, Rule::Mirror, {3}, 2);
    expect_sweeps<float>({1, 1, 1, 1}, Rule::Zero, {1}, 1);
}

/// One compiled program for sizes that it learns at run time: rows shorter than a vector, of whole vectors, and longer,
/// with numbers of rows that four at a time do not divide.
void expect_any_sizes(Rule rule, int rank, const std::vector<std::vector<int>> &sizes) {
    ImageParam image(Float(32), rank, "image"), before(Float(32), rank, "before");
    Param<int> steps("steps");
    Iterated f = sweeps(image, steps, rule);
    f.time_tile(3);
    Func sweep = stencil(star(rank), mean, before, boundary_of(rule, Float(32)));
    for (const std::vector<int> &size : sizes) {
        Buffer<float> expected = random_buffer<float>(size, 11);
        image.set(expected);
        for (int count = 1; count <= 13; count++) {
            before.set(expected);
            Buffer<float> next(size);
            sweep.realize(next);
            expected = next;
            if (count == 1 || count == 5 || count == 13) {
                steps.set(count);
                Buffer<float> result(size);
                f.realize(result);
                expect_same(result, expected, concat(size[0], " x ", size[1], ", ", count, " steps"));
            }
        }
    }
}

TEST(Iterate, SizesThatAreKnownAtRunTimeOnly) {
    expect_any_sizes(Rule::Edge, 2, {{1, 1}, {7, 3}, {15, 6}, {16, 5}, {17, 1}, {33, 21}, {64, 130}, {70, 67}});
    expect_any_sizes(Rule::Wrap, 2, {{15, 6}, {16, 5}, {31, 4}, {70, 67}});
    expect_any_sizes(Rule::Mirror, 3, {{5, 3, 2}, {16, 2, 3}, {19, 5, 7}, {33, 70, 5}});
}

TEST(Iterate, EveryType) {
    expect_sweeps<uint8_t>({23, 5}, Rule::Edge, {5}, 3);
    expect_sweeps<int8_t>({23, 5}, Rule::Wrap, {5}, 1);
    expect_sweeps<uint16_t>({23, 5}, Rule::Mirror, {5}, 1);
    expect_sweeps<int16_t>({23, 5}, Rule::Zero, {5}, 2);
    expect_sweeps<uint32_t>({23, 5}, Rule::Edge, {5}, 1);
    expect_sweeps<int32_t>({23, 5}, Rule::Constant, {5}, 1);
    expect_sweeps<uint64_t>({23, 5}, Rule::Edge, {5}, 1);
    expect_sweeps<int64_t>({23, 5}, Rule::MirrorInterior, {5}, 2);
    expect_sweeps<double>({23, 5}, Rule::Edge, {5}, 2);
}

} // namespace
} // namespace fluorite::sweeps_test
