// SPDX-License-Identifier: MIT
// Rows and columns of a flat index by division, for each of several layers; the fast one has a grid of two dimensions.
// fault: integer-division
// launch: --grid 524288 --workgroup 256 --arg u32:zero:524288 --arg u32:700 --arg u32:13
// launch fast: --grid 524288 --workgroup 256 --arg u32:zero:524288 --arg u32:700 --arg u32:13
#include <hip/hip_runtime.h>
extern "C" __global__ void slow(unsigned* out, unsigned width, unsigned layers) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  unsigned sum = 0;
  for (unsigned l = 0; l < layers; ++l) {
    const unsigned at = i + l * 31;
    sum += (at / width) * 3 + at % width;  // fault
  }
  out[i] = sum;
}
extern "C" __global__ void fast(unsigned* out, unsigned width, unsigned layers) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  unsigned sum = 0, row = i / width, column = i - row * width;
  for (unsigned l = 0; l < layers; ++l) {
    sum += row * 3 + column;
    column += 31;
    if (column >= width) {
      column -= width;
      ++row;
    }
  }
  out[i] = sum;
}
