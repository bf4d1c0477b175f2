#pragma once
// What the lessons share: checks that make a lesson fail, a small picture to work on, and a recorder of the order in
// which a pipeline stores its values.

#include "fluorite/fluorite.h"
#include "fluorite/image_io.h"
#include "fluorite/runtime_abi.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace lesson {

using fluorite::Buffer;

inline int failures = 0;

/// Prints what was checked; a lesson with a failed check returns 1.
inline void check(bool holds, const std::string &what) {
    std::printf("  %s: %s\n", holds ? "ok" : "FAILED", what.c_str());
    failures += holds ? 0 : 1;
}

/// What main returns.
inline int result() { return failures == 0 ? 0 : 1; }

/// Runs an action that must throw a Fluorite error with the slug, and prints the error's text.
template <typename Action> void check_refused(const std::string &slug, Action &&action) {
    try {
        action();
        check(false, "an error [" + slug + "] was expected");
    } catch (const fluorite::Error &error) {
        std::printf("  the message: %s\n", error.message().c_str());
        check(error.slug() == slug, "refused with [" + error.slug() + "], expected [" + slug + "]");
    }
}

/// Where the lesson writes its pictures: the first argument, else the current folder.
inline std::string folder(int argc, char **argv) { return argc > 1 ? argv[1] : "."; }

template <typename T, int D> void save(const Buffer<T, D> &image, const std::string &folder, const std::string &name) {
    const std::string path = folder + "/" + name;
    fluorite::save_image(image, path);
    std::printf("  wrote %s\n", path.c_str());
}

/// Three coloured discs on a soft background with a checkerboard in a corner and some noise: width x height x 3.
inline Buffer<uint8_t, 3> sample_picture(int width, int height) {
    Buffer<uint8_t, 3> picture(width, height, 3);
    const float discs[3][3] = {{0.35f, 0.40f, 0.25f}, {0.60f, 0.36f, 0.22f}, {0.50f, 0.66f, 0.24f}};
    picture.fill([&](int x, int y, int c) {
        const float u = (static_cast<float>(x) + 0.5f) / static_cast<float>(width);
        const float v = (static_cast<float>(y) + 0.5f) / static_cast<float>(height);
        float value = 0.25f + 0.20f * v + 0.10f * u * static_cast<float>(c);
        for (int i = 0; i < 3; i++) {
            const float dx = u - discs[i][0], dy = (v - discs[i][1]) * 0.75f;
            const bool inside = dx * dx + dy * dy < discs[i][2] * discs[i][2] * 0.5f;
            value += inside ? (i == c ? 0.45f : -0.08f) : 0.0f;
        }
        if (u > 0.8f && v > 0.75f) {
            value = (x / 4 + y / 4) % 2 == 0 ? 0.85f : 0.15f;
        }
        uint32_t noise = static_cast<uint32_t>(x * 73 + y * 1031 + c * 7919) * 2654435761u;
        noise = ((noise ^ noise >> 15) * 2246822519u) >> 27;
        return static_cast<uint8_t>(std::fmin(255.0f, std::fmax(0.0f, value * 255 + static_cast<float>(noise) - 16)));
    });
    return picture;
}

/// Records the stores of Funcs that were marked with trace_stores(), while it lives. One recorder at a time.
class StoreRecorder {
  public:
    /// One value of one point.
    struct Store {
        std::string func;
        int x, y;
        int time; ///< stores of one vector have the same time
    };

    StoreRecorder() : previous_(fluorite_set_custom_trace(&StoreRecorder::receive)) { current() = this; }
    ~StoreRecorder() {
        fluorite_set_custom_trace(previous_);
        current() = nullptr;
    }
    StoreRecorder(const StoreRecorder &) = delete;
    StoreRecorder &operator=(const StoreRecorder &) = delete;

    const std::vector<Store> &stores() const { return stores_; }
    int count(const std::string &func) const {
        int n = 0;
        for (const Store &store : stores_) {
            n += store.func == func ? 1 : 0;
        }
        return n;
    }
    /// The number of scalar or vector stores.
    int time() const { return time_; }

    /// Each point of the Func as a square of `scale` pixels in the colour of the time of its store, from dark blue
    /// (first) over green to yellow (last). A point that is stored several times has a stripe for each, the first on
    /// top. Points of one vector have no gap between them.
    Buffer<uint8_t, 3> draw(const std::string &func, int width, int height, int scale) const {
        Buffer<uint8_t, 3> picture(width * scale, height * scale, 3);
        picture.fill(uint8_t{255});
        std::map<std::pair<int, int>, std::vector<int>> times; // of the stores of each point
        for (const Store &store : stores_) {
            if (store.func == func && store.x >= 0 && store.x < width && store.y >= 0 && store.y < height) {
                times[{store.x, store.y}].push_back(store.time);
            }
        }
        for (const auto &[point, stored] : times) {
            const auto right = times.find({point.first + 1, point.second});
            const bool joined = right != times.end() && right->second == stored;
            paint(picture, point.first * scale, point.second * scale, stored, joined ? scale : scale - 1, scale - 1);
        }
        return picture;
    }

  private:
    void paint(Buffer<uint8_t, 3> &picture, int left, int top, const std::vector<int> &times, int width,
               int height) const {
        static const float colors[5][3] = {
            {25, 25, 95}, {40, 105, 160}, {60, 160, 120}, {160, 200, 70}, {255, 225, 40}};
        const int count = static_cast<int>(times.size());
        for (int dy = 0; dy < height; dy++) {
            const int stripe = dy * count / height;
            if (dy > 0 && stripe != (dy - 1) * count / height) {
                continue; // a line between stripes
            }
            const int time = times[static_cast<size_t>(stripe)];
            const float at = 4.0f * static_cast<float>(time) / static_cast<float>(time_ > 1 ? time_ - 1 : 1);
            const int from = std::min(static_cast<int>(at), 3);
            for (int c = 0; c < 3; c++) {
                const float a = colors[from][c], b = colors[from + 1][c];
                const auto value = static_cast<uint8_t>(a + (b - a) * (at - static_cast<float>(from)));
                for (int dx = 0; dx < width; dx++) {
                    picture(left + dx, top + dy, c) = value;
                }
            }
        }
    }

    static StoreRecorder *&current() {
        static StoreRecorder *recorder = nullptr;
        return recorder;
    }

    // The runtime calls this for each traced event, from any thread. A vector of n lanes comes as one event with n
    // coordinates for each dimension.
    static int32_t receive(void *, const fluorite_trace_event_t *event) {
        static std::mutex mutex;
        const std::lock_guard<std::mutex> lock(mutex);
        StoreRecorder &self = *current();
        if (event->event == fluorite_trace_store) {
            const int lanes = event->type.lanes, rank = event->dimensions / lanes;
            for (int lane = 0; lane < lanes; lane++) {
                self.stores_.push_back({event->func, rank > 0 ? event->coordinates[lane] : 0,
                                        rank > 1 ? event->coordinates[lanes + lane] : 0, self.time_});
            }
            self.time_++;
        }
        return ++self.last_id_;
    }

    fluorite_trace_t previous_;
    std::vector<Store> stores_;
    int time_ = 0;
    int32_t last_id_ = 0;
};

} // namespace lesson
