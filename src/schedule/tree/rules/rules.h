#pragma once
// The rules of trees, each a function that says what breaks it, in the user's names (../rules.cpp lists them).

#include "schedule/tree/tree.h"

#include <string>
#include <vector>

namespace fluorite::schedule {

using Objections = std::vector<Objection>;

inline void object(Objections &out, const char *rule, const std::string &reason) { out.push_back({rule, reason}); }

// ---- Of shape (shape.cpp): every Func has the nodes that it must have.

void nodes_exist(const Tree &tree, Objections &out);
void stages_follow(const Tree &tree, Objections &out);
void inlined_below_callers(const Tree &tree, Objections &out);

// ---- Of placement (placement.cpp). They require a legal shape.

void outputs_at_root(const Tree &tree, Objections &out);
void computed_before_read(const Tree &tree, Objections &out);
void storage_in_scope(const Tree &tree, Objections &out);
void computed_around_uses(const Tree &tree, Objections &out);
void storage_not_shared(const Tree &tree, Objections &out);

// ---- Of loops (loops.cpp). Except for steps_apply, they require a legal shape.

void steps_apply(const Tree &tree, Objections &out);
void widths_constant(const Tree &tree, Objections &out);
void loops_keep_dependences(const Tree &tree, Objections &out);

} // namespace fluorite::schedule
