// Plans of iterated pipelines.
//
// The plan is a text of decimal numbers, so that it can be read in printed code:
//   plan       := arguments iterations rest
//   arguments  := n, n kinds (0 input, 1 output, 2 scalar): operands 0 to n - 1
//   iterations := n, for each: operand of its name, rank, fields, 1 if it reads two past steps, 1 if it stops, the type
//                 of each field (fluorite_type_t::as_u32), for each field the argument that is its initial value or -1,
//                 control, initial, body, the bytes of all fields from which passes stream, number of tiles, for each:
//                 steps, 1 if its stores bypass the caches, the least extent of a row, the shape of its blocks (0 none,
//                 1 wavefronts, 2 diamonds), the dimension that they cut, their extent, call, 0, or 1 and the call whose
//                 bounds queries return how far a step reads in a periodic domain; longest first
//   rest       := call, number of pairs (0, or one for each output), for each: iteration, field whose values it is
//   call       := operand of the function, number of arguments, for each: kind, index
//   kinds      := 0 the context, 1 an argument of the entry, 2 a field of a result (counted over all iterations), 3 a
//                 field of the state, 4 of the state before, 5 the step, 6 an output of the call itself (a field, if it is a
//                 pass), 7 a field one step before those
//
// The reader trusts the text, which is a constant of the module. Cost: linear; it runs at each call of the pipeline.

#include "runtime/iterate_plan.h"

#include <cstdlib>

namespace fluorite_runtime::iterate {

namespace {

class Reader {
  public:
    explicit Reader(const char *text) : at_(text) {}
    int64_t number() {
        char *end = nullptr;
        const long long value = std::strtoll(at_, &end, 10);
        at_ = end;
        return value;
    }
    size_t count() { return static_cast<size_t>(number()); }
    int32_t index() { return static_cast<int32_t>(number()); }

    Call call() {
        Call result;
        result.function = index();
        result.args.resize(count());
        for (Argument &arg : result.args) {
            arg.kind = index();
            arg.index = index();
        }
        return result;
    }

    Iteration iteration() {
        Iteration result;
        result.name = index();
        result.rank = count();
        result.fields = count();
        result.has_before = number() != 0;
        result.stops = number() != 0;
        for (size_t f = 0; f < result.fields; f++) {
            result.types.push_back(static_cast<uint32_t>(number()));
        }
        for (size_t f = 0; f < result.fields; f++) {
            result.initial_args.push_back(index());
        }
        result.control = call();
        result.initial = call();
        const Call body = call();
        result.streaming_bytes = number();
        for (size_t left = count(); left > 0; left--) {
            const int32_t steps = index();
            const bool streams = number() != 0;
            const int32_t least_row = index();
            Tile tile{steps, streams, least_row, static_cast<BlockShape>(index()), count(), number(), {}, {}};
            tile.call = call();
            if (number() != 0) {
                tile.reach = call();
            }
            result.passes.push_back(std::move(tile));
        }
        result.passes.emplace_back().call = body;
        return result;
    }

    Plan plan() {
        Plan result;
        for (size_t left = count(); left > 0; left--) {
            result.args.push_back(static_cast<ArgKind>(number()));
        }
        for (size_t left = count(); left > 0; left--) {
            result.iterations.push_back(iteration());
        }
        result.rest = call();
        for (size_t left = count(); left > 0; left--) {
            const size_t of = count();
            result.outputs_are.emplace_back(of, count());
        }
        return result;
    }

  private:
    const char *at_;
};

} // namespace

Plan read_plan(const char *text) { return Reader(text).plan(); }

} // namespace fluorite_runtime::iterate
