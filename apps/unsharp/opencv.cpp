#include "apps/common/opencv.h"

#include <opencv2/imgproc.hpp>

int main() {
    const cv::Mat in = apps::interleaved(apps::random_image<float>(4096, 3072, 3));
    cv::Mat gray, blurred, sharper, ratio, ratios, out;
    return apps::measure_opencv("unsharp", [&] {
        cv::cvtColor(in, gray, cv::COLOR_RGB2GRAY);
        cv::GaussianBlur(gray, blurred, {7, 7}, 1.5, 1.5, cv::BORDER_REPLICATE);
        cv::addWeighted(gray, 2, blurred, -1, 0, sharper);
        cv::max(gray, 1.0 / 256, gray);
        cv::divide(sharper, gray, ratio);
        cv::merge(std::vector<cv::Mat>(3, ratio), ratios);
        cv::multiply(in, ratios, out);
        cv::max(out, 0.0, out);
        cv::min(out, 1.0, out);
    });
}
