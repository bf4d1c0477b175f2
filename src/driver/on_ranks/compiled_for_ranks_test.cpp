// Pipelines for ranks as functions with arguments: what files contain, called in this process.
#include "driver/compiled.h"
#include "driver/on_ranks/load_for_ranks.h"
#include "driver/on_ranks/test_images.h"

#include "fluorite/runtime_ranks.h"

#include <cstring>
#include <fstream>
#include <sstream>

namespace fluorite::compiled_for_ranks_test {
namespace {

using namespace driver::testing;

std::string contents_of(const std::string &path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

/// A blur over an ImageParam, whose sizes are those of what it is given.
struct BlurOfAny {
    ImageParam in{Int(32), 2, "in"};
    Blur blur{BoundaryConditions::repeat_edge(in), 1 << 20, 1 << 20};

    BlurOfAny() {
        blur.clamped.compute_at(blur.blur_x, blur.y);
        blur.blur_x.compute_root().distribute(blur.y);
        blur.blur_y.distribute(blur.y).vectorize(blur.x, 4);
    }
    Buffer<int> expected(int w, int h) {
        in.set(filled<int>(w, h));
        Buffer<int> result(w, h);
        run_on_ranks(1, [&] { blur.blur_y.realize(result); });
        in.reset();
        return result;
    }
};

TEST(CompiledForRanks, OneFunctionServesAllSizesLayoutsAndRanks) {
    BlurOfAny program;
    const Callable function = program.blur.blur_y.compile_to_callable({program.in});
    for (const auto &[w, h] : {std::pair(23, 17), {8, 40}}) {
        const Buffer<int> expected = program.expected(w, h);
        for (const int ranks : rank_counts) {
            std::atomic<int> points = 0, wrong = 0;
            run_on_ranks(ranks, [&, w = w, h = h] {
                DistributedImage<int> in(w, h), rows(w, h), blocks(w, h);
                allocate({&in, &rows}, program.blur.x, program.blur.y);
                allocate({&blocks}, program.blur.x, program.blur.y, by_grid);
                fill(in);
                Buffer<int> whole(w, h);
                EXPECT_EQ(function(in.get_buffer(), rows.get_buffer()), 0);
                EXPECT_EQ(function(in, blocks), 0);
                EXPECT_EQ(function(filled<int>(w, h), whole), 0);
                compare(rows, expected, points, wrong);
                compare(blocks, expected, points, wrong);
                EXPECT_EQ(std::memcmp(whole.data(), expected.data(), expected.size_in_bytes()), 0);
            });
            EXPECT_EQ(points, 2 * w * h);
            EXPECT_EQ(wrong, 0) << ranks << " ranks";
        }
    }
}

/// A Func that reads rows as far away as a Param says, and adds another one.
struct Shifted {
    static constexpr int w = 9, h = 40;
    Var x{"x"}, y{"y"};
    ImageParam source{Int(32), 2, "source"};
    Param<int> shift{"shift"}, added{"added"};
    Func shifted{"shifted"};
    Buffer<int> whole = filled<int>(w, h);

    Shifted() {
        shifted(x, y) = source(x, clamp(y + shift, 0, source.height() - 1)) + added;
        shifted.distribute(y);
    }
    Buffer<int> expected(int by) const {
        Buffer<int> result(w, h);
        result.for_each_element([&](int i, int j) { result(i, j) = whole(i, std::clamp(j + by, 0, h - 1)) + 3 * by; });
        return result;
    }
};

// A plan of one value would leave rows unread that another value asks for.
TEST(CompiledForRanks, PlansFollowTheParamsThatRegionsDependOn) {
    for (const bool is_realized : {false, true}) {
        Shifted program;
        Callable function;
        if (!is_realized) {
            function = program.shifted.compile_to_callable({program.source, program.shift, program.added});
        }
        DistributedImage<int> in(program.source, {Shifted::w, Shifted::h}), out(Shifted::w, Shifted::h);
        for (DistributedImage<int> *image : {&in, &out}) {
            image->set_domain(program.x, program.y);
            image->placement().distribute(program.y);
        }
        run_on_ranks(4, [&] {
            in.allocate();
            out.allocate();
        });
        for (const int by : {20, 14, 3, 0, -9, 20}) {
            std::atomic<int> points = 0, wrong = 0;
            program.shift.set(by);
            program.added.set(3 * by);
            program.shifted.compile_jit();
            run_on_ranks(4, [&] {
                fill(in);
                if (is_realized) {
                    program.shifted.realize(out);
                } else {
                    EXPECT_EQ(function(in.get_buffer(), by, 3 * by, out.get_buffer()), 0);
                }
                compare(out, program.expected(by), points, wrong);
            });
            EXPECT_EQ(wrong, 0) << "shifted by " << by;
        }
    }
}

// Ranks that would plan different halos are told, whatever their messages would happen to do.
TEST(CompiledForRanks, RanksWithOtherParamsThatRegionsDependOnAreRefused) {
    Shifted program;
    const Callable function = program.shifted.compile_to_callable({program.source, program.shift, program.added});
    run_on_ranks(2, [&] {
        Buffer<int> result(Shifted::w, Shifted::h);
        EXPECT_EQ(function(program.whole, 3, ranks().rank, result), 0);
        expect_error<RuntimeError>(
            [&] { function(program.whole, ranks().rank, 0, result); }, "ranks-disagree",
            "in shifted: Params or sizes of buffers, on which halos depend, of rank 1 are not those of rank 0; all "
            "ranks "
            "run one program with one schedule over the same domains; look for what depends on the rank");
    });
}

distributed::RankPipeline lowered(const Func &output,
                                  distributed::PartedInputs inputs = distributed::PartedInputs::Parameters) {
    const Target target = get_jit_target_from_environment();
    const Pipeline pipeline = output.pipeline();
    const schedule::ScheduledGraph frozen = driver::freeze_for(*pipeline.contents(), target);
    return driver::lowered_for_ranks(frozen, target, distributed::distribution_of(frozen, inputs), "f", {});
}

TEST(CompiledForRanks, ScalarsThatRegionsDependOnAreKnown) {
    Shifted program;
    Param<int> chosen("chosen"), tile("tile");
    ImageParam table(Int(32), 1, "table"), values(Int(32), 1, "values");
    Func result("result");
    Var yi("yi");
    result(program.x, program.y) = program.shifted(program.x, program.y + table.width()) + values(0) +
                                   program.shifted(program.x, program.y + chosen / 2);
    program.shifted.compute_root();
    result.split(program.y, program.y, yi, tile).distribute(program.y);
    std::map<std::string, bool> affects;
    const distribute::ProgramDescription description = lowered(result).description;
    for (const auto &argument : description.arguments) {
        affects[argument.name] = argument.is_scalar && argument.affects_regions;
    }
    EXPECT_TRUE(affects["shift"]);
    EXPECT_FALSE(affects["added"]);
    EXPECT_TRUE(affects["chosen"]);
    EXPECT_EQ(description.number_count, 1U); // the tile
}

// A segment that reads fields but no elements of a buffer that all ranks have.
TEST(CompiledForRanks, FieldsOfBuffersThatAllRanksHave) {
    const int w = 21, h = 13;
    Var x("x"), y("y");
    ImageParam table(Int(32), 1, "table");
    table.dim(0).set_stride(2); // so that it is whole
    Func first("first"), second("second");
    first(x, y) = x + table.dim(0).extent() * 100 + table.dim(0).stride();
    second(x, y) = first(x, y - 1) + table(y % 4);
    first.compute_root().distribute(y);
    second.distribute(y);
    std::vector<int> memory = {5, -1, 6, -1, 7, -1, 8};
    const fluorite_dimension_t dim(0, 4, 2);
    Buffer<int> spread(memory.data(), 1, &dim);
    const Callable function = second.compile_to_callable({table});
    table.set(spread);
    for (const int ranks : {1, 3}) {
        run_on_ranks(ranks, [&] {
            Buffer<int> realized(w, h), called(w, h);
            second.realize(realized);
            EXPECT_EQ(function(spread, called), 0);
            for (const Buffer<int> &result : {realized, called}) {
                int wrong = 0;
                result.for_each_element([&](int i, int j) { wrong += result(i, j) != i + 402 + 5 + j % 4 ? 1 : 0; });
                EXPECT_EQ(wrong, 0);
            }
        });
    }
}

TEST(CompiledForRanks, GridsOfParamsAndTargetsWithoutQueries) {
    BlurOfAny program;
    Param<int> across("across"), down("down");
    const Target target = get_jit_target_from_environment().with_feature(Target::NoBoundsQuery);
    Func out("out");
    out(program.blur.x, program.blur.y) = program.blur.blur_x(program.blur.x, program.blur.y);
    out.distribute({program.blur.x, program.blur.y}, {across, down + 1});
    const Callable function = out.compile_to_callable({program.in, across, down}, target);
    program.in.set(filled<int>(19, 11));
    Buffer<int> expected(19, 11);
    across.set(1), down.set(0);
    run_on_ranks(1, [&] { out.realize(expected); });
    program.in.reset();
    run_on_ranks(6, [&] {
        Buffer<int> result(19, 11);
        for (const auto &[p, q] : {std::pair(3, 2), {1, 5}, {2, 1}}) {
            EXPECT_EQ(function(filled<int>(19, 11), p, q - 1, result), 0);
            EXPECT_EQ(std::memcmp(result.data(), expected.data(), expected.size_in_bytes()), 0);
        }
        expect_error<RuntimeError>([&] { function(filled<int>(19, 11), 0, 1, result); }, "bad-distribution",
                                   "in out: a number of ranks or the factor of a distributed loop is 0; it is 1 or "
                                   "more, and known before the run; give a positive number or a Param");
        expect_error<RuntimeError>([&] { function(filled<int>(19, 11), 4, 1, result); }, "bad-distribution",
                                   "in out: it is distributed over 4 x 2 ranks, and there are 6; a grid has at most as "
                                   "many ranks as run; leave the grid out, or start more ranks");
    });
}

TEST(CompiledForRanks, Mistakes) {
    BlurOfAny program;
    program.in.dim(0).set_stride(1);
    const Callable function = program.blur.blur_y.compile_to_callable({program.in});
    run_on_ranks(2, [&] {
        DistributedImage<int> in(8, 8, "in");
        DistributedImage<float> floats(8, 8, "floats");
        Buffer<int> result(8, 8), line(8);
        in.set_domain(program.blur.x, program.blur.y);
        in.placement().distribute(program.blur.y);
        in.allocate();
        floats.allocate();
        expect_error<RuntimeError>(
            [&] { function(in.get_buffer(), result); }, "bad-distribution",
            "in in: it is an image of which each rank has a part, and blur_y was compiled for a buffer that every rank "
            "has the whole of: the program promises its min, extent, stride or alignment; pass the whole, or compile "
            "without the promise");
        expect_error<RuntimeError>(
            [&] { function(filled<int>(8, 8), line); }, "wrong-buffer-rank",
            "in blur_y: the buffer has 1 dimension; the pipeline was compiled for 2; slice or embed the buffer "
            "to 2 dimensions");
        expect_error<RuntimeError>([&] { function(filled<int>(8, 8), floats.get_buffer()); }, "wrong-buffer-type",
                                   "in blur_y: the buffer has elements of type float32; the pipeline was compiled for "
                                   "int32; pass a buffer of int32, or compile the pipeline for float32");
    });
    expect_error<RuntimeError>(
        [&] { function(filled<int>(8, 8), Buffer<int>(8, 8)); }, "no-mpi",
        "in a distributed pipeline: the program has no MPI library; ranks talk through MPI; link "
        "it with Open MPI or MPICH (mpicxx), or run without `distribute`");
}

TEST(CompiledForRanks, FilesAndReports) {
    BlurOfAny program;
    const Pipeline pipeline(program.blur.blur_y);
    pipeline.compile_to_header("for_ranks.h", {program.in}, "for_ranks");
    const std::string header = contents_of("for_ranks.h");
    EXPECT_NE(header.find("All ranks call it together: fluorite/runtime_ranks.h"), std::string::npos);
    EXPECT_NE(header.find("int for_ranks(struct halide_buffer_t *_in_buffer, struct halide_buffer_t *"
                          "_blur_y_buffer);"),
              std::string::npos)
        << header;
    pipeline.compile_to_lowered_stmt("for_ranks.stmt", {program.in});
    EXPECT_NE(contents_of("for_ranks.stmt").find("fluorite_distributed_run"), std::string::npos);
    const std::string report = pipeline.compile_report();
    EXPECT_NE(report.find("segment blur_x:"), std::string::npos);
    EXPECT_NE(report.find("segment blur_y:"), std::string::npos);
}

} // namespace
} // namespace fluorite::compiled_for_ranks_test
