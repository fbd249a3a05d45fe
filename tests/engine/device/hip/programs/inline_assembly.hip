// SPDX-License-Identifier: MIT
// Instructions written by hand.
#include "check.h"

__global__ void add(int* out, const int* in) {
  int value = in[threadIdx.x];
  asm volatile("v_add_u32 %0, %1, %2" : "=v"(value) : "v"(value), "v"(static_cast<int>(threadIdx.x)));
  out[threadIdx.x] = value;
}

int main() {
  int in[64], out[64], *in_d, *out_d;
  for (int i = 0; i < 64; ++i) in[i] = i * i;
  CHECK(hipMalloc(&in_d, sizeof(in)));
  CHECK(hipMalloc(&out_d, sizeof(out)));
  CHECK(hipMemcpy(in_d, in, sizeof(in), hipMemcpyHostToDevice));
  add<<<1, 64>>>(out_d, in_d);
  CHECK(hipMemcpy(out, out_d, sizeof(out), hipMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) EXPECT(out[i] == i * i + i);
  return passed();
}
