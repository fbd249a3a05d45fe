// SPDX-License-Identifier: MIT
// A fused multiply-add over whole lines, eight halves a lane. Nothing is to be repaired.
// fault: nothing-of-note,bandwidth-used-up
// launch: --grid 622592 --workgroup 256 --arg u32:iota:2490368 --arg u32:iota:2490368
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
extern "C" __global__ void slow(const uint4* __restrict__ x, uint4* __restrict__ y) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  uint4 a = x[i], b = y[i];
  unsigned* p = &a.x;
  unsigned* q = &b.x;
  for (int k = 0; k < 4; ++k) {
    __half2 u = *reinterpret_cast<__half2*>(p + k), v = *reinterpret_cast<__half2*>(q + k);
    v = __hfma2(u, __float2half2_rn(0.5f), v);
    q[k] = *reinterpret_cast<unsigned*>(&v);
  }
  y[i] = b;
}
