// Wrappers: f.in(g) puts a Func with the values of f between f and its consumer g, to be scheduled apart.
//
// Definitions stay as the user wrote them; freezing puts the wrapper in place of f where g calls it.

#include "fluorite/func.h"
#include "fluorite/image_param.h"
#include "language/function.h"

#include <algorithm>

namespace fluorite {

namespace language {

namespace {

bool lists(const Wrapper &wrapper, const Function &consumer) {
    return std::find(wrapper.consumers.begin(), wrapper.consumers.end(), consumer.def.symbol) !=
           wrapper.consumers.end();
}

std::string wrapper_name(const Function &function, const std::vector<Function *> &consumers) {
    std::string name = shown_name(function.name);
    for (const Function *consumer : consumers) {
        name += (consumer == consumers.front() ? "_in_" : "_") + shown_name(consumer->name);
    }
    return consumers.empty() ? name + "_global_wrapper" : name;
}

RefPtr<Function> make_wrapper(const Function &function, const std::vector<Function *> &consumers,
                              const Location &location) {
    RefPtr<Function> wrapper = make_function(wrapper_name(function, consumers));
    std::vector<Expr> args;
    for (const ir::Symbol &arg : function.def.args) {
        args.push_back(ir::make_var(Int(32), arg));
    }
    ir::Stage stage;
    stage.args = args;
    stage.location = location;
    for (size_t i = 0; i < function.def.types.size(); i++) {
        stage.values.push_back(ir::make_call(function.def.types[i], function.def.symbol, static_cast<int>(i), args));
    }
    ir::FuncDef &def = wrapper->def;
    def.args = function.def.args;
    def.arg_names = function.def.arg_names;
    def.types = function.def.types;
    def.location = location;
    wrapper->schedule.stages.push_back(schedule::default_stage_schedule(def, stage, false));
    def.stages.push_back(std::move(stage));
    wrapper->callees.push_back(const_cast<Function *>(&function));
    return wrapper;
}

} // namespace

const Function *Function::as_called_by(const Function &consumer) const {
    const Function *for_all = this;
    for (const Wrapper &wrapper : wrappers) {
        if (wrapper.function.get() == &consumer || &consumer == this) {
            return this;
        }
        for_all = wrapper.consumers.empty() ? wrapper.function.get() : for_all;
    }
    for (const Wrapper &wrapper : wrappers) {
        if (lists(wrapper, consumer)) {
            return wrapper.function.get();
        }
    }
    if (for_all == this && consumer.partial_of && consumer.partial_of != this) {
        return as_called_by(*consumer.partial_of); // its update was the consumer's
    }
    return for_all;
}

RefPtr<Function> wrapper_for(Function &function, const std::vector<Function *> &consumers, const Location &location) {
    if (!function.defined()) {
        fail("undefined-func", function, -1,
             "in() is called but it has no definition; a wrapper has the values of a definition; define it first",
             location);
    }
    for (const Wrapper &wrapper : function.wrappers) {
        size_t listed = 0;
        for (const Function *consumer : consumers) {
            listed += lists(wrapper, *consumer) ? 1 : 0;
        }
        if (listed == consumers.size() && listed == wrapper.consumers.size()) {
            return wrapper.function;
        }
        if (listed != 0) {
            fail("wrapper-exists", function, -1,
                 "in() names a consumer that has the wrapper " + shown_name(wrapper.function->name) +
                     " already; a consumer calls one wrapper of a Func; call in() with the same consumers again to get "
                     "it",
                 location);
        }
    }
    Wrapper wrapper;
    for (const Function *consumer : consumers) {
        wrapper.consumers.push_back(consumer->def.symbol);
    }
    wrapper.function = make_wrapper(function, consumers, location);
    function.wrappers.push_back(wrapper);
    function.edits++;
    return wrapper.function;
}

} // namespace language

using namespace language;

namespace {
Func as_func(const RefPtr<Function> &function) { return Func(detail::Ref<Function>(function.get())); }
} // namespace

Func Func::in(const Func &consumer, const Location &location) { return in(std::vector<Func>{consumer}, location); }

Func Func::in(const std::vector<Func> &consumers, const Location &location) {
    std::vector<Function *> functions;
    for (const Func &consumer : consumers) {
        functions.push_back(consumer.function().get());
    }
    if (functions.empty()) {
        fail("no-outputs", *function_, -1,
             "in() is given no consumers; a wrapper stands before one or more; name them, or use in() for all",
             location);
    }
    return as_func(wrapper_for(*function_, functions, location));
}

Func Func::in(const Location &location) { return as_func(wrapper_for(*function_, {}, location)); }

namespace {
[[noreturn]] void refuse_input_wrapper(const ImageParam &image, const Location &location) {
    fail("input-wrapper", shown_name(image.name()),
         "in() is called on an ImageParam; wrappers stand before Funcs; define a Func that reads the ImageParam, let "
         "the "
         "consumers call it, and schedule it",
         location);
}
} // namespace

Func ImageParam::in(const Func &, const Location &location) { refuse_input_wrapper(*this, location); }
Func ImageParam::in(const Location &location) { refuse_input_wrapper(*this, location); }

} // namespace fluorite
