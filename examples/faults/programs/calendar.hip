// SPDX-License-Identifier: MIT
// Day, hour and minute of seconds since 1970 of 64 bits: modulo by run-time lengths, or by constants.
// fault: integer-division
// launch: --grid 262144 --workgroup 256 --arg u64:random(2):262144 --arg u32:zero:262144 --arg u64:86400 --arg u64:3600 --arg u64:60
#include <hip/hip_runtime.h>
using ull = unsigned long long;
__device__ unsigned pack(unsigned d, unsigned h, unsigned m) { return d << 12 | h << 6 | m; }
extern "C" __global__ void slow(const ull* t, unsigned* out, ull day, ull hour, ull minute) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const ull s = t[i] >> 8, in_day = s % day; // fault
  out[i] = pack(s / day, in_day / hour, in_day % hour / minute); // fault
}
extern "C" __global__ void fast(const ull* t, unsigned* out, ull, ull, ull) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const ull s = t[i] >> 8, d = s / 86400;
  const unsigned in_day = s - d * 86400;
  out[i] = pack(d, in_day / 3600, in_day % 3600 / 60);
}
