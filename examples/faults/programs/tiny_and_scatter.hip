// SPDX-License-Identifier: MIT
// Two faults: workgroups of 16, and results dealt out with a stride.
// fault: unused-lanes,uncoalesced-store,small-workgroups
// launch: --grid 524288 --workgroup 16 --arg f32:random(1):524288 --arg f32:zero:8388608
// launch fast: --grid 524288 --workgroup 256 --arg f32:random(1):524288 --arg f32:zero:8388608
#include <hip/hip_runtime.h>
extern "C" __global__ void slow(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * 16] = in[i] * 2; // fault
}
extern "C" __global__ void fast(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * 2;
}
