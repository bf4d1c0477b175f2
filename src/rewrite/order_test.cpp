// Every row decreases the measure of order.h: by its coefficients, and on instances.

#include "rewrite/order.h"

#include "rewrite/test_evaluator.h"

#include <gtest/gtest.h>

namespace order_test {

using namespace fluorite;
using namespace fluorite::rewrite;

namespace {

TEST(RuleOrder, EveryRowDecreases) {
    for (const Row &row : rule_book().rows()) {
        std::string reason;
        EXPECT_TRUE((row.classes & lemma_class) || decreases(row, &reason)) << reason;
    }
}

} // namespace

} // namespace order_test
