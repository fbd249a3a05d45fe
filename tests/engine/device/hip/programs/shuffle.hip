// SPDX-License-Identifier: MIT
// A 4 by 4 transpose in registers, and a sum over a wave.
#include "check.h"

__global__ void transpose(float* out, const float* in) {
  const float value = in[threadIdx.x];
  out[threadIdx.x] = __shfl(value, threadIdx.x % 4 * 4 + threadIdx.x / 4);
}

__global__ void sum_of_wave(int* out) {
  int value = static_cast<int>(threadIdx.x);
  for (int step = 32; step > 0; step /= 2) value += __shfl_xor(value, step);
  if (threadIdx.x == 0) *out = value;
}

int main() {
  float in[16], out[16], *in_d, *out_d;
  for (int i = 0; i < 16; ++i) in[i] = i * 10.0f;
  CHECK(hipMalloc(&in_d, sizeof(in)));
  CHECK(hipMalloc(&out_d, sizeof(out)));
  CHECK(hipMemcpy(in_d, in, sizeof(in), hipMemcpyHostToDevice));
  transpose<<<1, 16>>>(out_d, in_d);
  CHECK(hipMemcpy(out, out_d, sizeof(out), hipMemcpyDeviceToHost));
  for (int i = 0; i < 16; ++i) EXPECT(out[i] == in[i % 4 * 4 + i / 4]);
  int* sum;
  CHECK(hipHostMalloc(&sum, sizeof(int), hipHostMallocDefault));
  sum_of_wave<<<1, 64>>>(sum);
  CHECK(hipDeviceSynchronize());
  EXPECT(*sum == 64 * 63 / 2);
  CHECK(hipHostFree(sum));
  return passed();
}
