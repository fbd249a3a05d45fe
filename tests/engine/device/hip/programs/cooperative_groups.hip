// SPDX-License-Identifier: MIT
// Sums by tiles of a wave and by groups of any kind, one atomic for all active lanes.
#include <hip/hip_cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void tile_sums(int* out, const int* in) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  int sum = in[block.thread_rank()];
  for (unsigned step = tile.size() / 2; step > 0; step /= 2) sum += tile.shfl_down(sum, step);
  block.sync();
  if (tile.thread_rank() == 0) out[block.thread_rank() / tile.size()] = sum;
}

__device__ int sum_of(const cg::thread_group& group, int* shared, int value) {
  const unsigned rank = group.thread_rank();
  for (unsigned half = group.size() / 2; half > 0; half /= 2) {
    shared[rank] = value;
    group.sync();
    if (rank < half) value += shared[rank + half];
    group.sync();
  }
  return value;
}

__global__ void any_sums(int* out, const int* in) {
  __shared__ int shared[256];
  const cg::thread_block block = cg::this_thread_block();
  const int whole = sum_of(block, shared, in[block.thread_rank()]);
  const cg::thread_group part = cg::tiled_partition(block, 32);
  const unsigned first = block.thread_rank() - part.thread_rank();
  const int partly = sum_of(part, shared + first, in[block.thread_rank()]);
  if (part.thread_rank() == 0) out[1 + first / 32] = partly;
  if (block.thread_rank() == 0) out[0] = whole;
}

__global__ void places(int* out, int* used, const int* in) {
  if (in[threadIdx.x] % 3 != 0) return;
  const cg::coalesced_group active = cg::coalesced_threads();
  int before = 0;
  if (active.thread_rank() == 0) before = atomicAdd(used, static_cast<int>(active.size()));
  out[active.shfl(before, 0) + static_cast<int>(active.thread_rank())] = in[threadIdx.x];
}

int main() {
  constexpr int kCount = 256, kTile = 16;
  int *in, *out;
  CHECK(hipMallocManaged(&in, kCount * sizeof(int)));
  CHECK(hipMallocManaged(&out, kCount / kTile * sizeof(int)));
  for (int i = 0; i < kCount; ++i) in[i] = i;
  tile_sums<<<1, kCount>>>(out, in);
  CHECK(hipDeviceSynchronize());
  for (int i = 0; i < kCount / kTile; ++i) EXPECT(out[i] == kTile * (kTile * i) + kTile * (kTile - 1) / 2);
  any_sums<<<1, kCount>>>(out, in);
  CHECK(hipDeviceSynchronize());
  EXPECT(out[0] == kCount * (kCount - 1) / 2);
  for (int i = 0; i < kCount / 32; ++i) EXPECT(out[1 + i] == 32 * 32 * i + 32 * 31 / 2);
  int *used, *thirds;
  CHECK(hipMallocManaged(&used, sizeof(int)));
  CHECK(hipMallocManaged(&thirds, kCount * sizeof(int)));
  *used = 0;
  places<<<1, kCount>>>(thirds, used, in);
  CHECK(hipDeviceSynchronize());
  EXPECT(*used == (kCount + 2) / 3);
  int sum = 0;
  for (int i = 0; i < *used; ++i) sum += thirds[i];
  EXPECT(sum == 3 * (*used - 1) * *used / 2);
  return passed();
}
