// The region that is required of an output: the box of the buffer that the caller passes.
//
// In each dimension, min and extent are fields of that buffer, known when the pipeline runs. Promises of the program
// that are constants replace them: they are checked before anything is computed.
//
// Cost: linear in the dimensions.

#include "loopnest/regions/output_region.h"

#include "loopnest/buffer_table.h"

namespace fluorite::loopnest {

using namespace ir;

analysis::Box output_region(const LoweringGraph &graph, FuncId output) {
    analysis::Box box;
    const FuncDef &func = graph.func(output);
    const Symbol buffer = buffer_of(func, 0);
    for (size_t d = 0; d < func.dimensions(); d++) {
        Expr min = make_field(buffer, Field::Min, static_cast<int>(d));
        Expr extent = make_field(buffer, Field::Extent, static_cast<int>(d));
        if (!func.output_buffers.empty() && d < func.output_buffers[0].dims.size()) {
            const DimConstraint &promise = func.output_buffers[0].dims[d];
            min = promise.min.defined() && is_const(promise.min) ? promise.min : min;
            extent = promise.extent.defined() && is_const(promise.extent) ? promise.extent : extent;
        }
        box.push_back({min, sub(add(min, extent), int32(1))});
    }
    return box;
}

} // namespace fluorite::loopnest
