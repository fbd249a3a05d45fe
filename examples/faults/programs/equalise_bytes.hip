// SPDX-License-Identifier: MIT
// The last step of a histogram equalisation: a lane maps sixteen pixels through a table in LDS, byte by byte or sixteen at once.
// fault: narrow-loads,uncoalesced-load,uncoalesced-store
// launch: --grid 262144 --workgroup 256 --arg u32:random(19):1048576 --arg u32:random(20):64 --arg u32:zero:1048576
#include <hip/hip_runtime.h>

using Pixel = unsigned char;

__device__ void load_table(const Pixel* table, Pixel* mine) {
  mine[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
}

extern "C" __global__ void slow(const Pixel* in, const Pixel* table, Pixel* out) {
  __shared__ Pixel map[256];
  load_table(table, map);
  const size_t first = (size_t)(blockIdx.x * blockDim.x + threadIdx.x) * 16;
  for (size_t k = first; k < first + 16; ++k) out[k] = map[in[k]];  // fault
}

extern "C" __global__ void fast(const Pixel* in, const Pixel* table, Pixel* out) {
  __shared__ Pixel map[256];
  load_table(table, map);
  const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 v = reinterpret_cast<const uint4*>(in)[i];
  auto four = [&](unsigned w) { return map[w & 255] | map[w >> 8 & 255] << 8 | map[w >> 16 & 255] << 16 | map[w >> 24] << 24; };
  reinterpret_cast<uint4*>(out)[i] = make_uint4(four(v.x), four(v.y), four(v.z), four(v.w));
}
