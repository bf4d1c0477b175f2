#pragma once
// How well predicted and measured times rank alike.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace fluorite::model {

struct Sample {
    double predicted = 0, measured = 0; // of any units, above 0
    std::string label;
};

/// Positions in ascending order, from 0 on; equal values share the mean of theirs.
inline std::vector<double> ranks_of(const std::vector<double> &values) {
    std::vector<size_t> order(values.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        while (end < order.size() && values[order[end]] == values[order[begin]]) {
            end++;
        }
        for (size_t at = begin; at < end; at++) {
            ranks[order[at]] = static_cast<double>(begin + end - 1) / 2;
        }
    }
    return ranks;
}

/// The rank correlation of Spearman: 1 where what is predicted to take longer takes longer. 0 for fewer than two
/// samples, or where one side is constant.
inline double rank_correlation(const std::vector<Sample> &samples) {
    std::vector<double> predicted, measured;
    for (const Sample &sample : samples) {
        predicted.push_back(sample.predicted);
        measured.push_back(sample.measured);
    }
    const std::vector<double> a = ranks_of(predicted), b = ranks_of(measured);
    const double mean = (static_cast<double>(samples.size()) - 1) / 2;
    double both = 0, own = 0, other = 0;
    for (size_t i = 0; i < samples.size(); i++) {
        both += (a[i] - mean) * (b[i] - mean);
        own += (a[i] - mean) * (a[i] - mean);
        other += (b[i] - mean) * (b[i] - mean);
    }
    return own > 0 && other > 0 ? both / std::sqrt(own * other) : 0;
}

} // namespace fluorite::model
