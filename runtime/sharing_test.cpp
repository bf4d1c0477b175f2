// Checks of many buffers at once, against those of each pair.

#include "fluorite/runtime/checks.h"
#include "fluorite/runtime_abi.h"

#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace sharing_test {

namespace {

struct Rows {
    fluorite_dimension_t dims[2];
    fluorite_buffer_t buffer{};

    Rows(uint8_t *host, int width, int height, int step) : dims{{0, width, step}, {0, height, 40}} {
        buffer.host = host;
        buffer.type = fluorite_type_t(fluorite_type_uint, 8);
        buffer.dimensions = 2;
        buffer.dim = dims;
    }
    Rows(const Rows &) = delete;
    Rows &operator=(const Rows &) = delete;
};

class Sharing : public ::testing::Test {
  protected:
    static constexpr size_t input_count = 3, output_count = 4;
    std::vector<uint8_t> memory = std::vector<uint8_t>(4000);
    std::vector<std::unique_ptr<Rows>> rows; // the inputs, then the outputs

    /// Of input 1, output 2 may have the places.
    static bool may_be_same(size_t input, size_t output) { return input == 1 && output == 2; }
    static std::string names() {
        return "3\n4\nf0\nf1\nf2\nf3\nin0\nread by f0\n0\nin1\nread by f2\n1\n2\n1\nat other points\nin2\nread by "
               "f1\n0\n";
    }
    int together() {
        std::vector<void *> buffers;
        for (const auto &each : rows) {
            buffers.push_back(&each->buffer);
        }
        return fluorite_check_sharing(nullptr, names().c_str(), buffers.data());
    }
    /// The first pair that shares memory, as the text of an error without its end; empty if none does.
    std::string one_by_one() const {
        for (size_t i = 0; i < rows.size(); i++) {
            for (size_t k = i < input_count ? 0 : i - input_count + 1; k < output_count; k++) {
                const bool same = i < input_count && may_be_same(i, k);
                if (fluorite_buffers_overlap(&rows[input_count + k]->buffer, &rows[i]->buffer, same ? 1 : 0) != 0) {
                    const bool is_output = i >= input_count;
                    return "in f" + std::to_string(k) + ": it shares memory with " +
                           (is_output ? "f" + std::to_string(i - input_count) : "in" + std::to_string(i)) + "; " +
                           (is_output ? "each output is written to memory of its own"
                            : same    ? "at other points"
                            : i == 0  ? "read by f0"
                            : i == 1  ? "read by f2"
                                      : "read by f1");
                }
            }
        }
        return "";
    }
};

TEST_F(Sharing, IsFoundAsBetweenPairs) {
    std::mt19937 random(3);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    int shared = 0;
    for (int round = 0; round < 2000; round++) {
        rows.clear();
        for (size_t i = 0; i < input_count + output_count; i++) {
            const bool is_row = below(3) > 0;
            uint8_t *host = below(20) == 0 ? nullptr : memory.data() + 40 * below(60) + (is_row ? 0 : below(20));
            rows.push_back(std::make_unique<Rows>(host, below(15) == 0 ? 0 : 5 + below(8), 1 + below(3), 1 + below(2)));
        }
        if (below(3) == 0) { // in place
            rows[input_count + 2] = std::make_unique<Rows>(rows[1]->buffer.host, 5, 1, rows[1]->dims[0].stride);
        }
        const std::string expected = one_by_one();
        const int code = together();
        EXPECT_EQ(code, expected.empty() ? 0 : fluorite_error_code_buffers_overlap) << round;
        if (code != 0) {
            shared++;
            EXPECT_EQ(std::string(fluorite_last_error_message()).substr(0, expected.size()), expected) << round;
            fluorite_clear_error();
        }
    }
    EXPECT_GT(shared, 400);
    EXPECT_LT(shared, 1600);
}

} // namespace

} // namespace sharing_test
