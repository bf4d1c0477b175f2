// Trace events: numbering, and the readable line of the default hook.
//
// What: generated code of a traced Func calls fluorite_trace for its loads, stores, realizations and pipelines. The
// default hook prints one line for each, such as
//     Begin realization blur.0(0, 8, 0, 4)
//     Store blur.0(3, 2) = 17
//     Load blur.1(<0, 1>, <2, 2>) = <4, 5>
// or, where the program or HL_TRACE_FILE names a file, writes a packet to it (trace_file.cpp). The number after the
// Func is the tuple component. A line is passed to the print hook in one piece, so that
// lines of several threads do not mix. Ids count up from 1 in the process.
//
// Relies on: the print hook. Does not do: files, filtering. Cost: about a microsecond per line.

#include "runtime/catcher.h"
#include "runtime/replaceable.h"
#include "runtime/text.h"
#include "runtime/trace_file.h"

#include <atomic>
#include <cstring>

namespace {

using fluorite_runtime::to_text;

const char *event_name(fluorite_trace_event_code_t event) {
    static const char *const names[] = {
        "Load",    "Store",       "Begin realization", "End realization", "Produce", "End produce",
        "Consume", "End consume", "Begin pipeline",    "End pipeline",    "Tag"};
    return event >= 0 && event <= fluorite_trace_tag ? names[event] : "Unknown event";
}

bool carries_value(fluorite_trace_event_code_t event) {
    return event == fluorite_trace_load || event == fluorite_trace_store;
}

// `count` texts as `a` or as `<a, b, c>`.
template <typename TextOf> std::string vector_text(int count, TextOf text_of) {
    std::string text = count > 1 ? "<" : "";
    for (int i = 0; i < count; i++) {
        text += (i > 0 ? ", " : "") + text_of(i);
    }
    return count > 1 ? text + ">" : text;
}

std::string coordinates_text(const fluorite_trace_event_t &event, int lanes) {
    std::string text;
    for (int at = 0; at < event.dimensions; at += lanes) {
        text += at > 0 ? ", " : "";
        text += vector_text(lanes, [&](int lane) { return to_text(int64_t{event.coordinates[at + lane]}); });
    }
    return text;
}

std::string line_of(const fluorite_trace_event_t &event) {
    const bool with_value = carries_value(event.event);
    const int lanes = with_value && event.type.lanes > 1 ? event.type.lanes : 1;
    std::string text = std::string(event_name(event.event)) + " " + (event.func != nullptr ? event.func : "");
    text += "." + to_text(int64_t{event.value_index}) + "(" + coordinates_text(event, lanes) + ")";
    if (with_value && event.value != nullptr) {
        const fluorite_type_t scalar = event.type.element_of();
        const auto *values = static_cast<const uint8_t *>(event.value);
        text += " = " + vector_text(lanes, [&](int lane) { return to_text(scalar, values + lane * scalar.bytes()); });
    }
    if (event.trace_tag != nullptr && event.trace_tag[0] != 0) {
        text += std::string(" tag = \"") + event.trace_tag + "\"";
    }
    return text;
}

std::atomic<int32_t> next_id{1};

int32_t default_trace(void *context, const fluorite_trace_event_t *event) {
    const int32_t id = next_id.fetch_add(1, std::memory_order_relaxed) & INT32_MAX;
    if (const int file = halide_get_trace_file(context); file > 0) {
        fluorite_runtime::write_trace_packet(context, file, id, *event);
    } else {
        fluorite_print(context, (line_of(*event) + "\n").c_str());
    }
    return id;
}

std::atomic<fluorite_trace_t> trace_function{default_trace};

} // namespace

extern "C" {

int32_t fluorite_trace(void *context, const fluorite_trace_event_t *event) {
    return fluorite_runtime::call_hook(int32_t{1}, [&] { return halide_trace(context, event); });
}

fluorite_trace_t fluorite_set_custom_trace(fluorite_trace_t function) {
    return trace_function.exchange(function != nullptr ? function : default_trace);
}

size_t fluorite_format_trace_event(const fluorite_trace_event_t *event, char *text, size_t size) {
    const std::string line = line_of(*event);
    if (size > 0) {
        const size_t count = line.size() < size - 1 ? line.size() : size - 1;
        std::memcpy(text, line.data(), count);
        text[count] = 0;
    }
    return line.size();
}

int32_t fluorite_own_halide_trace(void *context, const halide_trace_event_t *event) {
    return trace_function.load(std::memory_order_relaxed)(context, event);
}
int32_t halide_default_trace(void *context, const halide_trace_event_t *event) { return default_trace(context, event); }
halide_trace_t halide_set_custom_trace(halide_trace_t function) { return fluorite_set_custom_trace(function); }
}

FLUORITE_REPLACEABLE(int32_t, halide_trace, (void *context, const halide_trace_event_t *event));
