// What compiled pipelines and their callers in C call (fluorite/runtime_ranks.h).
//
// A description is read when its pipeline is called first; its runs, with their plans and memory, are kept to the end
// of the process. They are found by the address of the text, which is a constant of the object; as an object may have
// been loaded in the place of another one, text and functions are compared too.
//
// An image without memory makes the call a question, as it is for ordinary pipelines: the extents of the memory that
// this rank needs are written to all such images, and nothing is computed.
//
// Time steps are a request of the thread, which the call of the pipeline takes up: arguments and functions come from
// the pipeline, which only its own code knows.

#include "fluorite/errors.h"
#include "fluorite/runtime/buffer_form.h"
#include "fluorite/runtime/checks.h"
#include "fluorite/runtime_ranks.h"
#include "ranks/compiled/buffer_view.h"
#include "ranks/compiled/current_ranks.h"
#include "ranks/compiled/program_runs.h"
#include "ranks/compiled/report_errors.h"
#include "ranks/transport/thread_transport.h"
#include "support/check.h"

#include <algorithm>
#include <map>

using namespace fluorite;
using namespace fluorite::distribute;

namespace {

using Function = int (*)(void **args);

SegmentFunction segment_function(void *address) {
    return [function = reinterpret_cast<Function>(address)](std::vector<void *> args, bool, void *context) { // NOLINT
        std::replace(args.begin(), args.end(), static_cast<void *>(nullptr), static_cast<void *>(&context));
        return function(args.data());
    };
}

/// A description that has been read, with its functions.
struct KnownProgram {
    std::string text;
    std::vector<void *> functions;
    std::shared_ptr<ProgramRuns> runs;
};

std::shared_ptr<ProgramRuns> find_runs(const char *text, void *const *operands) {
    static std::mutex mutex;
    static auto *const programs = new std::map<const char *, KnownProgram>; // never destroyed: threads may run
    const std::lock_guard lock(mutex);
    KnownProgram &known = (*programs)[text];
    if (known.runs) {
        void *const *functions = operands + known.runs->description().passed_count();
        if (known.text == text && std::equal(known.functions.begin(), known.functions.end(), functions)) {
            return known.runs;
        }
    }
    ProgramDescription description = parse_program(text);
    void *const *functions = operands + description.passed_count();
    known.text = text;
    known.functions.assign(functions, functions + description.all_function_count());
    std::vector<SegmentFunction> callable;
    std::transform(known.functions.begin(), known.functions.end(), std::back_inserter(callable), segment_function);
    known.runs = std::make_shared<ProgramRuns>(std::move(description), std::move(callable));
    return known.runs;
}

/// Reports what is wrong with a buffer; throws SegmentFailed.
void check_buffer(void *context, const DescribedArray &array, const fluorite_buffer_t *buffer, bool is_image) {
    using fluorite_runtime::HostMemory;
    const std::optional<fluorite_runtime::BufferFault> fault =
        fluorite_runtime::find_buffer_fault(buffer, array.type, static_cast<int32_t>(array.dimensions),
                                            is_image ? HostMemory::Optional : HostMemory::Needed);
    if (fault) {
        const std::string text = concat(fault->text(array.name), " [", fault->slug, "]");
        throw SegmentFailed{fluorite_error(context, fault->code, text.c_str())};
    }
}

ProgramCall call_of(void *context, const ProgramDescription &description, void *const *operands) {
    ProgramCall call;
    call.context = context;
    call.arrays.resize(description.arrays.size());
    call.scalars.resize(description.arguments.size());
    size_t operand = 0;
    for (size_t i = 0; i < description.arguments.size(); i++) {
        const DescribedArgument &argument = description.arguments[i];
        if (argument.is_result) {
            continue;
        }
        void *const passed = operands[operand++];
        if (argument.is_scalar) {
            call.scalars[i] = passed;
            continue;
        }
        BoundBuffer &bound_to = call.arrays[argument.array];
        bound_to = bound(static_cast<fluorite_buffer_t *>(passed));
        check_buffer(context, description.arrays[argument.array], bound_to.buffer, bound_to.part.has_value());
    }
    return call;
}

bool is_question(const BoundBuffer &bound) { return bound.part && bound.buffer->host == nullptr; }

void answer(ProgramRuns &runs, const ProgramCall &call, const Transport &transport) {
    const std::vector<Box> needed = runs.memory_for(call, transport);
    for (size_t a = 0; a < call.arrays.size(); a++) {
        if (is_question(call.arrays[a])) {
            const Box memory = hull(needed[a], call.arrays[a].part->owned);
            const std::vector<fluorite_dimension_t> dims = dense_dimensions(memory, runs.description().arrays[a].name);
            std::copy(dims.begin(), dims.end(), call.arrays[a].buffer->dim);
        }
    }
}

// ---- Time steps.

struct StepRequest {
    void **args; // of the function, whose order is that of its own list of arguments
    std::vector<fluorite_step_field_t> fields;
    TimeLoopOptions options;
    int64_t steps_per_exchange;
};

thread_local const StepRequest *requested_steps = nullptr;

/// The array that is bound to an argument of the function: the program's arguments may have another order, and those
/// that it does not use are not among them. So it is found by the buffer that is passed.
size_t array_of(const ProgramRuns &runs, const ProgramCall &call, const StepRequest &request, int32_t argument,
                Array::Role role) {
    const ProgramDescription &program = runs.description();
    const auto *const passed = argument < 0 ? nullptr : static_cast<fluorite_buffer_t *>(request.args[argument]);
    const auto is_it = [&](size_t a) {
        return passed != nullptr && call.arrays[a].buffer == passed && call.arrays[a].part &&
               program.arrays[a].role == role;
    };
    size_t found = call.arrays.size();
    for (size_t a = 0; a < call.arrays.size(); a++) {
        if (is_it(a) && found < call.arrays.size()) {
            throw RuntimeError("bad-distribution",
                               concat("in ", program.name, ": argument ", argument,
                                      ", which is a field's, is passed for ", program.arrays[found].name, " and ",
                                      program.arrays[a].name,
                                      "; the image of a field changes between steps and is passed once; read it as one "
                                      "input"));
        }
        found = is_it(a) ? a : found;
    }
    if (found == call.arrays.size()) {
        throw RuntimeError("bad-distribution",
                           concat("in ", program.name, ": argument ", argument, " is named as the ",
                                  role == Array::Role::Input ? "input" : "output",
                                  " of a field; a field is an input and an output, both memory of images of which "
                                  "each rank has a part; name such arguments"));
    }
    return found;
}

ProgramRuns::StepField step_field(const ProgramRuns &runs, const ProgramCall &call, const StepRequest &request,
                                  const fluorite_step_field_t &field) {
    const std::vector<size_t> outputs = runs.description().outputs();
    const auto value =
        std::find(outputs.begin(), outputs.end(), array_of(runs, call, request, field.output, Array::Role::Output));
    return {array_of(runs, call, request, field.input, Array::Role::Input),
            static_cast<size_t>(value - outputs.begin())};
}

void run_steps(const StepRequest &request, ProgramRuns &runs, const ProgramCall &call, Transport &transport) {
    std::vector<ProgramRuns::StepField> fields;
    for (const fluorite_step_field_t &field : request.fields) {
        fields.push_back(step_field(runs, call, request, field));
    }
    runs.run_steps(fields, call, request.options, request.steps_per_exchange, transport);
}

/// A body of fluorite_run_on_ranks has failed.
struct BodyFailed {
    int code;
    std::string text; // that its thread has stored
};

} // namespace

