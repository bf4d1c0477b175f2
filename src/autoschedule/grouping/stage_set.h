#pragma once
// A set of stages of one StageGraph, by their indices: a value of 128 bytes whose operations are a few vector
// instructions.
//
// Searches for groupings keep hundreds of thousands of sets and compare, hash and unite them all the time, so a set
// allocates nothing. The capacity bounds the graphs that can be searched; who builds a graph checks it once.

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace fluorite::autoschedule {

class StageSet {
  public:
    static constexpr size_t capacity = 1024;

    StageSet() = default;
    StageSet(std::initializer_list<size_t> stages) {
        for (size_t stage : stages) {
            insert(stage);
        }
    }
    /// Stages 0 to count - 1.
    static StageSet first(size_t count) {
        StageSet set;
        for (size_t word = 0; word < words; ++word) {
            const size_t before = word * 64;
            if (count >= before + 64) {
                set.bits_[word] = ~uint64_t(0);
            } else if (count > before) {
                set.bits_[word] = (uint64_t(1) << (count - before)) - 1;
            }
        }
        return set;
    }

    void insert(size_t stage) { bits_[stage / 64] |= uint64_t(1) << (stage % 64); }
    void erase(size_t stage) { bits_[stage / 64] &= ~(uint64_t(1) << (stage % 64)); }
    bool contains(size_t stage) const { return (bits_[stage / 64] >> (stage % 64)) & 1; }

    bool empty() const { return *this == StageSet(); }
    size_t size() const {
        size_t count = 0;
        for (uint64_t word : bits_) {
            count += static_cast<size_t>(std::popcount(word));
        }
        return count;
    }
    /// The lowest member that is not below `from`; capacity where there is none.
    size_t lowest(size_t from = 0) const {
        size_t word = from / 64;
        if (word >= words) {
            return capacity;
        }
        uint64_t rest = bits_[word] & (~uint64_t(0) << (from % 64));
        while (rest == 0) {
            if (++word == words) {
                return capacity;
            }
            rest = bits_[word];
        }
        return word * 64 + static_cast<size_t>(std::countr_zero(rest));
    }

    bool intersects(const StageSet &other) const {
        uint64_t shared = 0;
        for (size_t word = 0; word < words; ++word) {
            shared |= bits_[word] & other.bits_[word];
        }
        return shared != 0;
    }
    bool is_subset_of(const StageSet &other) const {
        uint64_t outside = 0;
        for (size_t word = 0; word < words; ++word) {
            outside |= bits_[word] & ~other.bits_[word];
        }
        return outside == 0;
    }

    StageSet &operator|=(const StageSet &other) {
        for (size_t word = 0; word < words; ++word) {
            bits_[word] |= other.bits_[word];
        }
        return *this;
    }
    StageSet &operator&=(const StageSet &other) {
        for (size_t word = 0; word < words; ++word) {
            bits_[word] &= other.bits_[word];
        }
        return *this;
    }
    StageSet &operator-=(const StageSet &other) {
        for (size_t word = 0; word < words; ++word) {
            bits_[word] &= ~other.bits_[word];
        }
        return *this;
    }
    friend StageSet operator|(StageSet a, const StageSet &b) { return a |= b; }
    friend StageSet operator&(StageSet a, const StageSet &b) { return a &= b; }
    friend StageSet operator-(StageSet a, const StageSet &b) { return a -= b; }
    bool operator==(const StageSet &) const = default;
    auto operator<=>(const StageSet &) const = default;

    uint64_t hash() const {
        uint64_t value = 0x9e3779b97f4a7c15;
        for (uint64_t word : bits_) {
            value = (value ^ word) * 0xbf58476d1ce4e5b9;
            value ^= value >> 29;
        }
        return value;
    }

    /// The bits of 64 stages, from the lowest up; for tables that store smaller sets.
    uint64_t word(size_t index) const { return bits_[index]; }
    void set_word(size_t index, uint64_t bits) { bits_[index] = bits; }

    /// Members from the lowest up.
    class Iterator {
      public:
        Iterator(const StageSet &set, size_t at) : set_(&set), at_(at) {}
        size_t operator*() const { return at_; }
        Iterator &operator++() {
            at_ = set_->lowest(at_ + 1);
            return *this;
        }
        bool operator!=(const Iterator &other) const { return at_ != other.at_; }

      private:
        const StageSet *set_;
        size_t at_;
    };
    Iterator begin() const { return {*this, lowest()}; }
    Iterator end() const { return {*this, capacity}; }

  private:
    static constexpr size_t words = capacity / 64;
    std::array<uint64_t, words> bits_{};
};

struct StageSetHash {
    size_t operator()(const StageSet &set) const { return static_cast<size_t>(set.hash()); }
};

} // namespace fluorite::autoschedule
