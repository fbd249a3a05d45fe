// SPDX-License-Identifier: MIT
// A softmax with a wave for each row, in registers.
// fault: nothing-of-note,bandwidth-used-up,dependent-loads
// launch: --grid 1048576 --workgroup 256 --arg f32:random(1):8388608 --arg f32:zero:8388608
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float4* in, float4* out) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 64, lane = threadIdx.x & 63;
  float4 v[2];
  float most = -1e30f, sum = 0;
  for (int k = 0; k < 2; ++k) {
    v[k] = in[row * 128 + k * 64 + lane];
    most = fmaxf(most, fmaxf(fmaxf(v[k].x, v[k].y), fmaxf(v[k].z, v[k].w)));
  }
  for (int n = 32; n > 0; n /= 2) most = fmaxf(most, __shfl_xor(most, n));
  for (int k = 0; k < 2; ++k) {
    v[k] = {__expf(v[k].x - most), __expf(v[k].y - most), __expf(v[k].z - most), __expf(v[k].w - most)};
    sum += v[k].x + v[k].y + v[k].z + v[k].w;
  }
  for (int n = 32; n > 0; n /= 2) sum += __shfl_xor(sum, n);
  const float by = 1 / sum;
  for (int k = 0; k < 2; ++k)
    out[row * 128 + k * 64 + lane] = {v[k].x * by, v[k].y * by, v[k].z * by, v[k].w * by};
}
