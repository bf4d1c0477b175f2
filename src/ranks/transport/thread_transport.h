#pragma once
// Ranks that are threads of one process: for tests of distributed programs with any number of ranks.

#include "ranks/transport/transport.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace fluorite::distribute {

/// What the threads share.
class ThreadRanks {
  public:
    static constexpr int64_t most_ranks = 4096;
    /// Throws RuntimeError [bad-distribution] for more than most_ranks.
    explicit ThreadRanks(int64_t ranks, std::chrono::milliseconds limit = std::chrono::seconds(20));
    ~ThreadRanks();

    /// Runs `work` once for each rank, each on a thread of its own, and returns when all have ended. If any of them
    /// throws, the others' operations fail, and the exception of the lowest rank that was not merely waiting is thrown.
    void run(const std::function<void(Transport &)> &work);

    /// Ranks read messages of so many bytes or more from the sender's memory, as processes of one machine do. If a rank
    /// ends early, others may still read its memory: for tests, whose arrays live as long as all ranks.
    void read_in_place(size_t least_bytes);

    /// The number of messages and bytes that have been sent.
    int64_t messages() const;
    int64_t bytes() const;

    struct Shared;

  private:
    std::shared_ptr<Shared> shared_;
};

} // namespace fluorite::distribute
