#pragma once
// For tests of back ends that compile on this machine: runs the cases of test_operator_cases.h.

#include "backends/llvm/test_support.h"
#include "backends/test_operator_cases.h"

#include <gtest/gtest.h>

namespace fluorite::backends::operator_cases {

/// Stores each expression of the batch to a buffer of its own in code of the back end, and compares all.
inline void check_batch(const Backend &backend, const Batch &batch, const Target &target, int lanes) {
    std::vector<LoweredArg> args;
    std::vector<std::unique_ptr<TestBuffer>> buffers;
    std::vector<void *> pointers;
    const auto add = [&](const LoweredArg &arg) {
        args.push_back(arg);
        buffers.push_back(std::make_unique<TestBuffer>(arg.type, std::vector<int32_t>{Batch::count}));
        pointers.push_back(buffers.back()->header());
    };
    for (const char name : {'a', 'b', 'c'}) {
        add(input_arg(std::string(1, name), batch.type(), 1));
        const std::vector<uint8_t> bytes = batch.bytes_of(name);
        std::memcpy(buffers.back()->data<uint8_t>(), bytes.data(), bytes.size());
    }
    std::vector<Stmt> stores;
    for (const Case &one : batch.cases()) {
        const std::string out = "out" + std::to_string(stores.size());
        add(output_arg(out, one.type, 1));
        stores.push_back(store(out, one.expr(lanes), index_of(lanes)));
    }
    const int steps = static_cast<int>(Batch::count) / lanes;
    const LoweredFunc func{"batch", args, serial("i", Expr(0), Expr(steps), Block::make(stores))};
    const auto code = backend.load(outlined(func, target), target, {});
    ASSERT_EQ(code->run(pointers.data()), 0);
    for (size_t k = 0; k < batch.cases().size(); k++) {
        const uint8_t *out = buffers[3 + k]->data<uint8_t>();
        EXPECT_EQ(batch.difference(batch.cases()[k], out, lanes, target.to_string()), "");
    }
}

} // namespace fluorite::backends::operator_cases
