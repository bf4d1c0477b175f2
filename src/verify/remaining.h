#pragma once
// The directives of a schedule of which no part of a certificate speaks.

#include "schedule/directives/table.h"
#include "verify/certify.h"

#include <span>

namespace fluorite::verify {

/// Lists those of the lines, a schedule in normal form, that the certificate does not list, each with what it means to
/// values and to the certificate: `found` then has every directive of the schedule of the graph.
void note_remaining(std::span<const schedule::Directive> lines, const ir::Graph &graph, Certified &found);

} // namespace fluorite::verify
