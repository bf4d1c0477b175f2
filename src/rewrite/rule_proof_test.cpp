// Every row of the rule book has a proof in proofs.txt for exactly this text of the row.
//
// proofs.txt has a line `fingerprint name: types` for each row. With FLUORITE_UPDATE_PROOFS=1 the test proves all rows
// again and writes the file; with FLUORITE_UPDATE_PROOFS=missing it proves only those without a valid line.

#include "rewrite/rule_prover.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <sstream>
#include <thread>

namespace rule_proof_test {

using namespace fluorite::rewrite;

namespace {

std::string proofs_path() { return std::string(std::getenv("FLUORITE_SOURCE_DIR")) + "/src/rewrite/proofs.txt"; }

std::string key_of(const Row &row) {
    std::ostringstream text;
    text << std::hex << row.fingerprint() << " " << row.name;
    return text.str();
}

/// Maps fingerprint and name to types.
std::map<std::string, std::string> read_proofs() {
    std::map<std::string, std::string> proofs;
    std::ifstream file(proofs_path());
    for (std::string line; std::getline(file, line);) {
        const size_t colon = line.find(": ");
        if (!line.empty() && line[0] != '#' && colon != std::string::npos) {
            proofs[line.substr(0, colon)] = line.substr(colon + 2);
        }
    }
    return proofs;
}

void write_proofs(const std::map<std::string, std::string> &proofs) {
    std::ofstream file(proofs_path());
    file << "# Proofs of the rows of rules/*.def: fingerprint of the row, its name, and the types it was proved for.\n"
            "# Written by `./dev prove`; rule_prover_test.cpp says what the types mean.\n";
    for (const Row &row : rule_book().rows()) {
        if (const auto found = proofs.find(key_of(row)); found != proofs.end()) {
            file << found->first << ": " << found->second << "\n";
        }
    }
}

/// Proves the rows of these numbers on two threads; enters their types by key, and reports failures.
void prove_all(const std::vector<size_t> &numbers, std::map<std::string, std::string> &proofs,
               std::vector<std::string> &problems) {
    std::vector<Verdict> verdicts(numbers.size());
    std::atomic<size_t> next = 0;
    auto work = [&] {
        for (size_t i = next++; i < numbers.size(); i = next++) {
            verdicts[i] = prove_row(rule_book().rows()[numbers[i]]);
        }
    };
    std::thread other(work);
    work();
    other.join();
    for (size_t i = 0; i < numbers.size(); i++) {
        const Row &row = rule_book().rows()[numbers[i]];
        if (verdicts[i].proved) {
            proofs[key_of(row)] = verdicts[i].types;
        } else {
            problems.push_back(row.text() + "\n    " + verdicts[i].problem);
        }
    }
}

TEST(RuleProofs, EveryRuleIsProved) {
    std::map<std::string, std::string> proofs = read_proofs();
    const char *update = std::getenv("FLUORITE_UPDATE_PROOFS");
    if (update && has_prover()) {
        std::vector<size_t> numbers;
        for (size_t i = 0; i < rule_book().rows().size(); i++) {
            if (std::string(update) != "missing" || !proofs.contains(key_of(rule_book().rows()[i]))) {
                numbers.push_back(i);
                proofs.erase(key_of(rule_book().rows()[i]));
            }
        }
        std::vector<std::string> problems;
        prove_all(numbers, proofs, problems);
        for (const std::string &problem : problems) {
            ADD_FAILURE() << problem;
        }
        write_proofs(proofs);
    }
    size_t valid = 0;
    for (const Row &row : rule_book().rows()) {
        EXPECT_TRUE(proofs.contains(key_of(row))) << row.text() << "\n    has no proof; run ./dev prove";
        valid += proofs.contains(key_of(row)) ? 1 : 0;
    }
    if (!update) {
        EXPECT_EQ(valid, proofs.size()) << "proofs.txt has lines for rows that do not exist; run ./dev prove";
    }
}

/// Does not trust the cache: proves a sample of rows again, which varies with the text of the rule book.
TEST(RuleProofs, SampleIsProvedAgain) {
    if (!has_prover()) {
        GTEST_SKIP() << "this build has no Z3";
    }
    const std::map<std::string, std::string> proofs = read_proofs();
    uint64_t seed = 0;
    std::vector<size_t> numbers;
    for (size_t i = 0; i < rule_book().rows().size(); i++) {
        seed = seed * 31 + rule_book().rows()[i].fingerprint();
        const auto found = proofs.find(key_of(rule_book().rows()[i]));
        // Skips rows whose wider types timed out, as they would time out again.
        if (found != proofs.end() && (found->second.find("64") != std::string::npos || found->second == "index")) {
            numbers.push_back(i);
        }
    }
    std::shuffle(numbers.begin(), numbers.end(), std::mt19937(static_cast<uint32_t>(seed)));
    numbers.resize(std::min<size_t>(numbers.size(), 20));
    std::map<std::string, std::string> again;
    std::vector<std::string> problems;
    prove_all(numbers, again, problems);
    for (const std::string &problem : problems) {
        ADD_FAILURE() << problem;
    }
    EXPECT_EQ(again.size(), numbers.size());
}

} // namespace

} // namespace rule_proof_test
