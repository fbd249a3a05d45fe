// SPDX-License-Identifier: MIT
// A work-item reads its sixteen halves one after the other.
// fault: narrow-loads
// launch: --grid 262144 --workgroup 256 --arg f16:random(1):4194304 --arg f32:zero:262144
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const _Float16* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 16; ++k) sum += float(in[i * 16 + k]);  // fault
  out[i] = sum;
}
extern "C" __global__ void fast(const _Float16* in, float* out) {
  using half8 = _Float16 __attribute__((ext_vector_type(8)));
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int n = 0; n < 2; ++n) {
    const half8 v = reinterpret_cast<const half8*>(in)[i * 2 + n];
    for (int k = 0; k < 8; ++k) sum += float(v[k]);
  }
  out[i] = sum;
}
