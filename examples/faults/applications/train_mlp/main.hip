// SPDX-License-Identifier: MIT
// fault: host-sync-bound
// A training loop that prints the loss: the slow one reads it after each batch, the fast one keeps the losses on the device until the epoch has ended.
#include <hip/hip_runtime.h>

#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace nn {

void check(hipError_t status, const char* what) {
  if (status != hipSuccess) throw std::runtime_error(std::string(what) + ": " + hipGetErrorString(status));
}

__global__ void forward(const float* x, const float* w, float* y, int in, int out, float* loss) {
  __shared__ float part[128];
  const int o = threadIdx.x, b = blockIdx.x;
  float sum = 0;
  for (int k = 0; k < in; ++k) sum += x[b * in + k] * w[k * out + o];
  y[b * out + o] = sum > 0 ? sum : 0;
  part[o] = (sum - 1) * (sum - 1);
  __syncthreads();
  for (int s = 64; s > 0; s /= 2) {
    if (o < s) part[o] += part[o + s];
    __syncthreads();
  }
  if (o == 0) loss[b % 32] = part[0] / out;
}
__global__ void descend(float* w, const float* y, int n, float rate) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] -= rate * (y[i % 512] - 1) * 1e-3f;
}

class Model {
 public:
  static constexpr int kIn = 64, kOut = 128, kBatch = 512;
  Model() {
    check(hipMalloc(reinterpret_cast<void**>(&x_), sizeof(float) * kBatch * kIn), "x");
    check(hipMalloc(reinterpret_cast<void**>(&w_), sizeof(float) * kIn * kOut), "w");
    check(hipMalloc(reinterpret_cast<void**>(&y_), sizeof(float) * kBatch * kOut), "y");
    check(hipMalloc(reinterpret_cast<void**>(&losses_), sizeof(float) * 32 * 128), "losses");
    std::vector<float> values(kIn * kBatch, 0.01f);
    check(hipMemcpy(w_, values.data(), sizeof(float) * kIn * kOut, hipMemcpyHostToDevice), "w");
    check(hipMemcpy(x_, values.data(), sizeof(float) * kBatch * kIn, hipMemcpyHostToDevice), "x");
  }
  void batch(int number) {
    forward<<<kBatch, kOut>>>(x_, w_, y_, kIn, kOut, losses_ + 32 * number);
    descend<<<kIn * kOut / 256, 256>>>(w_, y_, kIn * kOut, 0.1f);
  }
  float loss(int number) const {
    float out = 0;
    check(hipMemcpy(&out, losses_ + 32 * number, sizeof(float), hipMemcpyDeviceToHost), "loss");  // fault
    return out;
  }
  std::vector<float> losses(int count) const {
    std::vector<float> out(32 * count);
    check(hipMemcpy(out.data(), losses_, sizeof(float) * out.size(), hipMemcpyDeviceToHost), "losses");
    return out;
  }

 private:
  float *x_, *w_, *y_, *losses_;
};

}  // namespace nn

int main(int argc, char** argv) {
  const bool fast = argc > 1 && std::string(argv[1]) == "fast";
  nn::Model model;
  constexpr int kBatches = 40;
  float last = 0;
  for (int b = 0; b < kBatches; ++b) {
    model.batch(b);
    if (!fast) last = model.loss(b);  // fault
  }
  if (fast) last = model.losses(kBatches).back();
  std::cout << last << "\n";
}
