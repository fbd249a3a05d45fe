// SPDX-License-Identifier: MIT
// Row and column by division with a width that is only known at run time.
// fault: integer-division
// launch: --grid 1048576 --workgroup 256 --arg u32:iota:1048576 --arg u32:zero:1048576 --arg u32:64
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const unsigned* in, unsigned* out, unsigned width) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = in[i], sum = 0;
  for (unsigned k = 0; k < 32; ++k) sum += (v + k * 977) / width * 3 + (v + k * 977) % width;  // fault
  out[i] = sum;
}

extern "C" __global__ void fast(const unsigned* in, unsigned* out, unsigned width) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, shift = 31 - __clz(width);
  unsigned v = in[i], sum = 0;
  for (unsigned k = 0; k < 32; ++k) sum += ((v + k * 977) >> shift) * 3 + ((v + k * 977) & (width - 1));
  out[i] = sum;
}
