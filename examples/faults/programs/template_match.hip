// SPDX-License-Identifier: MIT
// Where a pattern of 16 lies best in a signal: for each of eight shifts a lane loads its window anew, or keeps it in registers.
// fault: redundant-loads
// launch: --grid 131072 --workgroup 256 --arg f32:random(1):1048608 --arg f32:random(2):16 --arg f32:zero:131072
#include <hip/hip_runtime.h>

constexpr int kPattern = 16, kShifts = 8;

extern "C" __global__ void slow(const float* signal, const float* pattern, float* best) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float least = 1e30f;
#pragma unroll 1
  for (int s = 0; s < kShifts; ++s) {
    float d = 0;
    for (int k = 0; k < kPattern; ++k) {
      const float e = signal[(size_t)i + (s + k) * 4096] - pattern[k];  // fault
      d += e * e;
    }
    least = fminf(least, d);
  }
  best[i] = least;
}
extern "C" __global__ void fast(const float* signal, const float* pattern, float* best) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float window[kPattern + kShifts - 1], least = 1e30f;
#pragma unroll
  for (int k = 0; k < kPattern + kShifts - 1; ++k) window[k] = signal[(size_t)i + k * 4096];
#pragma unroll
  for (int s = 0; s < kShifts; ++s) {
    float d = 0;
#pragma unroll
    for (int k = 0; k < kPattern; ++k) {
      const float e = window[s + k] - pattern[k];
      d += e * e;
    }
    least = fminf(least, d);
  }
  best[i] = least;
}
