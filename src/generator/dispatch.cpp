// Functions that are compiled for several targets.
//
//   func f(in, n, out) {
//     if halide_can_use_features("avx2,fma") != 0 {
//       let code = f_x86_64_linux_avx2_fma(in, n, out)
//       assert code == 0 else code
//     } else { ... the next target; the last one is not asked for }
//   }
//
// Each variant is a function and an object of its own, so linkers and profilers show them.

#include "generator/dispatch.h"

#include "ir/stmt.h"
#include "lowering/compose.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite::generators {

using namespace ir;

namespace {

bool is_of_processor(int feature) { return feature >= Target::SSE41 && feature <= Target::AVX512_SapphireRapids; }

Target without_processor(Target target) {
    for (int i = 0; i < Target::FeatureEnd; i++) {
        if (is_of_processor(i)) {
            target.set_feature(static_cast<Target::Feature>(i), false);
        }
    }
    target.processor_tune = Target::ProcessorGeneric;
    return target;
}

} // namespace

std::string processor_features(const Target &target) {
    std::string list;
    for (int i = 0; i < Target::FeatureEnd; i++) {
        const auto feature = static_cast<Target::Feature>(i);
        if (is_of_processor(i) && target.has_feature(feature)) {
            list += (list.empty() ? "" : ",") + Target::feature_to_name(feature);
        }
    }
    return list;
}

void check_targets(const std::string &where, const std::vector<Target> &targets) {
    const Target &last = targets.back();
    for (size_t i = 0; i < targets.size(); i++) {
        const auto fail = [&](const std::string &seen, const std::string &rule) {
            throw CompileError("generator-targets",
                               concat(where, " names ", targets[i].to_string(), seen, "; ", rule, "; change the list"));
        };
        if (without_processor(targets[i]) != without_processor(last)) {
            fail(" and " + last.to_string(), "the targets of one function differ in features of the processor only");
        }
        for (int f = 0; f < Target::FeatureEnd; f++) {
            const auto feature = static_cast<Target::Feature>(f);
            if (is_of_processor(f) && last.has_feature(feature) && !targets[i].has_feature(feature)) {
                fail(" before " + last.to_string(),
                     "the last target is that of every processor that runs the function");
            }
        }
        if (std::count(targets.begin(), targets.end(), targets[i]) > 1) {
            fail(" twice", "each target is there once");
        }
    }
}

LoweredModule dispatching_module(const std::string &name, const LoweredFunc &like,
                                 const std::vector<Variant> &variants) {
    std::vector<Expr> operands;
    for (const LoweredArg &arg : like.args) {
        operands.push_back(lowering::argument_operand(arg));
    }
    Stmt body;
    for (auto variant = variants.rbegin(); variant != variants.rend(); ++variant) {
        const Expr run = make_extern(Int(32), variant->function, operands);
        const Symbol code(SymbolKind::Let, concat("code", variant - variants.rbegin()));
        const Expr result = make_var(Int(32), code);
        const Stmt call = LetStmt::make(code, run, Assert::make(equals(result, make_int(Int(32), 0)), result));
        const std::vector<Expr> features = {make_string(processor_features(variant->target))};
        const Expr can_use = make_extern(Int(32), "halide_can_use_features", features);
        body = body.defined() ? IfThenElse::make(make_binary(ExprKind::NE, can_use, make_int(Int(32), 0)), call, body)
                              : call;
    }
    LoweredModule module;
    module.funcs.push_back({});
    module.entry().name = name;
    module.entry().args = like.args;
    module.entry().body = body;
    return module;
}

} // namespace fluorite::generators
