// Requests for plans and replays of distributed programs on a command line, and the reports on them.

#include "ranks/describe/description.h"
#include "ranks/plan/plan_text.h"

#include "fluorite/errors.h"
#include "ranks/plan/grid.h"
#include "support/check.h"
#include "support/command_line.h"

#include <algorithm>

namespace fluorite::distribute {

namespace {

[[noreturn]] void refuse_request(const std::string &text) { throw RuntimeError("bad-replay", text); }

constexpr int64_t many = 1'000'000'000;

/// The options, which set the parts of a request.
std::vector<CommandOption> options_of(PlanRequest &q) {
    Description &d = q.description;
    return {
        {"--size", "1000x1000", "extents of the array, first dimension first",
         [&](const std::string &v) { d.size = extents_in("--size", v); }},
        {"--ranks", "64", "how many ranks",
         [&](const std::string &v) { d.ranks = whole_number("--ranks", v, 1, 1 << 24); }},
        {"--grid", "8x8", "ranks in each dimension; by default all ranks, with the smallest surface",
         [&](const std::string &v) { d.grid = extents_in("--grid", v); }},
        {"--periodic", "0,1", "the dimensions that wrap around, counted from 0",
         [&](const std::string &v) {
             for (const std::string &part : split_text(v, ',')) {
                 const auto dimension = static_cast<size_t>(whole_number("--periodic", part, 0, 15));
                 d.periodic.resize(std::max(d.periodic.size(), dimension + 1));
                 d.periodic[dimension] = true;
             }
         }},
        {"--bytes", "4", "of one element",
         [&](const std::string &v) { d.bytes = whole_number("--bytes", v, 1, 4096); }},
        {"--radius", "1", "of a stencil, in every dimension",
         [&](const std::string &v) { d.radius = whole_number("--radius", v, 0, 1 << 20); }},
        {"--steps", "100", "sweeps of a stencil, or runs of another program; by default those for one exchange",
         [&](const std::string &v) { d.steps = whole_number("--steps", v, 1, many); }},
        {"--sweeps", "4", "of a stencil for each exchange; 'best' takes those that are fastest in the model",
         [&](const std::string &v) { d.sweeps = v == "best" ? 0 : whole_number("--sweeps", v, 1, 4096); }},
        {"--levels", "4", "of a pyramid", [&](const std::string &v) { d.levels = whole_number("--levels", v, 1, 32); }},
        {"--coarse-from", "3", "the first level of a pyramid that fewer ranks own",
         [&](const std::string &v) { d.coarse_from = whole_number("--coarse-from", v, 1, 32); }},
        {"--coarse-ranks", "4", "how many ranks own the coarse levels; 'all' computes all of them on each rank",
         [&](const std::string &v) {
             d.coarse_ranks = v == "all" ? 0 : whole_number("--coarse-ranks", v, 1, 1 << 24);
         }},
        {"--coarse-share", "16", "of so many ranks, one owns the coarse levels of an application, whatever the ranks",
         [&](const std::string &v) { d.coarse_share = whole_number("--coarse-share", v, 1, 1 << 24); }},
        {"--cost", "1", "of computing one point, in points of the model",
         [&](const std::string &v) { d.cost = decimal_number("--cost", v); }},
        {"--rank", "0", "whose plan is printed",
         [&](const std::string &v) { q.rank = whole_number("--rank", v, 0, 1 << 24); }},
        {"--svg", "FILE", "draws the first exchange of that plan", [&](const std::string &v) { q.svg = v; }},
        {"--scaling", "weak",
         "prints a table up to the ranks instead: 'weak' (the size is that of one rank) or 'strong'",
         [&](const std::string &v) {
             if (v != "weak" && v != "strong") {
                 refuse_request(concat("--scaling is '", v, "'; scaling is 'weak' or 'strong'; give one of them"));
             }
             q.scaling = v == "weak" ? Scaling::Weak : Scaling::Strong;
         }},
        {"--from", "1", "the first number of ranks in that table",
         [&](const std::string &v) { q.scaling_from = whole_number("--from", v, 1, 1 << 24); }},
        {"--latency", "2", "of the network, in microseconds",
         [&](const std::string &v) { q.model.latency = decimal_number("--latency", v) * 1e-6; }},
        {"--overhead", "0.5", "of the processor for each message, in microseconds",
         [&](const std::string &v) { q.model.overhead = decimal_number("--overhead", v) * 1e-6; }},
        {"--gap", "0.5", "between messages at a port, in microseconds",
         [&](const std::string &v) { q.model.gap = decimal_number("--gap", v) * 1e-6; }},
        {"--bandwidth", "10", "of a port in each direction, in GB/s",
         [&](const std::string &v) {
             const double value = decimal_number("--bandwidth", v);
             if (value == 0) {
                 refuse_request("--bandwidth is 0; without bandwidth no message arrives; give one above 0");
             }
             q.model.seconds_per_byte = 1e-9 / value;
         }},
        {"--point", "1", "time to compute a point of cost 1, in nanoseconds; applications are measured without it",
         [&](const std::string &v) {
             q.model.seconds_per_point = decimal_number("--point", v) * 1e-9;
             q.is_measured = false;
         }},
        {"--packing", "0", "time to pack or unpack a byte of a message, in nanoseconds",
         [&](const std::string &v) { q.model.seconds_per_packed_byte = decimal_number("--packing", v) * 1e-9; }},
        flag("--overlap", "computes interiors while messages travel, as applications do", d.overlaps),
        flag("--rows", "cuts the images of applications by rows instead of in blocks", q.by_rows),
    };
}

std::string known_programs(const std::vector<std::string> &applications) {
    std::string text = "programs are stencil, pyramid and transposition";
    for (const std::string &name : applications) {
        text += ", " + name;
    }
    return text + "; begin with one of them";
}

/// The first word: the program.
void read_program(const std::string &word, const std::vector<std::string> &applications, PlanRequest &request) {
    using Kind = Description::Kind;
    for (const auto &[name, kind] :
         {std::pair("stencil", Kind::Stencil), {"pyramid", Kind::Pyramid}, {"transposition", Kind::Transpose}}) {
        if (word == name) {
            request.description.kind = kind;
            return;
        }
    }
    request.applications = split_text(word, ',');
    for (const std::string &name : request.applications) {
        if (std::find(applications.begin(), applications.end(), name) == applications.end()) {
            refuse_request(concat("'", name, "' is not known; ", known_programs(applications)));
        }
    }
}

void validate(const PlanRequest &request) {
    const Description &description = request.description;
    if (description.size.empty()) {
        refuse_request(
            "no size is given; plans are of arrays whose size is known; add --size, for example --size 1000x1000");
    }
    if (!description.grid.empty() && description.grid.size() != description.size.size()) {
        refuse_request(concat("--grid has ", description.grid.size(), " dimensions, and --size has ",
                              description.size.size(),
                              "; a grid has a number of ranks for each dimension; use 1 where none is cut"));
    }
    if (description.periodic.size() > description.size.size()) {
        refuse_request(concat("dimension ", description.periodic.size() - 1, " is periodic, but there are ",
                              description.size.size(), "; count from 0"));
    }
    if (request.rank >= description.ranks) {
        refuse_request(concat("the plan of rank ", request.rank, " of ", description.ranks,
                              " is asked for; ranks are numbered ", "from 0; use one of them"));
    }
    if (request.scaling_from > description.ranks) {
        refuse_request(concat("the table begins at ", request.scaling_from, " ranks, and ends at ", description.ranks,
                              "; it goes up; give --from at most that number"));
    }
    if (request.applications.size() > 1 && !request.scaling) {
        refuse_request(
            "several applications and no table; plans are printed of one at a time; name one, or add --scaling");
    }
    if (request.scaling && !description.grid.empty()) {
        refuse_request("--scaling with --grid; each number of ranks has its own grid; leave --grid out");
    }
}

/// The description for fewer ranks: of the same size, or of the size of one rank in each.
Description scaled(const PlanRequest &request, int64_t ranks) {
    Description description = request.description;
    description.ranks = ranks;
    description.coarse_ranks = std::min(description.coarse_ranks, ranks);
    const std::vector<int64_t> grid = choose_grid(ranks, std::vector<int64_t>(description.size.size(), many));
    description.size = scaled_size(request, grid);
    if (request.scaling == Scaling::Weak) {
        description.grid = description.kind == Description::Kind::Transpose ? std::vector<int64_t>{} : grid;
    }
    return description;
}

const char *words_of(Description::Kind kind) {
    return kind == Description::Kind::Stencil   ? "stencil"
           : kind == Description::Kind::Pyramid ? "pyramid"
                                                : "transposition";
}

} // namespace

std::string scaling_title(const PlanRequest &request) {
    std::string size;
    for (const int64_t extent : request.description.size) {
        size += concat(size.empty() ? "" : " x ", extent);
    }
    return request.scaling == Scaling::Weak ? concat("weak scaling, ", size, " on each rank")
                                            : concat("strong scaling, ", size);
}

std::vector<int64_t> ranks_of_table(const PlanRequest &request) {
    std::vector<int64_t> ranks;
    for (int64_t count = request.scaling_from; count < request.description.ranks; count *= 2) {
        ranks.push_back(count);
    }
    ranks.push_back(request.description.ranks);
    return ranks;
}

std::vector<int64_t> scaled_size(const PlanRequest &request, const std::vector<int64_t> &grid) {
    std::vector<int64_t> size = request.description.size;
    for (size_t d = 0; d < size.size() && request.scaling == Scaling::Weak; d++) {
        size[d] *= grid.at(d);
    }
    return size;
}

std::string plan_request_help(const std::vector<std::string> &applications) {
    std::string text = R"(usage: fluorite_plan PROGRAM --size EXTENTS [options]

Prints what ranks of a distributed program send each other, and how long the program takes in a model of a network.
PROGRAM is
  stencil        sweeps over one array, each point from those around it
  pyramid        levels by halves, down and up again
  transposition  the first and the last dimension change places
)";
    std::string line = applications.empty() ? "" : "or the name of an application, whose compiled plan is replayed:";
    for (const std::string &name : applications) {
        if (line.size() + name.size() > 100) {
            text += line + "\n";
            line = " ";
        }
        line += " " + name;
    }
    text += line + "\n" + (line.empty() ? "" : "\n");
    PlanRequest request;
    return text + options_help(options_of(request));
}

