// SPDX-License-Identifier: MIT
// A tile of 64 by 64 is read by columns.
// fault: lds-bank-conflicts
// launch: --grid 1048576 --workgroup 256 --arg f32:random(1):1048576 --arg f32:zero:1048576
#include <hip/hip_runtime.h>

template <int kPitch>
__device__ __forceinline__ float through(const float* in) {
  __shared__ float tile[64 * kPitch];
  const int lane = threadIdx.x & 63, wave = threadIdx.x >> 6;
  const int base = (blockIdx.x & 255) * 4096;
  for (int k = 0; k < 16; ++k) tile[(k * 4 + wave) * kPitch + lane] = in[base + (k * 4 + wave) * 64 + lane];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 64; ++k) sum += tile[lane * kPitch + ((k + wave * 16) & 63)] * float(k);  // fault
  return sum;
}
extern "C" __global__ void slow(const float* in, float* out) {
  out[blockIdx.x * 256 + threadIdx.x] = through<64>(in);
}
extern "C" __global__ void fast(const float* in, float* out) {
  out[blockIdx.x * 256 + threadIdx.x] = through<65>(in);
}
