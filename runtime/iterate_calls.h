#pragma once
// Calls of the parts of a module with iterations, and the queries of the regions that they read.

#include "runtime/iterate_fields.h"
#include "runtime/iterate_plan.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace fluorite_runtime::iterate {

/// An address for headers whose elements nobody accesses.
uint8_t *no_elements();

std::vector<fluorite_buffer_t *> buffers_in(std::vector<Header> &headers);

/// What the arguments of a call stand for, beside those of the entry and the results.
struct Bound {
    std::vector<Header> *state = nullptr, *before = nullptr;
    int32_t step = 0;
    std::vector<fluorite_buffer_t *> outputs, outputs_before;
};

/// The arguments of the entry, and the results of iterations, as the parts of the module get them.
class Calls {
  public:
    /// The plan and the operands outlive the calls.
    Calls(void *context, const Plan &plan, void *const *operands);

    /// Finds out whether an argument is a buffer without memory. Inputs without memory then keep the fields that the
    /// caller gave in copies, and themselves become empty boxes. Returns the code of an error that it reports, or 0.
    int start();
    bool is_query() const { return is_query_; }

    /// Calls a part. In a query, inputs of the entry without memory collect the regions that the part reads.
    int call(const Call &call, const Bound &bound, bool as_query);

    /// The fields of an iteration, for the parts that read them; those of all iterations stand in their order.
    void add_results(const std::vector<Header> &fields);

    void *context() const { return context_; }
    const char *name_of(const Iteration &iteration) const;
    size_t argument_count() const { return args_.size(); }
    /// Precondition: it is no scalar.
    fluorite_buffer_t *argument(size_t i) const { return static_cast<fluorite_buffer_t *>(args_[i]); }

  private:
    void *context_;
    const Plan &plan_;
    void *const *operands_;
    std::vector<void *> args_;                    // as the parts get them
    std::vector<std::unique_ptr<Header>> copies_; // of inputs without memory; null for the others
    std::vector<Header> results_;
    std::vector<bool> touched_; // inputs that have the region of a part
    bool is_query_ = false;

    bool find_query() const;
    void start_queries();
    void widen(fluorite_buffer_t &input, const Header &answer);
};

} // namespace fluorite_runtime::iterate
