// SPDX-License-Identifier: MIT
// Roots of trees: each lane follows parents, or reads the root that an earlier pass wrote.
// fault: dependency-chain,uncoalesced-load
// launch: --grid 65536 --workgroup 256 --arg u32:random(1):65536 --arg u32:zero:65536 --arg i32:48
#include <hip/hip_runtime.h>
extern "C" __global__ void slow(const unsigned* parent, unsigned* root, int depth) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned at = i;
  while (depth-- > 0) at = (parent[at] ^ i) & 65535u; // fault
  root[i] = at;
}
extern "C" __global__ void fast(const unsigned* parent, unsigned* root, int depth) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned at[4] = {i, i ^ 77, i ^ 1234, i ^ 4321};
  for (int k = 0; k < depth / 4; ++k)
    for (int j = 0; j < 4; ++j) at[j] = (parent[at[j]] ^ i) & 65535u;
  root[i] = at[0] ^ at[1] ^ at[2] ^ at[3];
}
