// The schedules of all applications for GPUs, run by the executor of loop IR, which needs no device and reports races:
// their bits are the interpreter's, at odd sizes and on a crop.

#include "app_test.h"
#include "benchmarks/gpu_cases.h"
#include "driver/compiled.h"
#include "ir/device_code.h"
#include "lowering/lower.h"
#include "rewrite/simplify.h"

#include <map>
#include <optional>

namespace apps::gpu_test {
namespace {

/// Tests in the executor, or on the device that the environment's target names.
class GpuSchedules : public testing::TestWithParam<gpu_cases::GpuApp> {
  protected:
    void SetUp() override {
        const fluorite::Target target = fluorite::get_jit_target_from_environment();
        if (target.has_gpu_feature()) {
            if (!fluorite::host_supports_target_device(target)) {
                GTEST_SKIP() << "no device of " << target.to_string() << " is here";
            }
            return;
        }
        const char *before = std::getenv("FLUORITE_BACK_END");
        before_ = before ? before : "";
        setenv("FLUORITE_BACK_END", "executor", 1);
    }
    void TearDown() override {
        if (before_) {
            before_->empty() ? unsetenv("FLUORITE_BACK_END") : setenv("FLUORITE_BACK_END", before_->c_str(), 1);
        }
    }

  private:
    std::optional<std::string> before_; // what the variable was where it is changed
};

/// Variants of applications that would take long in the executor.
struct SmallWindows : NlMeans {
    explicit SmallWindows(Schedule schedule) : NlMeans(schedule, 3, 3) {}
};
struct ShortChain : StencilChain {
    explicit ShortChain(Schedule schedule) : StencilChain(schedule, 4) {}
};
struct FewLevels : LocalLaplacian {
    explicit FewLevels(Schedule schedule) : LocalLaplacian(schedule, 5, 3) {}
};

std::vector<gpu_cases::GpuApp> quick_apps() {
    std::vector<gpu_cases::GpuApp> all = gpu_cases::all();
    for (const gpu_cases::GpuApp &app : {
             gpu_cases::picture<SmallWindows, float>("nl_means", 24, 3, 3, 0.4f, 0.6f),
             gpu_cases::picture<ShortChain, uint16_t>("stencil_chain", 4, 1, 1, 0, 65535),
             gpu_cases::picture<FewLevels, uint16_t>("local_laplacian", 12, 3, 3, 0, 65535),
         }) {
        *std::find_if(all.begin(), all.end(), [&](const auto &other) { return other.name == app.name; }) = app;
    }
    return all;
}

/// None where the environment's target is another processor: the executor makes no code for any.
std::vector<gpu_cases::GpuApp> apps_here() {
    return default_and({}).empty() ? std::vector<gpu_cases::GpuApp>() : quick_apps();
}

INSTANTIATE_TEST_SUITE_P(Apps, GpuSchedules, testing::ValuesIn(apps_here()),
                         [](const auto &info) { return info.param.name; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GpuSchedules);

/// Bits as the interpreter computes them, whatever the type.
void expect_interpreted(const Halide::Func &func, const Halide::Buffer<> &output, const std::string &what) {
    Halide::Buffer<> expected = Halide::Buffer<>::make_with_shape_of(output);
    fluorite::interpret_into(func, {expected.raw_buffer()},
                             fluorite::get_jit_target_from_environment().has_feature(fluorite::Target::FMA));
    ASSERT_EQ(expected.size_in_bytes(), output.size_in_bytes());
    const auto *is = reinterpret_cast<const unsigned char *>(output.data()),
               *should = reinterpret_cast<const unsigned char *>(expected.data());
    const size_t bytes = static_cast<size_t>(output.type().bytes());
    for (size_t i = 0; i < output.size_in_bytes(); i++) {
        ASSERT_EQ(is[i], should[i]) << what << ", element " << i / bytes;
    }
}

/// Odd sizes that are little more than a block and what its threads compute.
std::pair<int, int> size_for(const std::string &name) {
    const auto is_one_of = [&](std::initializer_list<const char *> names) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    return name == "matmul"                                                       ? std::pair(131, 131)
           : is_one_of({"sobel", "max_filter", "transpose"})                      ? std::pair(131, 77)
           : name == "camera_pipe"                                                ? std::pair(129, 37)
           : is_one_of({"blur", "resize", "wavelet"})                             ? std::pair(71, 67)
           : is_one_of({"unsharp", "harris", "local_laplacian", "stencil_chain"}) ? std::pair(67, 35)
                                                                                  : std::pair(37, 35);
}

TEST_P(GpuSchedules, HaveTheInterpretersBits) {
    const auto [width, height] = size_for(GetParam().name);
    const auto_cases::Case app = GetParam().make(width, height);
    const auto_cases::Made made = app.make(Schedule::Gpu);
    Halide::Func output = made.output;
    Halide::Buffer<> whole(output.type(), app.extents);
    output.realize(whole);
    whole.copy_to_host();
    expect_interpreted(output, whole, "whole");
    Halide::Buffer<> part(output.type(), app.extents);
    for (int d = 0; d < std::min(part.dimensions(), 2); d++) {
        part.crop(d, 2, app.extents[static_cast<size_t>(d)] - 3);
    }
    Halide::Buffer<> crop = Halide::Buffer<>::make_with_shape_of(part);
    output.realize(crop);
    crop.copy_to_host();
    expect_interpreted(output, crop, "crop");
}

/// Pipelines of many stages take long in the executor.
std::pair<int, int> automatic_size_for(const std::string &name) {
    return name.find("multigrid") == 0 ? std::pair(17, 15) : std::pair(37, 35);
}

/// Schedules that are found for a device and for large pictures.
TEST_P(GpuSchedules, AreFoundWithTheInterpretersBits) {
    if (GetParam().name == "multigrid_space_v") {
        return; // the executor takes a minute for it, and the plane has the same stages
    }
    const auto [width, height] = automatic_size_for(GetParam().name);
    const auto_cases::Case app = GetParam().make(width, height), large = GetParam().make(32 * width, 32 * height);
    const auto_cases::Made made = app.make(Schedule::Default);
    Halide::Func output = made.output;
    fluorite::AutoScheduleOptions options;
    options.sizes.assign(large.extents.begin(), large.extents.end());
    options.target = fluorite::get_host_target().with_feature(fluorite::Target::OpenCL);
    options.device = "h200";
    options.from_scratch = true;
    const fluorite::AutoSchedule found = Halide::Pipeline(output).auto_schedule(options);
    EXPECT_NE(found.schedule.text().find("gpu_blocks"), std::string::npos) << found.schedule.text();
    Halide::Buffer<> whole(output.type(), app.extents);
    output.realize(whole);
    whole.copy_to_host();
    expect_interpreted(output, whole, found.explanation);
}

/// The arguments of launches and their threads, in terms of fields of buffers.
class Launches : public fluorite::ir::Visitor {
  public:
    struct Grid {
        std::vector<fluorite::Expr> args, threads;
    };
    std::map<std::string, Grid> grids; // by kernel

    using Visitor::visit;
    void visit(const fluorite::Expr &) override {}
    void visit(const fluorite::ir::Stmt &stmt) override {
        if (const auto *let = stmt.as<fluorite::ir::LetStmt>()) {
            lets_[let->symbol] = fluorite::ir::substitute(let->value, lets_);
        }
        if (const auto *launch = stmt.as<fluorite::ir::Launch>()) {
            Grid &grid = grids[launch->task];
            for (const fluorite::Expr &arg : launch->args) {
                grid.args.push_back(fluorite::ir::substitute(arg, lets_));
            }
            for (const fluorite::Expr &extent : launch->threads) {
                grid.threads.push_back(fluorite::ir::substitute(extent, lets_));
            }
        }
        recurse(stmt);
    }

  private:
    fluorite::ir::SymbolMap<fluorite::Expr> lets_;
};

/// The value where all buffers have this extent in their first two dimensions, and three elements in the others.
std::optional<int64_t> value_at(const fluorite::Expr &expr, int extent) {
    return fluorite::rewrite::constant_value(fluorite::ir::transform(expr, [&](const fluorite::Expr &node) {
        if (node->kind() != fluorite::ir::ExprKind::BufferField) {
            return node;
        }
        const fluorite::ir::Member &member = node->member();
        const int size = member.index < 2 ? extent : 3;
        return fluorite::ir::int32(member.field == fluorite::ir::Field::Extent ? size
                                   : member.field == fluorite::ir::Field::Max  ? size - 1
                                                                               : 0);
    }));
}

/// A device has 48 KB and 1,024 threads for a block, whatever the size is that a schedule was not made for.
TEST_P(GpuSchedules, AreFoundWithBlocksThatFit) {
    const auto_cases::Case app = GetParam().make(1184, 1120);
    const auto_cases::Made made = app.make(Schedule::Default);
    Halide::Pipeline pipeline(made.output);
    fluorite::AutoScheduleOptions options;
    options.sizes.assign(app.extents.begin(), app.extents.end());
    options.target = fluorite::get_host_target().with_feature(fluorite::Target::OpenCL);
    options.from_scratch = true;
    pipeline.auto_schedule(options);
    const fluorite::ir::LoweredModule module =
        fluorite::lowering::lower(fluorite::driver::freeze_for(*pipeline.contents(), options.target),
                                  fluorite::lowering::options_for(options.target));
    Launches launches;
    for (const fluorite::ir::LoweredFunc &func : module.funcs) {
        if (func.is_of_host()) {
            launches.visit(func.body);
        }
    }
    ASSERT_FALSE(launches.grids.empty());
    for (const fluorite::ir::LoweredFunc &func : module.funcs) {
        if (func.is_of_host()) {
            continue;
        }
        const Launches::Grid &grid = launches.grids.at(func.name);
        fluorite::ir::SymbolMap<fluorite::Expr> args;
        for (size_t i = 0; i < grid.args.size(); i++) {
            args[func.args[i].symbol] = grid.args[i];
        }
        const fluorite::Expr bytes = fluorite::ir::substitute(fluorite::ir::shared_layout(func).bytes, args);
        for (const int extent : {1, 3, 37, 500, 1184, 4099, 30000}) {
            EXPECT_LE(value_at(bytes, extent).value_or(1 << 20), 48 << 10) << func.name << " at " << extent;
            int64_t threads = 1;
            for (const fluorite::Expr &own : grid.threads) {
                threads *= value_at(own, extent).value_or(1025);
            }
            EXPECT_LE(threads, 1024) << func.name << " at " << extent;
        }
    }
}

} // namespace
} // namespace apps::gpu_test
