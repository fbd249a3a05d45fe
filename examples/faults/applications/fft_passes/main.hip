// SPDX-License-Identifier: MIT
// fault: launch-bound
// Transforms of 24 signals of 1024 points by radix 2: the slow one launches every pass of every signal, the fast one every pass of all signals.
#include <hip/hip_runtime.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <vector>

struct fft_plan {
  int log2n;
  int batch;
  float2* work;
};

#define SUCCEED(call) { hipError_t err = call; if (err != hipSuccess) { printf("%s\n", hipGetErrorString(err)); return 1; } }

__global__ void fft_pass(float2* data, int log2n, int pass) {
  float2* signal = data + (blockIdx.y << log2n);
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int half = 1 << pass;
  int low = (t >> pass << (pass + 1)) + (t & (half - 1));
  float angle = -3.14159265f * (t & (half - 1)) / half;
  float s = __sinf(angle), c = __cosf(angle);
  float2 a = signal[low], b = signal[low + half];
  float2 w = make_float2(b.x * c - b.y * s, b.x * s + b.y * c);
  signal[low] = make_float2(a.x + w.x, a.y + w.y);
  signal[low + half] = make_float2(a.x - w.x, a.y - w.y);
}

static void fft_execute_one(const fft_plan& plan, int which) {
  for (int pass = 0; pass < plan.log2n; pass++)
    fft_pass<<<dim3((1 << plan.log2n) / 512, 1), 256>>>(plan.work + (which << plan.log2n), plan.log2n, pass);  // fault
}
static void fft_execute_all(const fft_plan& plan) {
  for (int pass = 0; pass < plan.log2n; pass++)
    fft_pass<<<dim3((1 << plan.log2n) / 512, plan.batch), 256>>>(plan.work, plan.log2n, pass);
}

int main(int argc, char** argv) {
  fft_plan plan = {10, 24, nullptr};
  size_t count = size_t(plan.batch) << plan.log2n;
  std::vector<float2> signals(count);
  for (size_t i = 0; i < count; i++) signals[i] = make_float2(std::sin(i * 0.1f), 0);
  SUCCEED(hipMalloc((void**)&plan.work, count * sizeof(float2)));
  SUCCEED(hipMemcpy(plan.work, signals.data(), count * sizeof(float2), hipMemcpyHostToDevice));
  if (argc > 1 && !strcmp(argv[1], "fast")) {
    fft_execute_all(plan);
  } else {
    for (int b = 0; b < plan.batch; b++) fft_execute_one(plan, b);  // fault
  }
  SUCCEED(hipMemcpy(signals.data(), plan.work, count * sizeof(float2), hipMemcpyDeviceToHost));
  printf("%f\n", signals[1].x);
  return 0;
}
