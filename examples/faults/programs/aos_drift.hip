// SPDX-License-Identifier: MIT
// Particles drift: an array of structures of 48 bytes, or arrays of each member.
// fault: uncoalesced-load,uncoalesced-store
// launch: --grid 524288 --workgroup 256 --arg f32:random(1):6291456 --arg f32:0.01
#include <hip/hip_runtime.h>
struct Particle {
  float px, py, pz;
  float vx, vy, vz;
  float mass, charge;
  int id, cell, flags, spare;
};
struct View { float *x, *y, *z; };
extern "C" __global__ void slow(Particle* p, float dt) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Particle& me = p[i];
  me.px += dt * me.vx; // fault
  me.py += dt * me.vy; // fault
  me.pz += dt * me.vz; // fault
}
extern "C" __global__ void fast(float* soa, float dt) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned n = gridDim.x * blockDim.x;
  for (int d = 0; d < 3; ++d) soa[d * n + i] += dt * soa[(3 + d) * n + i];
}
