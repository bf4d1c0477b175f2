// Kernels: programs with loops over the blocks and threads of a device.
//
// Each kind is a program for OpenCL and one for CUDA. Lowering is the same for both; code is OpenCL C or PTX, and that
// of the host, which launches the kernels. No device is needed.

#include "kinds.h"

#include <string>

namespace fluorite::compile_time::kernels {

namespace {

const Var x("x"), y("y"), bx("bx"), by("by"), tx("tx"), ty("ty");

Func source() {
    Func first("source");
    first(x, y) = BoundaryConditions::repeat_edge(ImageParam(Int(32), 2, "input"))(x, y);
    return first;
}

Expr cross(const Func &f, int i) { return f(x, y) * 3 + (i % 2 ? f(x + 1, y) : f(x, y + 1)); }

/// A kernel for each stage.
Pipeline at_root(int n) {
    Func last = source();
    for (int i = 1; i <= n; i++) {
        Func stage("stage" + std::to_string(i));
        stage(x, y) = cross(last, i);
        stage.compute_root().gpu_tile(x, y, bx, by, tx, ty, 16, 16);
        last = stage;
    }
    return Pipeline(last);
}

/// All stages in the blocks of one kernel, each in shared memory. Each reads its tile's first column and no margin, as
/// a margin for each stage would soon need more threads than a block may have.
Pipeline in_blocks(int n) {
    std::vector<Func> stages = {source()};
    for (int i = 1; i <= n; i++) {
        Func stage("stage" + std::to_string(i));
        stage(x, y) = stages.back()(x, y) * 3 + stages.back()(x / 16 * 16, y);
        stages.push_back(stage);
    }
    Func last = stages.back();
    last.gpu_tile(x, y, bx, by, tx, ty, 16, 16);
    for (size_t i = 1; i + 1 < stages.size(); i++) {
        stages[i].compute_at(last, bx).gpu_threads(x, y);
    }
    return Pipeline(last);
}

/// A kernel for each update of one Func.
Pipeline updates(int n) {
    Func sum("sum");
    const Func input = source();
    sum(x, y) = input(x, y);
    sum.compute_root().gpu_tile(x, y, bx, by, tx, ty, 16, 16);
    for (int i = 0; i < n; i++) {
        sum(x, y) += input(x + i, y);
        sum.update(i).gpu_tile(x, y, bx, by, tx, ty, 16, 16);
    }
    return Pipeline(sum);
}

/// Checks in one kernel, each with a text of its own.
Pipeline checks(int n) {
    Param<int> limit("limit");
    const Func input = source();
    Expr sum = 0;
    for (int i = 0; i < n; i++) {
        const Expr value = input(x + i, y);
        sum = sum + require(value < limit, value, "too large at", i);
    }
    Func all("all");
    all(x, y) = sum;
    all.gpu_tile(x, y, bx, by, tx, ty, 16, 16);
    return Pipeline(all);
}

/// Boundaries, masks and vectors of one kernel together: n taps, each clamped at the edges of the image; threads
/// compute four pixels each, of which the last tile's are guarded. The blocks of the interior, and lanes that no mask
/// excludes, get bodies of their own (lowering/device/), whose accesses are wide (backends/llvm/device/).
Pipeline guarded_taps(int n) {
    const ImageParam input(Int(32), 2, "input");
    const Func bounded = BoundaryConditions::repeat_edge(input);
    Expr sum = 0;
    for (int i = 0; i < n; i++) {
        sum = sum + bounded(x + i % 25, y + i / 25) * (i + 1);
    }
    Func all("all");
    const Var lanes("lanes");
    all(x, y) = sum;
    all.split(x, x, lanes, 4, TailStrategy::GuardWithIf).vectorize(lanes);
    all.gpu_tile(x, y, bx, by, tx, ty, 16, 8, TailStrategy::GuardWithIf);
    return Pipeline(all);
}

/// The same with n statements instead of n taps: each value is stored to memory of its own, under the same mask.
Pipeline guarded_values(int n) {
    const ImageParam input(Int(32), 2, "input");
    const Func bounded = BoundaryConditions::repeat_edge(input);
    std::vector<Expr> values;
    for (int i = 0; i < n; i++) {
        values.push_back(bounded(x + i % 5 - 2, y + i % 3 - 1) * (i + 1));
    }
    Func all("all");
    const Var lanes("lanes");
    all(x, y) = Tuple(values);
    all.split(x, x, lanes, 4, TailStrategy::GuardWithIf).vectorize(lanes);
    all.gpu_tile(x, y, bx, by, tx, ty, 16, 8, TailStrategy::GuardWithIf);
    return Pipeline(all);
}

} // namespace

std::vector<Kind> kinds() {
    std::vector<Kind> all;
    const auto add = [&](const char *for_opencl, const char *for_cuda, const char *unit, Pipeline (*make)(int)) {
        all.push_back({for_opencl, unit, make, 1000, Target::OpenCL});
        all.push_back({for_cuda, unit, make, 1000, Target::CUDA});
    };
    add("kernels: compute_root, OpenCL", "kernels: compute_root, CUDA", "stages", at_root);
    add("kernels: stages of a block, OpenCL", "kernels: stages of a block, CUDA", "stages", in_blocks);
    add("kernels: updates, OpenCL", "kernels: updates, CUDA", "updates", updates);
    add("kernels: checks, OpenCL", "kernels: checks, CUDA", "checks", checks);
    add("kernels: taps beyond edges in guarded vectors, OpenCL", "kernels: taps beyond edges in guarded vectors, CUDA",
        "taps", guarded_taps);
    add("kernels: values beyond edges in guarded vectors, OpenCL",
        "kernels: values beyond edges in guarded vectors, CUDA", "values", guarded_values);
    return all;
}

} // namespace fluorite::compile_time::kernels
