#include "apps/common/opencv.h"

#include <opencv2/imgproc.hpp>

int main() {
    const auto input = apps::random_image<uint8_t>(4096, 3072);
    const cv::Mat in = apps::over(input), square = cv::getStructuringElement(cv::MORPH_RECT, {27, 27});
    cv::Mat out;
    return apps::measure_opencv("max_filter", [&] { cv::dilate(in, out, square, {-1, -1}, 1, cv::BORDER_REPLICATE); });
}
