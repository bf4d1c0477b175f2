// The results of the profiler as a page: the table of Funcs, and a timeline.
//
// What: a page of HTML without references to others. Its script has the results (json.cpp) and what each thread did:
//     events = [[pipeline, thread, func, begin, length], ...]     in microseconds from the first event on
// It draws, for each thread, a line of boxes in the colour of their Func; the pointer shows which one, and the wheel
// zooms. A page with more events than it draws merges those that are less than a pixel wide.
//
// Relies on: events were recorded (fluorite_profile_set_timeline); without any, the page has only the table. Cost: that
// of the text.

#include "runtime/profile/profile.h"
#include "runtime/text.h"

#include <algorithm>
#include <limits>

namespace fluorite_runtime::profile {

namespace {

constexpr const char *before_data = R"page(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Profile</title>
<style>
body { font: 14px sans-serif; margin: 1.5em; color: #222; background: #fff; }
table { border-collapse: collapse; margin-bottom: 1em; }
th, td { padding: 2px 12px; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; }
.colour { display: inline-block; width: 10px; height: 10px; margin-right: 6px; }
.bar { background: #cde; height: 10px; }
canvas { width: 100%; border: 1px solid #ccc; cursor: crosshair; }
#label { height: 1.4em; font-family: monospace; }
</style></head><body>
<div id="tables"></div><div id="label"></div><canvas id="timeline"></canvas>
<script>
"use strict";
const profile = )page";

constexpr const char *after_data = R"page(
const funcs = new Map();
const colour = name => {
  if (!funcs.has(name)) funcs.set(name, `hsl(${(funcs.size * 137.5) % 360} 60% 60%)`);
  return funcs.get(name);
};
const cell = (row, text, tag) => {
  const made = document.createElement(tag || "td");
  made.textContent = text;
  row.appendChild(made);
  return made;
};
const ms = nanoseconds => (nanoseconds / 1e6).toFixed(3);
for (const p of profile.pipelines) {
  const title = document.createElement("h2");
  title.textContent = `${p.name}: ${ms(p.nanoseconds)} ms, ${p.runs} runs, ${p.threads.toFixed(2)} threads, ` +
    `${p.allocations} allocations, at most ${p.peak_bytes} bytes`;
  const table = document.createElement("table"), head = table.insertRow();
  for (const word of ["Func", "ms", "%", "", "threads", "peak bytes", "allocations", "stack bytes", "produced",
                      "points", "recompute"]) cell(head, word, "th");
  for (const f of p.funcs) {
    if (f.nanoseconds === 0 && f.productions === 0 && f.allocations === 0) continue;
    const row = table.insertRow(), share = p.nanoseconds ? 100 * f.nanoseconds / p.nanoseconds : 0;
    const box = document.createElement("span");
    box.className = "colour";
    box.style.background = colour(f.name);
    cell(row, f.name).prepend(box);
    cell(row, ms(f.nanoseconds));
    cell(row, share.toFixed(1));
    const bar = document.createElement("div");
    bar.className = "bar";
    bar.style.width = `${Math.round(1.5 * share)}px`;
    cell(row, "").appendChild(bar);
    for (const value of [f.threads.toFixed(2), f.peak_bytes, f.allocations, f.stack_bytes, f.productions, f.points,
                         f.needed ? (f.points / f.needed).toFixed(3) : ""]) cell(row, value);
  }
  document.getElementById("tables").append(title, table);
}
const canvas = document.getElementById("timeline"), label = document.getElementById("label");
const threads = [...new Set(events.map(e => e[1]))].sort((a, b) => a - b), lane = 22;
let from = 0, to = Math.max(1, ...events.map(e => e[3] + e[4]));
const whole = to;
const draw = () => {
  const width = canvas.clientWidth, scale = width / (to - from), pen = canvas.getContext("2d");
  canvas.width = width;
  canvas.height = lane * threads.length + 18;
  pen.font = "11px sans-serif";
  const drawn = threads.map(() => -1);
  for (const [p, thread, func, begin, length] of events) {
    const left = (begin - from) * scale, right = (begin + length - from) * scale, row = threads.indexOf(thread);
    if (right < 0 || left > width || (right <= drawn[row] && right - left < 1)) continue;
    const name = profile.pipelines[p].funcs[func].name;
    pen.fillStyle = colour(name);
    pen.fillRect(left, row * lane + 1, Math.max(1, right - left), lane - 2);
    drawn[row] = Math.max(drawn[row], Math.ceil(right));
    if (right - left > 8 * name.length) {
      pen.fillStyle = "#000";
      pen.fillText(name, Math.max(left, 0) + 3, row * lane + 15);
    }
  }
  pen.fillStyle = "#000";
  pen.fillText(`${(from / 1000).toFixed(3)} ms`, 2, canvas.height - 4);
  pen.fillText(`${(to / 1000).toFixed(3)} ms`, width - 80, canvas.height - 4);
};
const time_at = event => from + event.offsetX / canvas.clientWidth * (to - from);
canvas.addEventListener("mousemove", event => {
  const time = time_at(event), thread = threads[Math.floor(event.offsetY / lane)];
  const found = events.find(e => e[1] === thread && e[3] <= time && time < e[3] + e[4]);
  label.textContent = found ? `${profile.pipelines[found[0]].funcs[found[2]].name}, thread ${thread}, ` +
    `${(found[3] / 1000).toFixed(3)} ms, ${(found[4] / 1000).toFixed(3)} ms long` : "";
});
canvas.addEventListener("wheel", event => {
  event.preventDefault();
  const time = time_at(event), factor = event.deltaY > 0 ? 1.25 : 0.8;
  from = Math.max(0, time - (time - from) * factor);
  to = Math.min(whole, time + (to - time) * factor);
  draw();
});
if (events.length === 0) canvas.remove(); else { draw(); addEventListener("resize", draw); }
</script></body></html>
)page";

std::string events() {
    std::string text;
    uint64_t first = std::numeric_limits<uint64_t>::max();
    std::vector<const Pipeline *> pipelines;
    for (void *at = state().pipelines; at != nullptr;) {
        const auto *pipeline = static_cast<const Pipeline *>(static_cast<halide_profiler_pipeline_stats *>(at));
        at = pipeline->next;
        if (pipeline->runs > 0) {
            pipelines.push_back(pipeline);
        }
        for (const Span &span : pipeline->spans) {
            first = std::min(first, span.begin);
        }
    }
    const auto microseconds = [](uint64_t time) { return to_text(static_cast<double>(time) / 1000); };
    for (size_t p = 0; p < pipelines.size(); p++) {
        for (const Span &span : pipelines[p]->spans) {
            text += (text.empty() ? "[" : ",\n[") + to_text(static_cast<uint64_t>(p)) + "," +
                    to_text(int64_t{span.thread}) + "," + to_text(int64_t{span.func}) + "," +
                    microseconds(span.begin - first) + "," + microseconds(span.end - span.begin) + "]";
        }
    }
    return "[" + text + "]";
}

} // namespace

std::string page() { return before_data + json() + ";\nconst events = " + events() + ";" + after_data; }

} // namespace fluorite_runtime::profile
