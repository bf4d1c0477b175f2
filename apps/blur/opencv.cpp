#include "apps/common/opencv.h"

#include <opencv2/imgproc.hpp>

int main() {
    const auto input = apps::random_image<uint16_t>(8192, 6144);
    const cv::Mat in = apps::over(input);
    cv::Mat out;
    return apps::measure_opencv("blur", [&] { cv::blur(in, out, {3, 3}, {-1, -1}, cv::BORDER_REPLICATE); });
}
