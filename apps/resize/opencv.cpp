#include "apps/common/opencv.h"

#include <opencv2/imgproc.hpp>

// OpenCV does not stretch its cubic filter when it makes pictures smaller; its Lanczos filter reads as many pixels
// (8x8) as the stretched cubic one.
int main() {
    const cv::Mat in = apps::interleaved(apps::random_image<float>(4096, 3072, 3));
    cv::Mat out;
    return apps::measure_opencv("resize", [&] { cv::resize(in, out, {}, 0.5, 0.5, cv::INTER_LANCZOS4); });
}
