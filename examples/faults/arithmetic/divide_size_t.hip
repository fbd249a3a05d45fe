// SPDX-License-Identifier: MIT
// Indices of 64 bits are taken apart with division and modulo, as a tensor's often are; the fast kernel has a dimension of the grid for each and divides nothing.
// fault: integer-division
// launch: --grid 737280 --workgroup 192 --arg f32:random(1):737280 --arg f32:random(2):24 --arg f32:zero:737280 --arg u64:24 --arg u64:40 --arg u64:192
// launch fast: --grid 7680,24,4 --workgroup 192 --arg f32:random(1):737280 --arg f32:random(2):24 --arg f32:zero:737280 --arg u64:24 --arg u64:40 --arg u64:192
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* __restrict__ in, const float* __restrict__ gain, float* __restrict__ out, size_t channels, size_t height, size_t width) {
  const size_t i = blockIdx.x * size_t{192} + threadIdx.x;
  const size_t x = i % width;                         // fault
  const size_t y = i / width % height;                // fault
  const size_t c = i / (width * height) % channels;   // fault
  out[i] = in[i] * gain[c] + static_cast<float>(x + y);
}

extern "C" __global__ void fast(const float* __restrict__ in, const float* __restrict__ gain, float* __restrict__ out, size_t channels, size_t height, size_t width) {
  const unsigned x = threadIdx.x, y = blockIdx.x, c = blockIdx.y;
  const unsigned i = ((blockIdx.z * unsigned(channels) + c) * unsigned(height) + y) * unsigned(width) + x;
  out[i] = in[i] * gain[c] + static_cast<float>(x + y);
}
