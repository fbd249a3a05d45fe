// SPDX-License-Identifier: MIT
// fault: repeated-copies
// Spectra are weighted with a calibration that comes from a std::vector for each of them, and never changes; the fast one copies it once.
#include <hip/hip_runtime.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

class Calibration {
 public:
  explicit Calibration(int channels) : host_(channels) {
    for (int c = 0; c < channels; ++c) host_[c] = 1.0f + 0.001f * (c % 17);
    if (hipMalloc((void**)&device_, channels * sizeof(float)) != hipSuccess) std::abort();
  }
  void upload() {
    if (hipMemcpy(device_, host_.data(), host_.size() * sizeof(float), hipMemcpyHostToDevice) != hipSuccess) std::abort();  // fault
  }
  const float* device() const { return device_; }

 private:
  std::vector<float> host_;
  float* device_;
};

__global__ void weigh(float* spectrum, const float* weights, int channels, float time) {
  for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < channels; c += gridDim.x * blockDim.x)
    spectrum[c] = spectrum[c] * 0.9f + weights[c] * __cosf(time);
}

int main(int argc, char** argv) {
  const int channels = 1 << 18;
  const bool fast = argc > 1 && argv[1] == std::string("fast");
  Calibration calibration(channels);
  float* spectrum;
  if (hipMalloc((void**)&spectrum, channels * sizeof(float)) != hipSuccess) return 1;
  if (hipMemset(spectrum, 0, channels * sizeof(float)) != hipSuccess) return 1;
  if (fast) calibration.upload();
  for (int s = 0; s < 20; ++s) {
    if (!fast) calibration.upload();  // fault
    weigh<<<512, 256>>>(spectrum, calibration.device(), channels, s * 0.1f);
  }
  float one;
  if (hipMemcpy(&one, spectrum, sizeof one, hipMemcpyDeviceToHost) != hipSuccess) return 1;
  std::cout << one << std::endl;
}
