// SPDX-License-Identifier: MIT
// A 7-point stencil that marches along z and keeps three planes in registers.
// fault: nothing-of-note,bandwidth-used-up
// launch: --grid 512,512 --workgroup 64,4 --arg f32:random(1):9000000 --arg f32:zero:8388608
#include <hip/hip_runtime.h>
extern "C" __global__ void slow(const float* __restrict__ in, float* __restrict__ out) {
  const int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, plane = 512 * 512;
  const int at = y * 512 + x;
  const int left = x ? at - 1 : at, right = x < 511 ? at + 1 : at, up = y ? at - 512 : at, down = y < 511 ? at + 512 : at;
  float before = in[at], here = in[at], next = in[at + plane];
  for (int z = 0; z < 30; ++z) {
    const int p = z * plane;
    const float sides = in[left + p] + in[right + p] + in[up + p] + in[down + p];
    out[at + p] = 0.4f * here + 0.1f * (before + next + sides);
    before = here;
    here = next;
    next = in[at + p + 2 * plane];
  }
}
