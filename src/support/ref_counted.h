#pragma once
// Intrusive reference counting for objects shared between handles.

#include <atomic>
#include <type_traits>
#include <utility>

namespace fluorite {

/// Base of shared objects. The count starts at zero; the first RefPtr makes it one.
class RefCounted {
  public:
    RefCounted() = default;
    RefCounted(const RefCounted &) {}
    RefCounted &operator=(const RefCounted &) { return *this; }
    virtual ~RefCounted() = default;

    void retain() const noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
    /// Retains unless the last reference is gone: for tables that find objects without owning them.
    bool try_retain() const noexcept {
        int count = references_.load(std::memory_order_relaxed);
        while (count > 0 && !references_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed)) {
        }
        return count > 0;
    }
    void release() const noexcept {
        if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            delete this;
        }
    }

  private:
    mutable std::atomic<int> references_{0};
};

/// A counted pointer to a RefCounted object.
template <typename T> class RefPtr {
  public:
    RefPtr() = default;
    RefPtr(T *object) : object_(object) { // NOLINT(google-explicit-constructor)
        if (object_) {
            object_->retain();
        }
    }
    RefPtr(const RefPtr &other) : RefPtr(other.object_) {}
    RefPtr(RefPtr &&other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    template <typename U>
        requires std::is_convertible_v<U *, T *>
    RefPtr(const RefPtr<U> &other) : RefPtr(other.get()) {} // NOLINT(google-explicit-constructor)
    RefPtr &operator=(RefPtr other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~RefPtr() {
        if (object_) {
            object_->release();
        }
    }

    T *get() const { return object_; }
    T *operator->() const { return object_; }
    T &operator*() const { return *object_; }
    explicit operator bool() const { return object_ != nullptr; }
    bool operator==(const RefPtr &other) const { return object_ == other.object_; }

  private:
    T *object_ = nullptr;
};

} // namespace fluorite
