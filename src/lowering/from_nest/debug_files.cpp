// Files of the values of Funcs (Func::debug_to_file).
//
//   realize f over [a, +w) { S }
//   -->
//   realize f over [a, +w) {
//     S
//     let f.file0 = extern.header(0, address of f at a, ...)(a, w)
//     let f.file.code = fluorite_debug_to_file("f.npy", f.file0)
//     assert f.file.code == 0 else f.file.code
//   }
// So a file has all that is stored of the Func, whichever part a production computes; where the Func is stored several
// times, the last one is in the file. Of a tuple, each element has a file, with its number before the extension. The
// values of an output are those of its whole buffer, at the end of the run.
//
// Relies on: the storage is not folded (loopnest/windows/folds.cpp); headers are as for extern stages. Does not do:
// Funcs inside of kernels, which find no function of the runtime. Cost: that of the files.

#include "lowering/from_nest/debug_files.h"

#include "ir/extern_stage.h"
#include "ir/let_symbol.h"
#include "loopnest/buffer_table.h"
#include "loopnest/explain/schedule_cost.h"
#include "lowering/from_nest/build_extern.h"
#include "support/check.h"

namespace fluorite::lowering {

using namespace ir;
using namespace loopnest;

namespace {

/// The name of the file of an element.
std::string path_of(const FuncDef &func, size_t element) {
    if (func.types.size() == 1) {
        return func.debug_file;
    }
    const size_t slash = func.debug_file.rfind('/'), dot = func.debug_file.rfind('.');
    const bool has_extension = dot != std::string::npos && (slash == std::string::npos || dot > slash);
    const size_t at = has_extension ? dot : func.debug_file.size();
    return concat(func.debug_file.substr(0, at), ".", element, func.debug_file.substr(at));
}

/// What is stored of the Func.
analysis::Box stored_box(const BoundedLoopNest &nest, const FuncDef &func) {
    analysis::Box box;
    for (size_t d = 0; d < func.dimensions(); d++) {
        const Symbol buffer = buffer_of(func, 0);
        const int dim = static_cast<int>(d);
        const Range range = nest.graph.pipeline.graph.is_output(func.id())
                                ? Range{make_field(buffer, Field::Min, dim), make_field(buffer, Field::Extent, dim)}
                                : nest.regions.func(func.id()).storage[d];
        box.push_back({range.min, sub(add(range.min, range.extent), int32(1))});
    }
    return box;
}

void refuse_on_device(const BoundedLoopNest &nest, const FuncDef &func) {
    for (const NestLoop *loop : loops_around(nest, nest.placement.store[func.id().index()]).loops) {
        if (is_of_device(loop->for_type) || loop->for_type == ForType::Vectorized) {
            throw CompileError("debug-file",
                               concat("in ", func.user_name(), ": debug_to_file writes what is stored inside of loop ",
                                      loop->name,
                                      ", whose iterations are lanes or threads of a device; a file is "
                                      "written by one thread of the host; store it further out"),
                               func.location);
        }
    }
}

} // namespace

Stmt write_debug_files(const BoundedLoopNest &nest, FuncId id) {
    const FuncDef &func = nest.graph.func(id);
    if (func.debug_file.empty()) {
        return {};
    }
    refuse_on_device(nest, func);
    const analysis::Box box = stored_box(nest, func);
    std::vector<Stmt> files;
    for (size_t k = 0; k < func.types.size(); k++) {
        const Expr access =
            make_call(func.types[k], func.symbol, static_cast<int>(k), std::vector<Expr>(func.dimensions(), int32(0)));
        const Expr made = header_of_box(static_cast<int>(k), access, box);
        const Symbol header = let_symbol(concat(func.name(), ".file", k), made);
        const Expr written = make_extern(Int(32), "fluorite_debug_to_file",
                                         std::vector<Expr>{make_string(path_of(func, k)), make_var(Handle(), header)});
        const Symbol code = let_symbol(concat(func.name(), ".file", k, ".code"), written);
        const Expr result = make_var(Int(32), code);
        files.push_back(
            LetStmt::make(header, made, LetStmt::make(code, written, Assert::make(equals(result, int32(0)), result))));
    }
    return Block::make(files);
}

} // namespace fluorite::lowering
