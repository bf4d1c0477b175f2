// Extern stages in the interpreter.
//
// The function is called twice, as compiled code does (loopnest/regions/extern_queries.cpp): in a bounds query with
// headers without memory, then with dense buffers of exactly the boxes that it has asked for, filled with the values of
// the Funcs. Inputs are passed as they are bound.
//
// Cost: that of the function, and of the points that it reads.

#include "interpret/extern_stage.h"

#include "interpret/extern_call.h"
#include "ir/extern_stage.h"

#include <memory>

namespace fluorite::interpret {

namespace {

/// A buffer with memory of its own, or none.
class OwnBuffer {
  public:
    OwnBuffer(Type type, const Region &box) : dims_(box.min.size()) {
        int32_t stride = 1;
        for (size_t d = 0; d < dims_.size(); d++) {
            dims_[d] = fluorite_dimension_t(box.min[d], box.extent[d], stride);
            stride *= box.extent[d];
        }
        buffer_.type =
            fluorite_type_t(static_cast<fluorite_type_code_t>(type.code()), static_cast<uint8_t>(type.bits()));
        buffer_.dimensions = static_cast<int32_t>(dims_.size());
        buffer_.dim = dims_.data();
    }
    OwnBuffer(const OwnBuffer &) = delete;
    OwnBuffer &operator=(const OwnBuffer &) = delete;

    void allocate() {
        memory_.resize(buffer_.number_of_elements() * static_cast<size_t>(buffer_.type.bytes()) + 1);
        buffer_.host = memory_.data();
    }
    fluorite_buffer_t *get() { return &buffer_; }
    Region box() const {
        Region box;
        for (const fluorite_dimension_t &dim : dims_) {
            box.min.push_back(dim.min);
            box.extent.push_back(dim.extent);
        }
        return box;
    }

  private:
    fluorite_buffer_t buffer_ = {};
    std::vector<fluorite_dimension_t> dims_;
    std::vector<uint8_t> memory_;
};

template <typename Visit> void visit_points(const Region &box, const Visit &visit) {
    for (const int32_t extent : box.extent) {
        if (extent <= 0) {
            return;
        }
    }
    std::vector<int32_t> point = box.min;
    for (bool more = true; more;) {
        visit(point.data());
        more = false;
        for (size_t d = 0; d < point.size() && !more; d++) {
            more = ++point[d] < box.min[d] + box.extent[d];
            point[d] = more ? point[d] : box.min[d];
        }
    }
}

class ExternRun {
  public:
    ExternRun(Bindings &bindings, const ir::FuncDef &func, const Region &box, const ExternHost &host)
        : bindings_(bindings), func_(func), stage_(*ir::find_extern_stage(func)), box_(box), host_(host) {}

    void run() {
        add_operands();
        for (const Type type : func_.types) {
            outputs_.push_back(std::make_unique<OwnBuffer>(type, box_));
            add_argument(Handle(), reinterpret_cast<Cell>(outputs_.back()->get()));
        }
        const CFunction function(bindings_.extern_address(ir::extern_function(stage_)), types_, Int(32));
        call(function, "in a bounds query ");
        for (size_t i = 0; i < inputs_.size(); i++) {
            fill(i);
        }
        for (const std::unique_ptr<OwnBuffer> &output : outputs_) {
            output->allocate();
        }
        call(function, "");
        store();
    }

  private:
    Bindings &bindings_;
    const ir::FuncDef &func_;
    const ir::ExprNode &stage_;
    const Region &box_;
    const ExternHost &host_;
    std::vector<Type> types_;
    std::vector<Cell> arguments_;
    std::vector<std::unique_ptr<OwnBuffer>> inputs_, outputs_;
    struct Source {
        Expr access;
        size_t argument;
    };
    std::vector<Source> sources_; // by input

    void add_argument(Type type, Cell value) {
        types_.push_back(type);
        arguments_.push_back(value);
    }

    void add_operands() {
        for (const Expr &operand : ir::extern_operands(stage_)) {
            const Expr access = ir::extern_access(operand);
            if (!access.defined()) {
                add_argument(operand.type(), host_.values({operand})[0]);
                continue;
            }
            const ir::Parameter *parameter =
                access->kind() == ir::ExprKind::Image ? ir::parameter_of(access->symbol()) : nullptr;
            if (parameter && parameter->is_bound_buffer) {
                add_argument(Handle(), reinterpret_cast<Cell>(bindings_.input(access->symbol()).buffer));
                continue;
            }
            const std::vector<int32_t> none(access->arg_count());
            inputs_.push_back(std::make_unique<OwnBuffer>(access.type(), Region{none, none}));
            sources_.push_back({access, arguments_.size()});
            add_argument(Handle(), reinterpret_cast<Cell>(inputs_.back()->get()));
        }
    }

    void call(const CFunction &function, const char *when) const {
        const auto result = static_cast<int32_t>(function(arguments_.data()));
        if (result != 0) {
            throw RuntimeError("extern-failed",
                               concat("in ", func_.name(), ": the extern function ", ir::extern_function(stage_), " ",
                                      when, "returned ", result,
                                      "; a result other than 0 ends the run; look at what the function reports"),
                               func_.location);
        }
    }

    /// Gives the function what it has asked for.
    void fill(size_t i) {
        const Expr &access = sources_[i].access;
        if (access->kind() == ir::ExprKind::Image) {
            arguments_[sources_[i].argument] = reinterpret_cast<Cell>(bindings_.input(access->symbol()).buffer);
            return;
        }
        OwnBuffer &header = *inputs_[i];
        const Region asked = header.box();
        inputs_[i] = std::make_unique<OwnBuffer>(access.type(), asked);
        inputs_[i]->allocate();
        fluorite_buffer_t *buffer = inputs_[i]->get();
        arguments_[sources_[i].argument] = reinterpret_cast<Cell>(buffer);
        const size_t func = access->symbol().owner().func.index();
        const auto element = static_cast<size_t>(access->member().index);
        visit_points(asked, [&](const int32_t *point) {
            store_element(buffer->address_of(point), access.type(), host_.read(func, element, point));
        });
    }

    void store() const {
        std::vector<Cell> values(func_.types.size());
        visit_points(box_, [&](const int32_t *point) {
            for (size_t k = 0; k < values.size(); k++) {
                values[k] = find_loader(func_.types[k])(outputs_[k]->get()->address_of(point));
            }
            host_.store(point, values);
        });
    }
};

} // namespace

void run_extern_stage(Bindings &bindings, const ir::FuncDef &func, const Region &box, const ExternHost &host) {
    ExternRun(bindings, func, box, host).run();
}

} // namespace fluorite::interpret
