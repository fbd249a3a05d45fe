// SPDX-License-Identifier: MIT
// Tone mapping of an image, whose constants have no f behind them.
// fault: double-precision
// launch: --grid 1048576 --workgroup 256 --arg f32:random(4):1048576 --arg f32:zero:1048576
#include <hip/hip_runtime.h>

template <typename T>
__device__ T curve(T x) {
  const T top = x * (T(2.51) * x + T(0.03)), bottom = x * (T(2.43) * x + T(0.59)) + T(0.14);  // fault
  return top / bottom;  // fault
}

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = in[i];
  for (int k = 0; k < 6; ++k) v = curve<double>(v);
  out[i] = v;
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  for (int k = 0; k < 6; ++k) v = curve<float>(v);
  out[i] = v;
}
