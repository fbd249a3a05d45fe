// SPDX-License-Identifier: MIT
// Forty rows with a workgroup each; the fast one has sixteen workgroups for each row.
// fault: small-grid
// launch: --grid 10240 --workgroup 256 --arg f32:random(11):2621440 --arg f32:zero:40
// launch fast: --grid 163840 --workgroup 256 --arg f32:random(11):2621440 --arg f32:zero:640
#include <hip/hip_runtime.h>
template <int kParts> __device__ void row_sums(const float* in, float* out) {
  __shared__ float part[256];
  const int length = 65536 / kParts;
  const float* row = in + blockIdx.x * length;
  float s = 0;
  for (int k = threadIdx.x; k < length; k += 1024)
    s += row[k] + row[k + 256] + row[k + 512] + row[k + 768];  // fault
  part[threadIdx.x] = s;
  __syncthreads();
  for (int h = 128; h > 0; h /= 2) {
    if (threadIdx.x < h) part[threadIdx.x] += part[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
extern "C" __global__ void slow(const float* in, float* out) { row_sums<1>(in, out); }
extern "C" __global__ void fast(const float* in, float* out) { row_sums<16>(in, out); }
