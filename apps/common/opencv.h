#pragma once
// Pictures for OpenCV, and the measuring program of an application's counterpart there.

#include "library.h"

#include <opencv2/core.hpp>

namespace apps {

/// The values of a picture with one channel, not copied.
template <typename T> cv::Mat over(const Image<T> &image) {
    return cv::Mat(image.height, image.width, cv::traits::Type<T>::value, const_cast<T *>(image.values.data()));
}

/// A picture with its channels interleaved, as OpenCV has them.
template <typename T> cv::Mat interleaved(const Image<T> &image) {
    cv::Mat mat(image.height, image.width, CV_MAKETYPE(cv::traits::Depth<T>::value, image.channels));
    for (int y = 0; y < image.height; y++) {
        for (int x = 0; x < image.width; x++) {
            for (int c = 0; c < image.channels; c++) {
                mat.ptr<T>(y)[x * image.channels + c] = image(x, y, c);
            }
        }
    }
    return mat;
}

template <typename Run> int measure_opencv(const std::string &name, Run run) {
    cv::setNumThreads(threads());
    return measure_library(name, run);
}

} // namespace apps
