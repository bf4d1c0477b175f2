#pragma once
// Windows that slide: tensors that are bound outside of a loop and computed inside of it, each iteration adding the
// rows that it and none before it needs (proofs/Slides.v).
//
// Method: for each binding, the dimension whose reads move with the loop; up to which row memory has to be computed
// when an iteration reads it, from the reads in the loop and from those of rows of later windows; for how many rows
// there has to be memory; and a witness for each read that its row is there. Cost: a witness or two for each read.

#include "verify/accesses/stores.h"

#include <map>

namespace fluorite::verify {

/// A binding of the target that the schedule computes at a loop inside of it; for how many rows the schedule asks for
/// memory, by the index of the dimension in the term.
struct SlideRequest {
    std::string tensor, loop;
    std::map<size_t, int64_t> folds = {};
};
/// What was found of a request.
struct SlideResult {
    std::string tensor;
    std::string reason; // why it does not slide; empty if it does
    Index rows = 0;     // in memory, of the dimension that slides: what is asked for, if that is enough
    size_t dimension = 0;
    size_t group = 0; // the number of the text that speaks of it
};
struct SlidePlans {
    std::vector<std::string> texts; // the groups, as certificates have them
    std::vector<SlideResult> results;
};

/// `stores` are those of the program's views, in order.
SlidePlans plan_slides(const Facts &facts, const Term &program, const std::vector<StorePlan> &stores,
                       const std::vector<SlideRequest> &requests);

} // namespace fluorite::verify
