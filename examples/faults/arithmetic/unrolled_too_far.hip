// SPDX-License-Identifier: MIT
// A loop body is written out until it does not fit the instruction cache.
// fault: instruction-cache
// launch: --grid 19456 --workgroup 64 --arg f32:random(1):19456 --arg f32:zero:19456 --arg f32:0.5
#include <hip/hip_runtime.h>

#define STEP(n) v = v * by + n##.25f; v = v * by - n##.75f;
#define TEN(n) STEP(n##0) STEP(n##1) STEP(n##2) STEP(n##3) STEP(n##4) STEP(n##5) STEP(n##6) STEP(n##7) STEP(n##8) STEP(n##9)
#define HUNDRED(n) TEN(n##0) TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4) TEN(n##5) TEN(n##6) TEN(n##7) TEN(n##8) TEN(n##9)
#define THOUSAND(n) HUNDRED(n##0) HUNDRED(n##1) HUNDRED(n##2) HUNDRED(n##3) HUNDRED(n##4) HUNDRED(n##5) HUNDRED(n##6) HUNDRED(n##7) HUNDRED(n##8) HUNDRED(n##9)

extern "C" __global__ void slow(const float* in, float* out, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
#pragma unroll 1
  for (int turn = 0; turn < 3; ++turn) {
    THOUSAND(1) THOUSAND(2) THOUSAND(3) THOUSAND(4) THOUSAND(5)  // fault
  }
  out[i] = v;
}
