// SPDX-License-Identifier: MIT
// A private matrix of 100 floats with run-time indices.
// fault: register-spills
// launch: --grid 65536 --workgroup 64 --arg i32:iota:65536 --arg f32:zero:65536
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const int* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, step = in[i] % 7 + 1;
  float m[100];
  for (int k = 0; k < 100; ++k) m[k] = k * 0.01f;
  float sum = 0;
  for (int k = 0; k < 100; ++k) {
    m[(k * step) % 100] += sum * 0.5f;  // fault
    sum += m[(k * 3 + step) % 100];     // fault
  }
  out[i] = sum;
}
extern "C" __global__ void fast(const int* in, float* out) {
  __shared__ float m[100 * 64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, step = in[i] % 7 + 1;
  for (int k = 0; k < 100; ++k) m[k * 64 + t] = k * 0.01f;
  float sum = 0;
  for (int k = 0; k < 100; ++k) {
    m[(k * step) % 100 * 64 + t] += sum * 0.5f;
    sum += m[(k * 3 + step) % 100 * 64 + t];
  }
  out[i] = sum;
}
