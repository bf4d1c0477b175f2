// The rows of directives that schedules do not hold, because programs have the objects that they make or mean: in() and
// clone_in() make Funcs (language/func.cpp), time_tile() is one of an iteration (language/iterate.cpp). Lines of a
// schedule that name them are applied by language/.

#include "schedule/directives/common.h"
#include "schedule/directives/rows.h"

namespace fluorite::schedule {

DirectiveRow row_of_in() {
    return {.args = {{ArgKind::Func, Arity::Rest}},
            .subject = Subject::Funcs,
            .meaning = uncovered(begins_later),
            .example = "blur_x.in(blur_y)",
            .leaves_nothing = true};
}

DirectiveRow row_of_clone_in() {
    return {.args = {{ArgKind::Func, Arity::Rest}},
            .subject = Subject::Funcs,
            .meaning = uncovered(begins_later),
            .example = "blur_x.clone_in(blur_y)",
            .leaves_nothing = true};
}

DirectiveRow row_of_time_tile() {
    return {.again = Again::Replace,
            .slot = "time tile",
            .args = {{ArgKind::Integer}, {ArgKind::Integer, Arity::OptionalList}, {ArgKind::Shape, Arity::Optional}},
            .subject = Subject::Time,
            .meaning = uncovered("terms have no steps of an iteration"),
            .example = "total.time_tile(5, {0, 64}, Wavefront)"};
}

} // namespace fluorite::schedule
