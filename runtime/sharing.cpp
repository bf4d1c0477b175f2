// Whether the outputs of a pipeline share memory with its other arguments, of many buffers at once.
//
// Method: the buffers, sorted by their first addresses, are passed once, with the highest address so far. Where no
// output begins below it, and no input below that of the outputs, nothing is shared, and the names are not read. Only
// if address ranges meet, as of channels that are interleaved or of what is computed in place, each pair is examined by
// its steps (overlap.cpp). Cost: n log n for n buffers; else n calls for each output, a few compares for most.

#include "fluorite/runtime/checks.h"
#include "fluorite/runtime_abi.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

/// Reads lines and numbers.
class Lines {
  public:
    explicit Lines(const char *text) : at_(text) {}
    std::string line() {
        const char *begin = at_;
        while (*at_ != '\n') {
            at_++;
        }
        return {begin, at_++};
    }
    size_t number() { return std::strtoull(line().c_str(), nullptr, 10); }

  private:
    const char *at_;
};

using Buffers = std::vector<const fluorite_buffer_t *>;

/// Whether the address range of an output meets that of another buffer.
bool ranges_meet(const Buffers &inputs, const Buffers &outputs) {
    struct Range {
        const uint8_t *begin, *end;
        bool is_output;
    };
    std::vector<Range> ranges;
    const auto add = [&](const Buffers &all, bool is_output) {
        for (const fluorite_buffer_t *buffer : all) {
            if (buffer->host != nullptr && !buffer->is_empty()) {
                ranges.push_back({buffer->begin(), buffer->end(), is_output});
            }
        }
    };
    add(inputs, false);
    add(outputs, true);
    std::sort(ranges.begin(), ranges.end(), [](const Range &a, const Range &b) { return a.begin < b.begin; });
    const uint8_t *end = nullptr, *end_of_outputs = nullptr;
    for (const Range &range : ranges) {
        if (range.begin < (range.is_output ? end : end_of_outputs)) {
            return true;
        }
        end = std::max(end, range.end);
        end_of_outputs = range.is_output ? std::max(end_of_outputs, range.end) : end_of_outputs;
    }
    return false;
}

/// What the text says of an output, beside an input.
struct Rule {
    bool may_be_same = false;
    std::string why;
};

struct Names {
    std::string input;
    std::vector<Rule> rules; // by output
};

Names read_input(Lines &lines, size_t outputs) {
    Names names{lines.line(), std::vector<Rule>(outputs, Rule{false, lines.line()})};
    for (size_t left = lines.number(); left > 0; left--) {
        Rule &rule = names.rules[lines.number()];
        rule.may_be_same = lines.number() != 0;
        rule.why = lines.line();
    }
    return names;
}

} // namespace

extern "C" int fluorite_check_sharing(void *context, const char *names, void **buffers) {
    Lines lines(names);
    const size_t input_count = lines.number(), output_count = lines.number();
    auto **all = reinterpret_cast<fluorite_buffer_t **>(buffers);
    const Buffers inputs(all, all + input_count), outputs(all + input_count, all + input_count + output_count);
    if (!ranges_meet(inputs, outputs)) {
        return 0;
    }
    std::vector<std::string> output_names;
    for (size_t k = 0; k < output_count; k++) {
        output_names.push_back(lines.line());
    }
    for (const fluorite_buffer_t *input : inputs) {
        const Names its = read_input(lines, output_count);
        for (size_t k = 0; k < output_count; k++) {
            if (fluorite_buffers_overlap(outputs[k], input, its.rules[k].may_be_same ? 1 : 0) != 0) {
                return fluorite_error_buffers_overlap(context, output_names[k].c_str(), its.input.c_str(),
                                                      its.rules[k].why.c_str());
            }
        }
    }
    for (size_t i = 0; i < output_count; i++) {
        for (size_t k = i + 1; k < output_count; k++) {
            if (fluorite_buffers_overlap(outputs[k], outputs[i], 0) != 0) {
                return fluorite_error_buffers_overlap(context, output_names[k].c_str(), output_names[i].c_str(),
                                                      "each output is written to memory of its own");
            }
        }
    }
    return 0;
}
