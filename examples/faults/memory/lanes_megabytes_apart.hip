// SPDX-License-Identifier: MIT
// Lanes of a wave read from as many pages of 2 MiB as there are lanes.
// fault: address-translation,uncoalesced-load
// launch: --grid 65536 --workgroup 256 --arg f32:iota:67108864 --arg f32:zero:65536
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = i & 63, wave = i >> 6;
  float sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k < 8; ++k) sum += in[(lane << 20) + ((wave * 8 + k) << 5)];  // fault
  out[i] = sum;
}
extern "C" __global__ void fast(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = i & 63, wave = i >> 6;
  float sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k < 8; ++k) sum += in[((wave * 8 + k) << 6) + lane];
  out[i] = sum;
}
