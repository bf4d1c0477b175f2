// Faults on request. Faults in machine code are planted here, in the statement that becomes machine code; those in
// passes are in the library that fluorite_fuzz_planted links (tests/planted/plant.h). The self-test plants one after
// the other.

#include "plants.h"

#include "driver/choose_backend.h"
#include "ir/stmt.h"
#include "lowering/loops/outline_tasks.h"

namespace fluorite::fuzz {

namespace {

class Planter : public ir::Mutator {
  public:
    explicit Planter(std::string plant) : plant_(std::move(plant)) {}
    using ir::Mutator::mutate;

    Expr mutate(const Expr &expr) override {
        Expr result = recurse(expr);
        if (plant_ == "mod" && result->kind() == ir::ExprKind::Mod && result.type().is_int()) {
            return ir::make_binary(ir::ExprKind::Remainder, result->arg(0), result->arg(1));
        }
        if (plant_ == "max" && result->kind() == ir::ExprKind::Max && result.type().is_vector()) {
            return result->arg(0);
        }
        return result;
    }
    ir::Stmt mutate(const ir::Stmt &stmt) override {
        ir::Stmt result = recurse(stmt);
        if (plant_ == "wait" && result.as<ir::Assert>() && is_wait(result.as<ir::Assert>()->condition)) {
            return {};
        }
        const ir::For *loop = result.as<ir::For>();
        if (plant_ == "loop" && loop && loop->for_kind == ForType::Serial) {
            Expr shorter =
                ir::sub(loop->extent, ir::make_cast(Int(32), ir::less(ir::make_int(Int(32), 4), loop->extent)));
            return ir::For::make(loop->var, loop->min, shorter, loop->for_kind, loop->body, loop->partition);
        }
        return result;
    }

  private:
    std::string plant_;

    static bool is_wait(const Expr &condition) {
        bool found = false;
        ir::for_each_node(condition, [&](const Expr &node) {
            found = found || (node->kind() == ir::ExprKind::Extern && node->text() == "fluorite_semaphore_acquire");
        });
        return found;
    }
};

} // namespace

planted::Fault fault_of(const std::string &plant) {
    return plant == "sliding"  ? planted::Fault::Sliding
           : plant == "fold"   ? planted::Fault::Fold
           : plant == "still"  ? planted::Fault::Still
           : plant == "halo"   ? planted::Fault::Halo
           : plant == "region" ? planted::Fault::Region
           : plant == "binder" ? planted::Fault::Binder
                               : planted::Fault::None;
}

driver::CompiledPipeline compile_with_fault(const Pipeline &pipeline, const driver::CompiledPipeline &compiled,
                                            const std::string &plant) {
    const planted::PlantedFault fault(fault_of(plant));
    ir::LoweredModule module =
        ir::with_tasks_in_place(driver::lower_for(*pipeline.contents(), compiled.target, "faulty"));
    module.entry().body = Planter(plant).mutate(module.entry().body);
    driver::CompiledPipeline faulty;
    faulty.target = compiled.target;
    faulty.args = module.entry().args;
    faulty.parameters = compiled.parameters;
    faulty.outputs = compiled.outputs;
    faulty.code =
        driver::backend_in_process(faulty.target).load(lowering::outline_tasks(std::move(module)), faulty.target, {});
    return faulty;
}

const std::vector<Plant> &plants() {
    static const std::vector<Plant> all = {{"mod", 13, 30, 20},
                                           {"loop", 4, 30, 12},
                                           {"max", 42, 30, unshrunk},
                                           {"sliding", 8, 30, unshrunk},
                                           {"fold", 245, 30, unshrunk},
                                           {"still", 12, 30, unshrunk},
                                           {"halo", 63, 30, 20},
                                           {"region", 11, 30, 20},
                                           {"wait", 32, 60, 30},
                                           {"refusal", 15, 10, 0},
                                           {"slow", 0, 30, 30, Outcome::Kind::TooLong},
                                           {"binder", 13, 30, 20, Outcome::Kind::Internal}};
    return all;
}

} // namespace fluorite::fuzz
