// SPDX-License-Identifier: MIT
// One pixel of each of 64 images a megabyte apart is loaded by a wave, by workgroups of 32.
// fault: uncoalesced-load,unused-lanes,address-translation
// launch: --grid 65536 --workgroup 32 --arg f32:zero:16777216 --arg f32:zero:65536
// launch fast: --grid 65536 --workgroup 256 --arg f32:zero:16777216 --arg f32:zero:65536
#include <hip/hip_runtime.h>
extern "C" __global__ void slow(const float* images, float* out) {
  const unsigned image = threadIdx.x, pixel = blockIdx.x;
  float s = 0;
#pragma unroll 4
  for (int c = 0; c < 8; ++c) s += images[image * 262144u + c * 8u * 2048u + pixel * 2u]; // fault
  out[pixel * 32 + image] = s;
}
extern "C" __global__ void fast(const float* images, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
#pragma unroll 4
  for (int c = 0; c < 8; ++c) s += images[c * 65536u + i];
  out[i] = s;
}
