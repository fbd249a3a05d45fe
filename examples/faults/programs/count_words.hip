// SPDX-License-Identifier: MIT
// Counts words of a text: a lane reads its 32 bytes one by one, or 16 at once.
// fault: narrow-loads
// launch: --grid 131072 --workgroup 256 --arg u8:random(9):4194304 --arg u32:zero:131072
#include <hip/hip_runtime.h>
__device__ inline bool space(unsigned c) { return (c & 0x1f) == 10 || (c & 0x1f) == 0; }
extern "C" __global__ void slow(const unsigned char* text, unsigned* words) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned count = 0;
  bool before = true;
#pragma unroll 1
  for (int k = 0; k < 32; ++k) {
    const bool now = space(text[i * 32 + k]); // fault
    count += before && !now;
    before = now;
  }
  words[i] = count;
}
extern "C" __global__ void fast(const uint4* text, unsigned* words) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const uint4 a = text[2 * i], b = text[2 * i + 1];
  const unsigned w[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
  unsigned count = 0;
  bool before = true;
#pragma unroll
  for (int k = 0; k < 32; ++k) {
    const bool now = space(w[k / 4] >> (k % 4 * 8) & 255);
    count += before && !now;
    before = now;
  }
  words[i] = count;
}
