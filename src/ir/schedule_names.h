#pragma once
// The names of the enumerators that schedules consist of, as texts of schedules and messages have them. The words of
// loop IR (text_names.h) are others: `in stack` is of MemoryType::Stack.

#include "fluorite/schedule_types.h"

namespace fluorite::ir {

// Precondition: the value is an enumerator; operator<< prints any.
const char *enumerator_name(TailStrategy tail);
const char *enumerator_name(MemoryType memory);
const char *enumerator_name(LoopAlignStrategy align);
const char *enumerator_name(Partition partition);
const char *enumerator_name(PrefetchBoundStrategy strategy);

} // namespace fluorite::ir
