// SPDX-License-Identifier: MIT
// Two faults: atoms as structures of 64 bytes, and a screened potential in double precision.
// fault: uncoalesced-load,double-precision
// launch: --grid 262144 --workgroup 256 --arg f32:random(1):4194304 --arg f32:zero:262144
#include <hip/hip_runtime.h>
struct alignas(64) Atom { float x, y, z, q; int type; float pad[11]; };
extern "C" __global__ void slow(const Atom* a, float* e) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const Atom& m = a[i];
  const float r = sqrt(m.x * m.x + m.y * m.y + m.z * m.z + 1e-3); // fault
  e[i] = m.q * exp(-0.3 * r) / r; // fault
}
extern "C" __global__ void fast(const float* a, float* e) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  const float x = a[i], y = a[n + i], z = a[2 * n + i], q = a[3 * n + i];
  const float r = sqrtf(x * x + y * y + z * z + 1e-3f);
  e[i] = q * expf(-0.3f * r) / r;
}
