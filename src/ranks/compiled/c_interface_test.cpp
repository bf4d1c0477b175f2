// The C interface of pipelines on ranks, with a segment that is written by hand: out(x) = in(x - 1) + in(x + 1) + gain,
// where coordinates outside of the image are those at its edges.
#include "fluorite/runtime/checks.h"
#include "fluorite/runtime_ranks.h"
#include "ranks/compiled/description.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <functional>
#include <gtest/gtest.h>

namespace fluorite::distribute::c_interface_test {
namespace {

/// segment(context, in, extent of the whole in, gain, out)
int segment(void **args) {
    auto *in = static_cast<fluorite_buffer_t *>(args[1]), *out = static_cast<fluorite_buffer_t *>(args[4]);
    const int last = *static_cast<const int32_t *>(args[2]) - 1, gain = *static_cast<const int32_t *>(args[3]);
    const int begin = out->dim[0].min, end = begin + out->dim[0].extent;
    const auto inside = [&](int x) { return std::clamp(x, 0, last); };
    if (gain == 13) {
        return fluorite_error(*static_cast<void **>(args[0]), fluorite_error_code_requirement_failed, "13 [unlucky]");
    }
    if (!in->host) {
        in->dim[0] = {inside(begin - 1), inside(end) - inside(begin - 1) + 1, 1};
        return 0;
    }
    for (int x = begin; x < end; x++) {
        const int at[] = {inside(x - 1), inside(x + 1)};
        int32_t values[2];
        for (int i = 0; i < 2; i++) {
            if (at[i] < in->dim[0].min || at[i] >= in->dim[0].min + in->dim[0].extent) {
                return fluorite_error(nullptr, -1, "a halo is missing [test]");
            }
            values[i] = *reinterpret_cast<int32_t *>(in->address_of(&at[i])); // NOLINT
        }
        *reinterpret_cast<int32_t *>(out->address_of(&x)) = values[0] + values[1] + gain; // NOLINT
    }
    return 0;
}

const std::string &text() {
    static const std::string made = [] {
        ProgramDescription program;
        program.name = "sums";
        const fluorite_type_t type(fluorite_type_int, 32);
        program.arrays = {{"in", Array::Role::Input, type, 1, {}, {}, 0, true, false},
                          {"out", Array::Role::Output, type, 1, {}, {}, 1, false, false}};
        program.arguments = {{"in", false, 0, {}, false}, {"gain", true, 0, type, false}, {"out", false, 1, {}, false}};
        program.fields = {{0, DescribedField::Kind::Extent, 0}};
        using Kind = DescribedOperand::Kind;
        program.segments = {
            {"out",
             {0},
             {1},
             {{Kind::Context, 0}, {Kind::Array, 0}, {Kind::Field, 0}, {Kind::Scalar, 1}, {Kind::Array, 1}}}};
        return to_text(program);
    }();
    return made;
}

/// What a compiled object has: sums(in, gain, out).
int sums_argv(void **args) {
    void *operands[] = {args[0], args[1], args[2], reinterpret_cast<void *>(segment)}; // NOLINT
    return fluorite_distributed_run(nullptr, text().c_str(), operands);
}

constexpr int extent = 20;

struct Size {
    fluorite_dimension_t dim{0, extent, 1};
    fluorite_buffer_t buffer{};

    explicit Size(int size = extent, int bits = 32) {
        dim.extent = size;
        buffer.type = fluorite_type_t(fluorite_type_int, static_cast<uint8_t>(bits));
        buffer.dimensions = 1;
        buffer.dim = &dim;
    }
};

/// An image of a line, cut among the ranks.
class Line {
  public:
    explicit Line(const char *name, const Size &size = Size()) {
        const int32_t dimension = 0;
        const fluorite_placement_t placement = {1, &dimension, nullptr, nullptr};
        code = fluorite_rank_image_new(nullptr, name, &size.buffer, &placement, &image);
    }
    ~Line() { fluorite_rank_image_free(image); }
    Line(const Line &) = delete;
    Line &operator=(const Line &) = delete;

    fluorite_buffer_t *buffer() const { return fluorite_rank_image_buffer(image); }
    int begin() const { return fluorite_rank_image_part(image)->min; }
    int end() const { return begin() + fluorite_rank_image_part(image)->extent; }
    int32_t &at(int x) const { return *reinterpret_cast<int32_t *>(buffer()->address_of(&x)); } // NOLINT
    int allocate() const { return fluorite_rank_image_allocate(nullptr, image); }
    void fill(const std::function<int(int)> &value) const {
        for (int x = begin(); x < end(); x++) {
            at(x) = value(x);
        }
    }
    int wrong(const std::function<int(int)> &value) const {
        int count = 0;
        for (int x = begin(); x < end(); x++) {
            count += at(x) != value(x) ? 1 : 0;
        }
        return count;
    }

