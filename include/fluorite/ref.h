#pragma once
// Ref: a reference-counted pointer to an object whose type only the library defines.

#include "fluorite/require_cxx17.h"

#include <utility>

namespace fluorite::detail {

/// Counts references through functions retain(const T *) and release(const T *) in T's namespace, so that T may be
/// incomplete here.
template <typename T> class Ref {
  public:
    Ref() = default;
    explicit Ref(T *object) : object_(object) {
        if (object_) {
            retain(object_);
        }
    }
    Ref(const Ref &other) : Ref(other.object_) {}
    Ref(Ref &&other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Ref &operator=(Ref other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Ref() {
        if (object_) {
            release(object_);
        }
    }

    T *get() const { return object_; }
    T *operator->() const { return object_; }
    T &operator*() const { return *object_; }
    explicit operator bool() const { return object_ != nullptr; }
    bool operator==(const Ref &other) const { return object_ == other.object_; }
    bool operator!=(const Ref &other) const { return object_ != other.object_; }
    bool operator<(const Ref &other) const { return object_ < other.object_; }

  private:
    T *object_ = nullptr;
};

} // namespace fluorite::detail

namespace fluorite::ir {
struct Parameter;
// Ref calls these, which count the handles of an object.
void retain(const Parameter *parameter) noexcept;
void release(const Parameter *parameter) noexcept;
} // namespace fluorite::ir

namespace fluorite::language {
struct Function;
struct ReductionDomain;
// Ref calls these, which count the handles of an object.
void retain(const Function *function) noexcept;
void release(const Function *function) noexcept;
void retain(const ReductionDomain *domain) noexcept;
void release(const ReductionDomain *domain) noexcept;
} // namespace fluorite::language
