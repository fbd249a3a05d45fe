// SPDX-License-Identifier: MIT
// Double precision by a constant, and one member of each structure is read.
// fault: uncoalesced-load,double-precision
// launch: --grid 262144 --workgroup 256 --arg f32:random(1):4194304 --arg f32:zero:262144
#include <hip/hip_runtime.h>

struct Particle {
  float member[16];
};
extern "C" __global__ void slow(const Particle* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i].member[3];                            // fault
  for (int k = 0; k < 40; ++k) v = v * 1.0001 + 0.3333;  // fault
  out[i] = v;
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[3 * 262144 + i];
  for (int k = 0; k < 40; ++k) v = v * 1.0001f + 0.3333f;
  out[i] = v;
}
