// Plans and replays of the applications on ranks that are not there.
//
// An application is compiled once. For each number of ranks its program is made for images of the sizes asked for,
// every rank is planned from the answers of the compiled segments, and what all ranks would do is replayed. What
// segments cost is measured on this machine, in a run of the part that one rank has (or of as much as fits), unless the
// time of a point is given.

#include "applications.h"

#include "apps/ranks/simulations.h"

#include "distributed/simulated_run.h"
#include "driver/on_ranks/load_for_ranks.h"
#include "ranks/plan/grid.h"
#include "ranks/plan/plan_text.h"
#include "support/check.h"

#include <cstring>
#include <optional>
#include <random>
#include <thread>

namespace fluorite::plan {

using namespace distribute;
using distributed::SegmentCost;
using distributed::SimulatedImage;
using distributed::SimulatedRun;

namespace {

[[noreturn]] void refuse(const std::string &text) { throw RuntimeError("bad-replay", text); }

template <typename... Values> std::string format(const char *pattern, const Values &...values) {
    char buffer[400];
    std::snprintf(buffer, sizeof buffer, pattern, values...);
    return buffer;
}

Box box_of(const std::vector<int> &sizes) {
    Box box;
    for (const int size : sizes) {
        box.push_back({0, size});
    }
    return box;
}

/// A pipeline with the names of its inputs that are images, and the sizes of all images of a run.
struct Made {
    std::shared_ptr<void> app;
    Func output;
    std::vector<std::string> inputs, lines;
    std::vector<std::vector<int>> input_sizes, output_sizes;
    bool is_loop = false; // what it writes is what it reads in the next run
};

/// The levels that the request asks for; nothing, if it asks for none.
std::optional<apps::Levels> levels_of(const PlanRequest &request, int64_t ranks) {
    const Description &description = request.description;
    if (!description.coarse_from) {
        return std::nullopt;
    }
    const int64_t share = description.coarse_share;
    const int64_t coarse = share > 0 ? std::max<int64_t>(1, ranks / share) : description.coarse_ranks;
    return apps::Levels{static_cast<int>(description.levels), static_cast<int>(*description.coarse_from),
                        static_cast<int>(coarse)};
}

Made make(const std::string &name, const std::vector<int> &size, const PlanRequest &request, int64_t ranks) {
    for (const apps::RankedSimulation &simulation : apps::ranked_simulations()) {
        if (name == simulation.name) {
            if (size.size() != 3) {
                refuse(
                    concat(name, " has three dimensions; --size has ", size.size(), "; give one such as 100x100x100"));
            }
            apps::Simulation made = simulation.make(apps::Schedule::Hand);
            Made result{made.app, made.step, {}, made.lines, {}, {}, true};
            for (const ImageParam &field : made.fields) {
                result.inputs.push_back(field.name());
                result.input_sizes.push_back(size);
                result.output_sizes.push_back(size);
            }
            return result;
        }
    }
    if (size.size() != 2) {
        refuse(concat(name, " has two dimensions; --size has ", size.size(), "; give one such as 1000x1000"));
    }
    const apps::Cut cut = request.by_rows ? apps::Cut::Rows : apps::Cut::Blocks;
    for (const apps::RankedApp &app : apps::ranked_apps()) {
        if (name == app.name) {
            const std::optional<apps::Levels> levels = levels_of(request, ranks);
            apps::OnRanks made = levels && app.make_with
                                     ? app.make_with(size[0], size[1], apps::Schedule::Hand, cut, *levels)
                                     : app.make(size[0], size[1], apps::Schedule::Hand, cut);
            return {made.app, made.output, {made.input.name()}, made.lines, {made.input_sizes}, {made.output_sizes}};
        }
    }
    refuse("there is no application " + name);
}

/// Numbers that no calculation makes denormal, whatever the elements.
void fill(const ArrayView &view, Type type) {
    std::minstd_rand random(7);
    std::vector<char> element(static_cast<size_t>(view.bytes));
    const Box &box = view.box;
    if (empty(box)) {
        return;
    }
    std::vector<int64_t> at;
    for (const Span &span : box) {
        at.push_back(span.begin);
    }
    for (bool more = true; more;) {
        const auto value = static_cast<unsigned>(random());
        if (type.is_float()) {
            const float small = static_cast<float>(value % 1000 + 1) / 1000.0F;
            const double large = small;
            std::memcpy(element.data(), type.bits() == 32 ? static_cast<const void *>(&small) : &large, element.size());
        } else {
            std::memcpy(element.data(), &value, std::min(element.size(), sizeof value));
        }
        std::memcpy(view.at(at), element.data(), element.size());
        more = false;
        for (size_t d = 0; d < at.size() && !more; d++) {
            more = ++at[d] < box[d].end;
            at[d] = more ? at[d] : box[d].begin;
        }
    }
}

class Application {
  public:
    Application(std::string name, const PlanRequest &request) : name_(std::move(name)), request_(request) {
        compile(request.description.ranks);
    }

