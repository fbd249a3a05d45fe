// SPDX-License-Identifier: MIT
// Bytes are loaded one by one, and a factor with each.
// fault: narrow-loads,loop-invariant-load
// launch: --grid 131072 --workgroup 256 --arg u8:random(1):4194304 --arg f32:random(2):256 --arg f32:zero:131072
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const unsigned char* in, const volatile float* factor, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 32; ++k) sum += in[i * 32 + k] * factor[threadIdx.x];  // fault
  out[i] = sum;
}
extern "C" __global__ void fast(const unsigned char* in, const volatile float* factor, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float by = factor[threadIdx.x];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const uint4 some = reinterpret_cast<const uint4*>(in)[i * 2 + k];
    const unsigned words[4] = {some.x, some.y, some.z, some.w};
    for (int n = 0; n < 16; ++n) sum += (words[n / 4] >> (n % 4 * 8) & 255) * by;
  }
  out[i] = sum;
}
