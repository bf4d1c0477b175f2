// Buffers in expressions: each header that an expression reads becomes an input of the pipeline, bound to that buffer.
//
// The attachment of the header refers to its Parameter without owning it, while the Parameter owns the header. So all
// reads of one header share one input, the header lives as long as expressions read it, and there is no ownership
// cycle.

#include "fluorite/argument.h"
#include "fluorite/buffer.h"

#include "language/coordinates.h"
#include "language/function.h"

#include <mutex>

namespace fluorite {

using namespace language;

namespace {

struct BufferParameter;

/// The object that a header's attachment points to.
struct Slot {
    std::mutex mutex;
    BufferParameter *parameter = nullptr;
};

struct BufferParameter : ir::Parameter {
    std::shared_ptr<Slot> slot;
    ~BufferParameter() override {
        std::lock_guard lock(slot->mutex);
        if (slot->parameter == this) {
            slot->parameter = nullptr;
        }
    }
};

std::mutex attach_mutex;

RefPtr<ir::Parameter> parameter_of_buffer(const Buffer<> &buffer) {
    const std::shared_ptr<buffer_detail::Contents> &contents = buffer.contents();
    std::shared_ptr<Slot> slot;
    {
        std::lock_guard lock(attach_mutex);
        if (!contents->attachment) {
            contents->attachment = std::make_shared<Slot>();
        }
        slot = std::static_pointer_cast<Slot>(contents->attachment);
    }
    std::lock_guard lock(slot->mutex);
    if (slot->parameter && slot->parameter->try_retain()) {
        const RefPtr<ir::Parameter> found(slot->parameter);
        slot->parameter->release();
        return found;
    }
    auto *parameter = new BufferParameter;
    parameter->slot = slot;
    parameter->name = buffer.name().empty() ? anonymous_name("b") : clean_name(buffer.name());
    parameter->type = buffer.type();
    parameter->is_buffer = true;
    parameter->is_bound_buffer = true;
    parameter->dimensions = buffer.dimensions();
    parameter->dims.resize(static_cast<size_t>(buffer.dimensions()));
    if (buffer.dimensions() > 0 && buffer.dim(0).stride() != 1) {
        parameter->dims[0].stride = buffer.dim(0).stride();
    }
    parameter->buffer = buffer.raw_buffer();
    parameter->keep_alive = contents;
    parameter->has_value = true;
    slot->parameter = parameter;
    return RefPtr<ir::Parameter>(parameter);
}

void check_defined(const Buffer<> &buffer, const char *seen, const Location &location) {
    if (!buffer.defined()) {
        fail("undefined-input", "an undefined Buffer",
             concat(seen, "; a Buffer has memory when it is used; allocate it first"), location);
    }
}

} // namespace

detail::Ref<ir::Parameter> detail::parameter_of(const Buffer<void, any_dims> &buffer, const Location &location) {
    check_defined(buffer, "it is an argument", location);
    return detail::Ref<ir::Parameter>(parameter_of_buffer(buffer).get());
}

Expr buffer_expr_call(const Buffer<void, any_dims> &buffer, const std::vector<Expr> &coordinates,
                      const Location &location) {
    check_defined(buffer, "it is read in an expression", location);
    const RefPtr<ir::Parameter> parameter = parameter_of_buffer(buffer);
    const std::vector<Expr> args =
        call_coordinates(coordinates, buffer.dimensions(), shown_name(parameter->name), location);
    return ir::make_image(buffer.type(), ir::Symbol(ir::SymbolKind::Buffer, parameter->name, {}, parameter.get()),
                          args);
}

} // namespace fluorite