int fluorite_distributed_run(void *context, const char *description, void *const *operands) {
    const StepRequest *steps = requested_steps;
    requested_steps = nullptr;
    return with_reports(context, [&] {
        const std::shared_ptr<ProgramRuns> runs = find_runs(description, operands);
        const ProgramCall call = call_of(context, runs->description(), operands);
        Transport &transport = current_transport();
        if (std::any_of(call.arrays.begin(), call.arrays.end(), is_question)) {
            answer(*runs, call, transport);
        } else if (steps) {
            run_steps(*steps, *runs, call, transport);
        } else {
            runs->run(call, transport);
        }
    });
}

int fluorite_run_steps(void *context, int (*pipeline_argv)(void **args), void **args,
                       const fluorite_step_field_t *fields, int32_t field_count,
                       const fluorite_step_options_t *options) {
    StepRequest request{};
    const int code = with_reports(context, [&] {
        if (pipeline_argv == nullptr || fields == nullptr || options == nullptr || field_count < 1 ||
            options->steps < 0 || options->steps_between < 1 || options->steps_per_exchange < 0) {
            throw RuntimeError(
                "bad-distribution",
                "in fluorite_run_steps: there is no function, field or option, or a number is out of its "
                "range; there are one or more fields, no negative number of steps, and 1 or more steps "
                "between checkpoints; pass such numbers");
        }
        request.args = args;
        request.fields.assign(fields, fields + field_count);
        request.options = {options->steps, options->checkpoint == nullptr ? "" : options->checkpoint,
                           options->steps_between};
        request.steps_per_exchange = options->steps_per_exchange;
    });
    if (code != 0) {
        return code;
    }
    requested_steps = &request;
    const int result = pipeline_argv(args);
    if (requested_steps != nullptr) { // the function has checked its arguments first, or is none for ranks
        requested_steps = nullptr;
        return result != 0 ? result : with_reports(context, [] {
            throw RuntimeError("bad-distribution",
                               "in fluorite_run_steps: the function runs on one machine; steps are made of a pipeline "
                               "whose schedule says `distribute` or `compute_rank`; distribute it");
        });
    }
    return result;
}

int fluorite_ranks(void *context, int32_t *rank, int32_t *count) {
    return with_reports(context, [&] {
        const Transport &transport = current_transport();
        *rank = static_cast<int32_t>(transport.rank());
        *count = static_cast<int32_t>(transport.ranks());
    });
}

int fluorite_run_on_ranks(void *context, int32_t count, int (*body)(void *data), void *data) {
    return with_reports(context, [&] {
        if (count < 1 || body == nullptr) {
            throw RuntimeError("bad-distribution",
                               concat("in fluorite_run_on_ranks: ", count, " ranks are asked for",
                                      body == nullptr ? ", without a function" : "",
                                      "; a distributed pipeline has one or more; pass a positive number, and what each "
                                      "of them calls"));
        }
        try {
            ThreadRanks(count).run([&](Transport &transport) {
                const UseTransport use(transport);
                const int code = body(data);
                if (code != 0 && transport.has_lost_peer()) {
                    throw RuntimeError("lost-rank", "a rank waited for another one that has failed");
                }
                if (code != 0) {
                    throw BodyFailed{code, fluorite_last_error_message()};
                }
            });
        } catch (const BodyFailed &failed) { // its thread has reported it
            fluorite_store_error(failed.code, failed.text.c_str());
            throw SegmentFailed{failed.code};
        }
    });
}

void fluorite_set_mpi_options(double limit, const char *library) {
    set_mpi_options({limit, library == nullptr ? "" : library});
}
