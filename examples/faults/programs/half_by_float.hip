// SPDX-License-Identifier: MIT
// A recurrence in half precision that goes through float at each step, or stays in half.
// fault: conversions
// launch: --grid 311296 --workgroup 256 --arg f16:random(1):311296 --arg f16:zero:311296 --arg i32:64
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
extern "C" __global__ void slow(const __half* in, __half* out, int turns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half x = in[i], y = in[i];
  for (int t = 0; t < turns; ++t) {
    const float a = __half2float(x), b = __half2float(y); // fault
    x = __float2half(a * 0.5f + b * 0.25f); // fault
    y = __float2half(b * 0.5f - a * 0.25f); // fault
  }
  out[i] = x + y;
}
extern "C" __global__ void fast(const __half* in, __half* out, int turns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half x = in[i], y = in[i];
  const __half h = __float2half(0.5f), q = __float2half(0.25f);
  for (int t = 0; t < turns; ++t) {
    const __half a = x, b = y;
    x = __hfma(a, h, __hmul(b, q));
    y = __hfma(b, h, __hneg(__hmul(a, q)));
  }
  out[i] = x + y;
}