    /// Makes the pipeline for so many ranks, on which few levels may depend.
    void compile(int64_t ranks) {
        const std::vector<int64_t> &size = request_.description.size;
        code_.reset();
        made_ = make(name_, {size.begin(), size.end()}, request_, ranks);
        code_ = driver::load_for_any_images(made_.output.pipeline(), get_jit_target_from_environment());
    }
    bool depends_on_ranks() const { return request_.description.coarse_share > 0 && !made_.is_loop; }

    const Made &made() const { return made_; }

    /// The grid of a weak scaling: ranks along each dimension.
    std::vector<int64_t> grid_of(int64_t ranks) const {
        if (request_.by_rows && !made_.is_loop) {
            return {1, ranks};
        }
        return choose_grid(ranks, std::vector<int64_t>(request_.description.size.size(), 1'000'000'000));
    }

    /// Measures, with the part that one of so many ranks has of a size, or as much as fits.
    void measure(const std::vector<int64_t> &size, int64_t ranks) {
        if (!request_.is_measured) {
            return;
        }
        const std::vector<int64_t> grid = grid_of(ranks);
        std::vector<int64_t> large, small;
        for (size_t d = 0; d < size.size(); d++) {
            const int64_t most = size.size() == 2 ? 2048 : 128;
            large.push_back(std::max<int64_t>(1, std::min(most, size[d] / grid[d])));
            small.push_back(std::max<int64_t>(1, large.back() / 8));
        }
        costs_ =
            distributed::measured_costs(*run(large, 1), *run(small, 1),
                                        [&](const std::string &, const ArrayView &view) { fill(view, input_type()); });
    }

    std::string costs_text() const {
        std::string text = costs_.empty() ? ""
                                          : concat("measured on this machine, ", std::thread::hardware_concurrency(),
                                                   " processors: a point and, beside its points, a call\n");
        for (const SegmentCost &cost : costs_) {
            text += format("  %-20s %9.3f ns %9.2f us\n", cost.name.c_str(), cost.point * 1e9, cost.call * 1e6);
        }
        return text;
    }

    /// `asked` is the rank whose plan is kept.
    ProgramReplay replayed(const std::vector<int64_t> &size, int64_t ranks, int64_t asked) {
        const auto run = this->run(size, ranks);
        ProgramOnRanks program;
        program.program = run->program();
        program.domains = run->domains();
        program.ranks = ranks;
        program.steps = request_.description.steps;
        if (made_.is_loop) {
            program.fields = fields_of(*run);
            program.steps_per_exchange = request_.description.sweeps;
        }
        return replay_program(program, asked, request_.model);
    }

  private:
    std::string name_;
    const PlanRequest &request_;
    Made made_;
    std::unique_ptr<distributed::PipelineOnRanks> code_;
    std::vector<SegmentCost> costs_;

    Type input_type() const {
        const auto &array = code_->runs().description().arrays.at(code_->array_of_input(made_.inputs.at(0)));
        return array.type.code == fluorite_type_float ? Float(array.type.bits) : UInt(array.type.bits);
    }

    std::unique_ptr<SimulatedRun> run(const std::vector<int64_t> &size, int64_t ranks) const {
        const Made sizes = make(name_, {size.begin(), size.end()}, request_, ranks);
        Placement placement;
        placement.kind = Placement::Kind::Blocks;
        placement.dimensions = made_.is_loop      ? std::vector<size_t>{0, 1, 2}
                               : request_.by_rows ? std::vector<size_t>{1}
                                                  : std::vector<size_t>{0, 1};
        std::map<std::string, SimulatedImage> inputs;
        for (size_t i = 0; i < made_.inputs.size(); i++) {
            inputs[made_.inputs[i]] = {box_of(sizes.input_sizes[i]), placement};
        }
        std::vector<SimulatedImage> outputs;
        for (const std::vector<int> &output : sizes.output_sizes) {
            outputs.push_back({box_of(output), placement});
        }
        auto made = std::make_unique<SimulatedRun>(*code_, inputs, outputs, ranks);
        if (!costs_.empty()) {
            const LogGP &model = request_.model;
            std::vector<SegmentCost> costs = costs_;
            for (size_t s = costs.size(); s < made->program().segments.size(); s++) {
                costs.push_back({made->program().segments[s].name}); // copies, which cost what messages do
            }
            distributed::set_costs(made->program(), costs, model.seconds_per_point);
        }
        return made;
    }

    std::vector<Field> fields_of(const SimulatedRun &run) const {
        std::vector<Field> fields;
        for (size_t f = 0; f < made_.inputs.size(); f++) {
            fields.push_back({code_->array_of_input(made_.inputs[f]), run.output_arrays()[f]});
        }
        return fields;
    }
};

/// What one rank does at each exchange.
std::string text_of(const ProgramReplay &replay) {
    const RankPlan &plan = replay.plan;
    const DistributedProgram &program = replay.batch.program;
    std::string text = concat("rank ", plan.rank, " allocates ", plan.bytes_allocated(program), " bytes, ",
                              plan.bytes_owned(program), " for its parts alone\n");
    for (const RankPlan::Exchange &exchange : plan.exchanges) {
        if (exchange.plan.sends.empty() && exchange.plan.receives.empty()) {
            continue;
        }
        std::string names;
        for (const size_t a : exchange.flows) {
            names += concat(names.empty() ? "" : ", ", program.arrays[a].name);
        }
        text += concat("  before ", exchange.plan.name, ": ", exchange.plan.sends.size(), " messages with ",
                       exchange.plan.bytes_sent(), " bytes sent, ", exchange.plan.receives.size(), " with ",
                       exchange.plan.bytes_received(), " received, of ", names, "\n");
    }
    return text;
}

std::string table_of(Application &application, const PlanRequest &request, std::vector<ScalingRow> &rows) {
    const std::vector<int64_t> ranks = ranks_of_table(request);
    application.measure(scaled_size(request, application.grid_of(ranks.back())), ranks.back());
    double planning = 0, slowest = 0;
    rows = scaling_of(
        [&](int64_t count) {
            if (application.depends_on_ranks()) {
                application.compile(count);
            }
            const ProgramReplay replay =
                application.replayed(scaled_size(request, application.grid_of(count)), count, 0);
            planning = replay.seconds_to_plan, slowest = replay.slowest_plan;
            return replay.result;
        },
        ranks, *request.scaling);
    return concat(application.costs_text(), to_string(rows),
                  format("planning takes %.3f ms a rank at %lld ranks, at most %.3f\n", planning * 1e3,
                         static_cast<long long>(ranks.back()), slowest * 1e3));
}

} // namespace

std::vector<std::string> application_names() {
    std::vector<std::string> names;
    for (const apps::RankedApp &app : apps::ranked_apps()) {
        names.emplace_back(app.name);
    }
    for (const apps::RankedSimulation &simulation : apps::ranked_simulations()) {
        names.emplace_back(simulation.name);
    }
    return names;
}

std::string report(const PlanRequest &request, std::string *svg) {
    std::string text = concat("model  ", to_string(request.model), "\n");
    if (request.scaling) {
        std::vector<ScalingLine> lines;
        for (const std::string &name : request.applications) {
            Application application(name, request);
            lines.push_back({name, {}});
            text += concat("\n", name, ", ", scaling_title(request), ", ", application.made().lines.size(),
                           " added lines of schedule\n", table_of(application, request, lines.back().rows));
        }
        *svg = draw(lines, scaling_title(request));
        return text;
    }
    Application application(request.applications[0], request);
    const std::vector<int64_t> &size = request.description.size;
    const int64_t ranks = request.description.ranks;
    application.measure(size, ranks);
    const ProgramReplay replay = application.replayed(size, ranks, request.rank);
    *svg = draw(replay.batch.program, replay.plan);
    text += concat(request.applications[0], " on ", ranks, " ranks, ", application.made().lines.size(),
                   " added lines of schedule\n", application.costs_text(), text_of(replay));
    if (application.made().is_loop) {
        text += concat(replay.batch.steps, " steps for each exchange\n");
    }
    return concat(text, to_string(replay.result, ranks),
                  format("planning       %.3f ms a rank, at most %.3f\n", replay.seconds_to_plan * 1e3,
                         replay.slowest_plan * 1e3));
}

} // namespace fluorite::plan