PlanRequest parse_plan_request(const std::vector<std::string> &words, const std::vector<std::string> &applications) {
    if (words.empty()) {
        refuse_request("no program is named; " + known_programs(applications));
    }
    PlanRequest request;
    read_program(words[0], applications, request);
    try {
        parse_command_line({words.begin() + 1, words.end()}, options_of(request));
    } catch (const BadCommandLine &error) {
        refuse_request(error.what());
    }
    validate(request);
    return request;
}

std::string report(const PlanRequest &request, std::string *svg) {
    const Description &description = request.description;
    if (request.scaling) {
        const auto replayed = [&](int64_t count) {
            return replay_program(describe(scaled(request, count)), 0, request.model).result;
        };
        const std::vector<ScalingRow> rows = scaling_of(replayed, ranks_of_table(request), *request.scaling);
        if (svg != nullptr) {
            *svg = draw({{words_of(description.kind), rows}}, scaling_title(request));
        }
        return concat("model  ", to_string(request.model), "\n", to_string(rows));
    }
    const ProgramReplay replay = replay_program(describe(description), request.rank, request.model);
    const DistributedProgram &program = replay.batch.program;
    if (svg != nullptr && svg->empty()) {
        *svg = draw(program, replay.plan);
    }
    return concat("layout ", to_string(replay.plan.layouts.front()), "\n", to_string(program, replay.plan), "\n",
                  "memory         ", replay.plan.bytes_allocated(program), " bytes, ", replay.plan.bytes_owned(program),
                  " for the parts of the rank alone\n", "steps          ", replay.steps, ", ", replay.batch.steps,
                  " for each exchange\n", to_string(replay.result, description.ranks), "model          ",
                  to_string(request.model), "\n");
}

} // namespace fluorite::distribute
