// SPDX-License-Identifier: MIT
// Adler checksums (without the modulo) of 256-byte messages, one a lane: a lane walks its message byte by byte, or words of all messages lie side by side.
// fault: uncoalesced-load,narrow-loads
// launch: --grid 65536 --workgroup 256 --arg u32:random(75):4194304 --arg u32:zero:65536
#include <hip/hip_runtime.h>

constexpr unsigned kBytes = 256;

__device__ unsigned step(unsigned crc, unsigned byte) {
  const unsigned low = (crc & 0xffff) + byte;
  return (crc & 0xffff0000) + (low << 16) + (low & 0xffff);
}
extern "C" __global__ void slow(const unsigned* messages, unsigned* sums) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned char* own = reinterpret_cast<const unsigned char*>(messages) + (size_t)i * kBytes;
  unsigned crc = ~0u;
#pragma unroll 4
  for (unsigned k = 0; k < kBytes; ++k) crc = step(crc, own[k]);  // fault
  sums[i] = ~crc;
}
extern "C" __global__ void fast(const unsigned* messages, unsigned* sums) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  unsigned crc = ~0u;
  for (unsigned k = 0; k < kBytes / 4; ++k) {
    const unsigned word = messages[k * n + i];
    for (unsigned b = 0; b < 32; b += 8) crc = step(crc, word >> b & 255);
  }
  sums[i] = ~crc;
}
