// SPDX-License-Identifier: MIT
// GELU by erff, or by the fast tanh formula with __expf.
// fault: transcendentals
// launch: --grid 524288 --workgroup 256 --arg f16:random(1):2097152 --arg f16:zero:2097152
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
template <class F> __device__ void map4(const __half* in, __half* out, F f) {
  const unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
#pragma unroll
  for (int k = 0; k < 4; ++k) out[i + k] = __float2half(f(__half2float(in[i + k])));
}
extern "C" __global__ void slow(const __half* in, __half* out) {
  map4(in, out, [](float x) { return 0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * powf(x, 3)))); }); // fault
}
extern "C" __global__ void fast(const __half* in, __half* out) {
  map4(in, out, [](float x) {
    const float u = __expf(-1.59576912f * (x + 0.044715f * x * x * x));
    return x * __frcp_rn(1 + u);
  });
}
