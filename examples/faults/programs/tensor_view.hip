// SPDX-License-Identifier: MIT
// A 5-dimensional view with strides of 64 bits: the address is computed anew for each element, or the innermost stride is added.
// fault: address-arithmetic
// launch: --grid 262144 --workgroup 256 --arg f32:random(5):65536 --arg f32:zero:262144 --arg u64:1 --arg u64:257 --arg u64:4096 --arg u64:8192 --arg u64:16384
#include <hip/hip_runtime.h>
extern "C" __global__ void slow(const float* in, float* out, size_t s0, size_t s1, size_t s2, size_t s3, size_t s4) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (size_t k = 0; k < 32; ++k) {
    const size_t a = i + k, i0 = a & 63, i1 = (a >> 6) & 3, i2 = (k ^ a) & 1, i3 = (a >> 3) & 1, i4 = (a >> 4) & 1;
    sum += in[(i0 * s0 + i1 * s1 + i2 * s2 + i3 * s3 + i4 * s4) & 65535]; // fault
  }
  out[i] = sum;
}
extern "C" __global__ void fast(const float* in, float* out, size_t s0, size_t s1, size_t s2, size_t s3, size_t s4) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned t0 = s0, t1 = s1;
  const unsigned base = (i & 63) * t0 + ((i >> 6) & 3) * t1;
  float sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k < 32; ++k) sum += in[(base + k * t0) & 65535];
  out[i] = sum;
}
