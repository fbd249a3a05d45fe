// SPDX-License-Identifier: MIT
// Norms of quaternions that lie together with seven other fields; the fast one has the fields apart.
// fault: uncoalesced-load
// launch: --grid 262144 --workgroup 256 --arg f32:random(3):4194304 --arg f32:zero:262144
#include <hip/hip_runtime.h>
struct Body { float q[4], rest[12]; };
extern "C" __global__ void slow(const Body* bodies, float* norms) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < 4; ++k)
    s += bodies[i].q[k] * bodies[i].q[k];  // fault
  norms[i] = s;
}
extern "C" __global__ void fast(const float* fields, float* norms) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  float s = 0;
  for (int k = 0; k < 4; ++k) s += fields[k * n + i] * fields[k * n + i];
  norms[i] = s;
}