    int code = -1;
    fluorite_rank_image_t *image = nullptr;
};

int sums(fluorite_buffer_t *in, int32_t gain, fluorite_buffer_t *out) {
    void *args[] = {in, &gain, out};
    return sums_argv(args);
}

int run_on_ranks(int count, std::function<int()> body) {
    return fluorite_run_on_ranks(
        nullptr, count, [](void *data) { return (*static_cast<std::function<int()> *>(data))(); }, &body);
}

int square(int x) { return x * x; }
int expected(int x) { return square(std::max(x - 1, 0)) + square(std::min(x + 1, extent - 1)) + 7; }

class RankImages : public testing::Test {
  protected:
    int prints_ = fluorite_print_errors(0);
    ~RankImages() override { fluorite_print_errors(prints_); }

    static void expect_last(const std::string &message) { EXPECT_EQ(fluorite_last_error_message(), message); }
};

TEST_F(RankImages, PipelinesAskForHalosAndRun) {
    for (const int count : {1, 2, 3, 7, 20, 23}) {
        std::atomic<int> points = 0;
        EXPECT_EQ(run_on_ranks(count,
                               [&] {
                                   const Line in("in"), out("out");
                                   EXPECT_EQ(in.code, 0);
                                   const int part = in.end() - in.begin();
                                   EXPECT_EQ(sums(in.buffer(), 7, out.buffer()), 0);
                                   const int halo =
                                       part == 0 ? 0 : (in.begin() > 0 ? 1 : 0) + (in.end() < extent ? 1 : 0);
                                   EXPECT_EQ(in.buffer()->dim[0].extent, part + halo);
                                   EXPECT_EQ(in.allocate() + out.allocate(), 0);
                                   in.fill(square);
                                   EXPECT_EQ(sums(in.buffer(), 7, out.buffer()), 0);
                                   EXPECT_EQ(out.wrong(expected), 0);
                                   points += out.end() - out.begin();
                                   return 0;
                               }),
                  0);
        EXPECT_EQ(points, extent);
    }
}

TEST_F(RankImages, MemoryMayBeTheCallersAndOutputsWhole) {
    EXPECT_EQ(run_on_ranks(3,
                           [] {
                               const Line in("in");
                               int32_t rows[2 * extent] = {}, result[extent] = {};
                               in.buffer()->host = reinterpret_cast<uint8_t *>(&rows[2 * in.begin()]); // NOLINT
                               in.buffer()->dim[0].stride = 2;
                               in.fill(square);
                               Size whole;
                               whole.buffer.host = reinterpret_cast<uint8_t *>(result); // NOLINT
                               EXPECT_EQ(sums(in.buffer(), 7, &whole.buffer), 0);
                               for (int x = 0; x < extent; x++) {
                                   EXPECT_EQ(result[x], expected(x));
                               }
                               in.buffer()->dim[0].extent--;
                               EXPECT_EQ(sums(in.buffer(), 7, &whole.buffer), fluorite_error_code_generic_error);
                               return 0;
                           }),
              0);
}

TEST_F(RankImages, StepsRunOnTheirResults) {
    const auto reference = [] {
        std::vector<int> values(extent);
        for (int x = 0; x < extent; x++) {
            values[static_cast<size_t>(x)] = x % 5;
        }
        for (int step = 0; step < 6; step++) {
            const std::vector<int> before = values;
            for (int x = 0; x < extent; x++) {
                values[static_cast<size_t>(x)] = before[static_cast<size_t>(std::max(x - 1, 0))] +
                                                 before[static_cast<size_t>(std::min(x + 1, extent - 1))] + 1;
            }
        }
        return values;
    }();
    for (const int64_t together : {1, 3, 0}) {
        EXPECT_EQ(run_on_ranks(4,
                               [&] {
                                   const Line in("in"), out("out");
                                   EXPECT_EQ(in.allocate() + out.allocate(), 0);
                                   in.fill([](int x) { return x % 5; });
                                   int32_t gain = 1;
                                   void *args[] = {in.buffer(), &gain, out.buffer()};
                                   const fluorite_step_field_t field = {0, 2}, wrong = {1, 2};
                                   const fluorite_step_options_t options = {6, nullptr, 100, together};
                                   EXPECT_EQ(fluorite_run_steps(nullptr, sums_argv, args, &field, 1, &options), 0);
                                   EXPECT_EQ(in.wrong([&](int x) { return reference[static_cast<size_t>(x)]; }), 0);
                                   EXPECT_EQ(fluorite_run_steps(nullptr, sums_argv, args, &wrong, 1, &options), -1);
                                   expect_last("in sums: argument 1 is named as the input of a field; a field is an "
                                               "input and an output, both memory of images of which each rank has a "
                                               "part; name such arguments [bad-distribution]");
                                   return 0;
                               }),
                  0);
    }
    const fluorite_step_field_t field = {0, 1};
    const fluorite_step_options_t options = {1, nullptr, 100, 1};
    EXPECT_EQ(fluorite_run_steps(nullptr, [](void **) { return 0; }, nullptr, &field, 1, &options), -1);
    expect_last(
        "in fluorite_run_steps: the function runs on one machine; steps are made of a pipeline whose schedule says "
        "`distribute` or `compute_rank`; distribute it [bad-distribution]");
}

/// A compiled object whose arguments have another order than the program's, and one that is not used: (unused, out,
/// gain, in).
int reordered_argv(void **args) {
    void *passed[] = {args[3], args[2], args[1]};
    return sums_argv(passed);
}

TEST_F(RankImages, FieldsOfStepsAreFoundInTheFunctionsOwnArguments) {
    EXPECT_EQ(run_on_ranks(3,
                           [&] {
                               const Line in("in"), out("out");
                               EXPECT_EQ(in.allocate() + out.allocate(), 0);
                               in.fill([](int) { return 1; });
                               int32_t gain = 1;
                               void *args[] = {nullptr, out.buffer(), &gain, in.buffer()};
                               const fluorite_step_field_t field = {3, 1}, wrong = {0, 1};
                               const fluorite_step_options_t options = {2, nullptr, 100, 1};
                               EXPECT_EQ(fluorite_run_steps(nullptr, reordered_argv, args, &field, 1, &options), 0);
                               EXPECT_EQ(in.wrong([](int) { return 2 * (2 * 1 + 1) + 1; }), 0);
                               EXPECT_EQ(fluorite_run_steps(nullptr, reordered_argv, args, &wrong, 1, &options), -1);
                               expect_last("in sums: argument 0 is named as the input of a field; a field is an input "
                                           "and an output, both memory of images of which each rank has a part; name "
                                           "such arguments [bad-distribution]");
                               return 0;
                           }),
              0);
}

/// Two inputs, which may be one image.
int both_argv(void **args) {
    static const std::string both = [] {
        ProgramDescription program;
        program.name = "both";
        const fluorite_type_t type(fluorite_type_int, 32);
        program.arrays = {{"first", Array::Role::Input, type, 1, {}, {}, 0, true, false},
                          {"second", Array::Role::Input, type, 1, {}, {}, 1, true, false},
                          {"out", Array::Role::Output, type, 1, {}, {}, 2, false, false}};
        program.arguments = {
            {"first", false, 0, {}, false}, {"second", false, 1, {}, false}, {"out", false, 2, {}, false}};
        return to_text(program);
    }();
    return fluorite_distributed_run(nullptr, both.c_str(), args);
}

TEST_F(RankImages, TheImageOfAFieldIsPassedOnce) {
    EXPECT_EQ(run_on_ranks(2,
                           [&] {
                               const Line in("in"), out("out");
                               EXPECT_EQ(in.allocate() + out.allocate(), 0);
                               void *args[] = {in.buffer(), in.buffer(), out.buffer()};
                               const fluorite_step_field_t field = {0, 2};
                               const fluorite_step_options_t options = {1, nullptr, 100, 1};
                               EXPECT_EQ(fluorite_run_steps(nullptr, both_argv, args, &field, 1, &options), -1);
                               expect_last("in both: argument 0, which is a field's, is passed for first and second; "
                                           "the image of a field changes between steps and is passed once; read it as "
                                           "one input [bad-distribution]");
                               return 0;
                           }),
              0);
}

TEST_F(RankImages, ErrorsOfSegmentsAndOfOtherRanks) {
    std::atomic<int> lost = 0;
    EXPECT_EQ(run_on_ranks(3,
                           [&] {
                               const Line in("in"), out("out");
                               EXPECT_EQ(in.allocate() + out.allocate(), 0);
                               int32_t rank = -1, count = 0;
                               EXPECT_EQ(fluorite_ranks(nullptr, &rank, &count), 0);
                               EXPECT_EQ(count, 3);
                               const int code = sums(in.buffer(), rank == 1 ? 13 : 0, out.buffer());
                               EXPECT_EQ(code, rank == 1 ? fluorite_error_code_requirement_failed
                                                         : fluorite_error_code_generic_error);
                               lost += std::string(fluorite_last_error_message()).ends_with("[lost-rank]") ? 1 : 0;
                               return code;
                           }),
              fluorite_error_code_requirement_failed);
    EXPECT_EQ(lost, 2);
    expect_last("13 [unlucky]");
}

TEST_F(RankImages, MistakesInArguments) {
    EXPECT_EQ(
        run_on_ranks(1,
                     [] {
                         const Line in("in"), out("out"), wide("wide", Size(extent, 64));
                         EXPECT_EQ(in.allocate() + out.allocate() + wide.allocate(), 0);
                         EXPECT_EQ(in.allocate(), -1);
                         expect_last("in in: memory is asked for, and there is memory; an image is allocated once; "
                                     "make another one [bad-distribution]");
                         EXPECT_EQ(sums(nullptr, 0, out.buffer()), fluorite_error_code_buffer_argument_is_null);
                         EXPECT_EQ(sums(wide.buffer(), 0, out.buffer()), fluorite_error_code_bad_type);
                         Size whole, bad(-1);
                         EXPECT_EQ(sums(in.buffer(), 0, &whole.buffer), fluorite_error_code_host_is_null);
                         EXPECT_EQ(sums(in.buffer(), 0, &bad.buffer), fluorite_error_code_buffer_extents_negative);
                         whole.buffer.dimensions = 2;
                         EXPECT_EQ(sums(in.buffer(), 0, &whole.buffer), fluorite_error_code_bad_dimensions);
                         whole.buffer.dimensions = 1;
                         whole.buffer.set_device_dirty();
                         EXPECT_EQ(sums(in.buffer(), 0, &whole.buffer),
                                   fluorite_error_code_device_dirty_with_no_device_support);
                         return 0;
                     }),
        0);
    EXPECT_EQ(fluorite_run_on_ranks(nullptr, 0, [](void *) { return 0; }, nullptr), -1);
    expect_last(
        "in fluorite_run_on_ranks: 0 ranks are asked for; a distributed pipeline has one or more; pass a positive "
        "number, and what each of them calls [bad-distribution]");
    EXPECT_EQ(fluorite_run_on_ranks(nullptr, 1'000'000, [](void *) { return 0; }, nullptr), -1);
    expect_last("in a distributed pipeline: 1000000 ranks are to be threads of this process; 4096 at most run; use "
                "fewer, or processes of an MPI library [bad-distribution]");
    EXPECT_NE(Line("in").code, 0); // no ranks
    EXPECT_EQ(fluorite_last_error_message(),
              std::string("in a distributed pipeline: the program has no MPI library; ranks talk through MPI; link it "
                          "with Open MPI or MPICH (mpicxx), or run without `distribute` [no-mpi]"));
}

TEST_F(RankImages, MistakesInPlacements) {
    EXPECT_EQ(
        run_on_ranks(
            2,
            [] {
                const auto expect_refused = [](int32_t cuts, std::vector<int32_t> dimensions, std::vector<int32_t> grid,
                                               int size, const std::string &message) {
                    const fluorite_placement_t placement = {cuts, dimensions.data(),
                                                            grid.empty() ? nullptr : grid.data(), nullptr};
                    fluorite_rank_image_t *image = nullptr;
                    const Size whole(size);
                    EXPECT_EQ(fluorite_rank_image_new(nullptr, "in", &whole.buffer, &placement, &image), -1);
                    EXPECT_EQ(image, nullptr);
                    expect_last("in in: " + message + " [bad-distribution]");
                };
                expect_refused(1, {1}, {}, 8,
                               "its placement cuts dimension 1; the image has 1 dimensions, of which each is cut "
                               "once at most; name others");
                expect_refused(2, {0, 0}, {}, 8,
                               "its placement cuts dimension 0 twice; the image has 1 dimensions, of which each is "
                               "cut once at most; name others");
                expect_refused(1, {0}, {0}, 8,
                               "its placement cuts dimension 0 into 0 parts of tiles of 1; both are 1 or more; "
                               "pass positive numbers, or no list");
                expect_refused(1, {0}, {3}, 8,
                               "it is distributed over 3 ranks, and there are 2; a grid has at most as many ranks "
                               "as run; leave the grid out, or start more ranks");
                expect_refused(-1, {0}, {}, 8,
                               "its placement has -1 cuts; each cut is of a dimension; give the list, or 0 cuts");
                expect_refused(1, {0}, {}, 0,
                               "an image of 0 elements from 0 on along dimension 0 is made; it has one or more "
                               "along each dimension, whose coordinates are int32; pass such sizes");
                return 0;
            }),
        0);
    const Size whole;
    EXPECT_EQ(fluorite_rank_image_new(nullptr, "in", &whole.buffer, nullptr, nullptr), -1);
    expect_last("in in: there is no place for the image that is made; it is stored where `image` points; pass one "
                "[bad-distribution]");
    fluorite_rank_image_t *image = nullptr;
    EXPECT_EQ(fluorite_rank_image_new(nullptr, nullptr, nullptr, nullptr, &image), -1);
    expect_last(
        "in an image: an image is made without sizes; it has those of the buffer `whole`, which has an array of "
        "dimensions; pass one [bad-distribution]");
}

} // namespace
} // namespace fluorite::distribute::c_interface_test
