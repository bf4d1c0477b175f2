// Chains of extern stages, of which what they read is known from bounds queries, and pipelines with many inputs and
// outputs at once.
//
// Each site from which the reads of an extern stage are seen has a query of its own.

#include "kinds.h"

#include <string>

extern "C" int compile_time_stage(fluorite_buffer_t *, fluorite_buffer_t *) { return 0; }

namespace fluorite::compile_time::externs {

namespace {

const Var x("x"), y("y"), yo("yo"), yi("yi");

using Stages = std::vector<Func>;

/// Every second stage is a C function.
Stages chain(int n) {
    Func first("source");
    first(x, y) = BoundaryConditions::repeat_edge(ImageParam(Int(32), 2, "input"))(x, y);
    Stages stages = {first};
    for (int i = 1; i <= n; i++) {
        Func stage("stage" + std::to_string(i));
        if (i % 2 != 0 && i < n) {
            stage.define_extern("compile_time_stage", {stages.back()}, Int(32), {x, y});
        } else {
            const Func before = stages.back();
            stage(x, y) = before(x, y - 1) + before(x, y + 1);
        }
        stages.push_back(stage);
    }
    return stages;
}

Pipeline at_root(int n) {
    Stages stages = chain(n);
    for (Func &stage : stages) {
        stage.compute_root();
    }
    return Pipeline(stages.back());
}
Pipeline at_rows(int n) {
    Stages stages = chain(n);
    stages.front().compute_root();
    for (size_t i = 1; i + 1 < stages.size(); i++) { // the loops of a C function are its own
        const bool is_read_by_extern = i % 2 == 0;
        is_read_by_extern ? stages[i].compute_root() : stages[i].compute_at(stages[i + 1], y);
    }
    return Pipeline(stages.back());
}
Pipeline in_strips(int n) {
    Stages stages = chain(n);
    Func last = stages.back();
    last.split(y, yo, yi, 64);
    stages.front().compute_root();
    for (size_t i = 1; i + 1 < stages.size(); i++) {
        stages[i].compute_at(last, yo);
    }
    return Pipeline(last);
}

/// As a generator has: n inputs and n outputs, each of which reads two inputs.
Pipeline inputs_and_outputs(int n) {
    std::vector<ImageParam> inputs;
    for (int i = 0; i < n; i++) {
        inputs.emplace_back(Int(32), 2, "input" + std::to_string(i));
    }
    std::vector<Func> outputs;
    for (int i = 0; i < n; i++) {
        Func f("f" + std::to_string(i));
        f(x, y) = inputs[static_cast<size_t>(i)](x, y) + inputs[static_cast<size_t>((i + 1) % n)](x + 1, y);
        f.vectorize(x, 8);
        outputs.push_back(f);
    }
    return Pipeline(outputs);
}

} // namespace

std::vector<Kind> kinds() {
    return {
        {"extern: at root", "stages", at_root},
        {"extern: at rows", "stages", at_rows},
        {"extern: in strips of the last", "stages", in_strips},
        {"inputs and outputs", "of each", inputs_and_outputs},
    };
}

} // namespace fluorite::compile_time::externs
