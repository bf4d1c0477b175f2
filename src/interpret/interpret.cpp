// The entry points: evaluate a box of an output into buffers, or one point.

#include "interpret/interpret.h"

#include "interpret/iterate.h"
#include "interpret/machine.h"
#include "support/check.h"

namespace fluorite::interpret {

struct Interpreter::State {
    std::vector<ExternFunction> externs;
    IterationResults results;
    Bindings bindings;
    Machine machine;

    State(const ir::Graph &graph, std::vector<ExternFunction> functions, const Replaced &outer)
        : externs(std::move(functions)), results(graph, externs, outer), bindings(graph, externs, results.replaced()),
          machine(bindings) {
        machine.check_entry();
    }
};

namespace {

size_t output_func(const ir::Graph &graph, size_t output) {
    check(output < graph.outputs.size(), "the pipeline has the output that is asked for");
    return graph.outputs[output].index();
}

/// Checks that the buffer contains the box, or that the box is empty; otherwise throws RuntimeError.
void check_destination(const ir::FuncDef &def, size_t element, const fluorite_buffer_t *buffer, const Region &region) {
    const std::string &name = def.name();
    check_form(buffer, name, def.types[element], def.dimensions(), Location());
    for (size_t d = 0; d < def.dimensions(); d++) {
        const int64_t first = int64_t{region.min[d]} - buffer->dim[d].min;
        if (first < 0 || first + region.extent[d] > buffer->dim[d].extent) {
            throw RuntimeError("output-too-small",
                               concat("in ", name, ": the pipeline writes ", name, " over [", region.min[d], ", ",
                                      int64_t{region.min[d]} + region.extent[d] - 1, "] along dimension ", d,
                                      ", which the buffer does not hold; an output must hold every coordinate that is "
                                      "written; pass a larger output"));
        }
    }
}

bool is_empty(const Region &region) {
    for (int32_t extent : region.extent) {
        if (extent <= 0) {
            return true;
        }
    }
    return false;
}

/// Calls visit(point) for each point of a nonempty box, dimension 0 innermost.
template <typename Visit> void for_each_point(const Region &region, const Visit &visit) {
    std::vector<int32_t> point = region.min;
    const size_t rank = point.size();
    for (bool more = true; more;) {
        visit(point.data());
        more = false;
        for (size_t d = 0; d < rank && !more; d++) {
            more = ++point[d] < region.min[d] + region.extent[d];
            if (!more) {
                point[d] = region.min[d];
            }
        }
    }
}

} // namespace

Interpreter::Interpreter(const ir::Graph &graph, std::vector<ExternFunction> externs)
    : Interpreter(graph, std::move(externs), Replaced()) {}

Interpreter::Interpreter(const ir::Graph &graph, std::vector<ExternFunction> externs, const Replaced &outer)
    : state_(std::make_unique<State>(graph, std::move(externs), outer)) {}

Interpreter::~Interpreter() = default;

void Interpreter::evaluate(size_t output, const Region &region, const std::vector<fluorite_buffer_t *> &destination) {
    const ir::Graph &graph = state_->bindings.graph();
    const size_t func = output_func(graph, output);
    const ir::FuncDef &def = graph.funcs[func];
    check(region.min.size() == def.dimensions() && region.extent.size() == def.dimensions(),
          "a region has a min and an extent for each dimension of its Func");
    check(destination.size() == def.types.size(), "an output has a destination for each element");
    if (is_empty(region)) {
        return;
    }
    for (size_t i = 0; i < destination.size(); i++) {
        check_destination(def, i, destination[i], region);
    }
    Machine &machine = state_->machine;
    machine.reserve(func, region);
    machine.set_destination(func, &destination);
    std::vector<Cell> row(machine.row_width(func));
    // All points are computed before any is stored, because undefined initial values are those of the destination
    // before the run.
    for_each_point(region, [&](const int32_t *point) { machine.value(func, point, row.data()); });
    for_each_point(region, [&](const int32_t *point) {
        machine.value(func, point, row.data());
        for (size_t i = 0; i < destination.size(); i++) {
            if (is_defined(row.data(), destination.size(), i)) {
                store_element(destination[i]->address_of(point), def.types[i], row[i]);
            }
        }
    });
    machine.set_destination(func, nullptr);
}

std::vector<uint64_t> Interpreter::evaluate_point(size_t output, const std::vector<int32_t> &point) {
    const ir::Graph &graph = state_->bindings.graph();
    const size_t func = output_func(graph, output);
    const ir::FuncDef &def = graph.funcs[func];
    check(point.size() == def.dimensions(), "a point has a coordinate for each dimension of its Func");
    std::vector<Cell> row(state_->machine.row_width(func));
    state_->machine.value(func, point.data(), row.data());
    std::vector<uint64_t> bits;
    for (size_t i = 0; i < def.types.size(); i++) {
        bits.push_back(element_bits(row[i], def.types[i]));
    }
    return bits;
}

Region Interpreter::accessed(size_t input) const {
    const AccessedBox &box = state_->bindings.accessed(input);
    Region region;
    for (size_t d = 0; d < box.min.size(); d++) {
        const bool is_read = box.min[d] <= box.max[d];
        region.min.push_back(is_read ? static_cast<int32_t>(box.min[d]) : 0);
        region.extent.push_back(is_read ? static_cast<int32_t>(box.max[d] - box.min[d] + 1) : 0);
    }
    return region;
}

void evaluate(const ir::Graph &graph, size_t output, const Region &region,
              const std::vector<fluorite_buffer_t *> &destination) {
    Interpreter(graph).evaluate(output, region, destination);
}

std::vector<uint64_t> evaluate_point(const ir::Graph &graph, size_t output, const std::vector<int32_t> &point) {
    return Interpreter(graph).evaluate_point(output, point);
}

} // namespace fluorite::interpret
