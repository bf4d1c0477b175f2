#include "backends/x86_features.h"

namespace fluorite::backends {

namespace {

struct Row {
    Target::Feature feature;
    std::vector<std::string_view> names;
};

const std::vector<Row> &rows() {
    static const std::vector<Row> all = {
        {Target::SSE41, {"sse3", "ssse3", "sse4.1"}},
        {Target::AVX, {"sse4.2", "popcnt", "avx"}},
        {Target::AVX2, {"avx2", "bmi", "bmi2", "lzcnt"}},
        {Target::FMA, {"fma"}},
        {Target::F16C, {"f16c"}},
        {Target::AVX512, {"avx512f", "avx512cd"}},
        {Target::AVX512_Skylake, {"avx512vl", "avx512bw", "avx512dq"}},
        {Target::AVX512_Cannonlake, {"avx512ifma", "avx512vbmi"}},
        {Target::AVX512_Zen4, {"avx512vbmi2", "avx512vnni", "avx512bitalg", "avx512vpopcntdq", "avx512bf16"}},
        {Target::AVX512_SapphireRapids, {"avx512fp16", "avxvnni"}},
    };
    return all;
}

} // namespace

std::vector<std::string_view> x86_features(const Target &target) {
    std::vector<std::string_view> names;
    for (const Row &row : rows()) {
        if (target.has_feature(row.feature)) {
            names.insert(names.end(), row.names.begin(), row.names.end());
        }
    }
    return names;
}

} // namespace fluorite::backends
