// SPDX-License-Identifier: MIT
// Workgroups of cooperative launches wait for each other: a scan in one kernel, many rounds of neighbours that read what others wrote in the round before.
#include <hip/hip_cooperative_groups.h>

#include <vector>

#include "check.h"

namespace cg = cooperative_groups;

constexpr unsigned kItems = 128;

/// Inclusive sums of `count` numbers: of each workgroup's part, of the parts' totals, and of both together.
__global__ void scan(int* out, int* totals, const int* in, int count) {
  __shared__ int part[kItems];
  const cg::grid_group grid = cg::this_grid();
  const unsigned at = grid.thread_rank(), item = threadIdx.x;
  part[item] = at < count ? in[at] : 0;
  for (unsigned step = 1; step < kItems; step *= 2) {
    __syncthreads();
    const int before = item >= step ? part[item - step] : 0;
    __syncthreads();
    part[item] += before;
  }
  if (item == kItems - 1) totals[grid.block_rank()] = part[item];
  grid.sync();
  int before = 0;
  for (unsigned i = 0; i < grid.block_rank(); ++i) before += totals[i];
  if (at < count) out[at] = before + part[item];
}

/// In each round every element becomes the sum of itself and the element half the grid away: what one workgroup wrote in one round another one reads in the next.
__global__ void rounds(unsigned* a, unsigned* b, int count) {
  const cg::thread_group& group = cg::this_grid();
  const unsigned at = blockIdx.x * blockDim.x + threadIdx.x, size = gridDim.x * blockDim.x;
  for (int i = 0; i < count; ++i) {
    b[at] = a[at] + a[(at + size / 2 + 1) % size];
    group.sync();
    unsigned* const other = a;
    a = b;
    b = other;
  }
}

/// As AMD's device libraries let workgroups meet on GPUs that have it: by one wave of each, at a counter of the device.
__device__ void meet_at_counter() {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) __builtin_amdgcn_ds_gws_barrier(gridDim.x - 1, 3);
  __syncthreads();
}

__global__ void rounds_at_counter(unsigned* a, unsigned* b, int count) {
  const unsigned at = blockIdx.x * blockDim.x + threadIdx.x, size = gridDim.x * blockDim.x;
  for (int i = 0; i < count; ++i) {
    b[at] = a[at] + a[(at + size / 2 + 1) % size];
    meet_at_counter();
    unsigned* const other = a;
    a = b;
    b = other;
  }
}

__global__ void one_stays_away() {
  if (blockIdx.x != 1) meet_at_counter();
}

__global__ void valid(int* out) { *out = cg::this_grid().is_valid(); }

template <class T>
T* managed(std::size_t count) {
  T* out = nullptr;
  CHECK(hipMallocManaged(&out, count * sizeof(T)));
  return out;
}

int main(int arguments_count, char**) {
  if (arguments_count > 1) {
    one_stays_away<<<3, kItems>>>();
    return hipDeviceSynchronize() == hipSuccess;
  }
  int device = 0, cooperative = 0, units = 0, fit = 0;
  CHECK(hipDeviceGetAttribute(&cooperative, hipDeviceAttributeCooperativeLaunch, device));
  CHECK(hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, device));
  EXPECT(cooperative == 1);
  CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&fit, scan, kItems, 0));
  const unsigned most = fit * units;

  // As many workgroups as the device holds.
  const int count = static_cast<int>(most * kItems) - 5;
  int *in = managed<int>(count), *out = managed<int>(count), *totals = managed<int>(most);
  for (int i = 0; i < count; ++i) in[i] = i % 7 - 2;
  void* arguments[] = {&out, &totals, &in, const_cast<int*>(&count)};
  CHECK(hipLaunchCooperativeKernel(scan, dim3(most), dim3(kItems), arguments, 0, nullptr));
  CHECK(hipDeviceSynchronize());
  int sum = 0;
  for (int i = 0; i < count; ++i) {
    sum += in[i];
    EXPECT(out[i] == sum);
  }
  EXPECT(hipLaunchCooperativeKernel(scan, dim3(most + 1), dim3(kItems), arguments, 0, nullptr) == hipErrorCooperativeLaunchTooLarge);
  EXPECT(hipGetLastError() == hipErrorCooperativeLaunchTooLarge);

  // Dynamic LDS that nobody uses, an odd number of rounds, and both ways to meet.
  constexpr int kRounds = 9;
  const unsigned groups = 37, size = groups * kItems;
  unsigned *a = managed<unsigned>(size), *b = managed<unsigned>(size);
  std::vector<unsigned> first(size), expected, next(size);
  for (unsigned i = 0; i < size; ++i) first[i] = i;
  expected = first;
  for (int round = 0; round < kRounds; ++round) {
    for (unsigned i = 0; i < size; ++i) next[i] = expected[i] + expected[(i + size / 2 + 1) % size];
    expected.swap(next);
  }
  hipStream_t stream;
  CHECK(hipStreamCreate(&stream));
  int number = kRounds;
  void* others[] = {&a, &b, &number};
  for (const auto kernel : {rounds, rounds_at_counter}) {
    for (unsigned i = 0; i < size; ++i) a[i] = first[i];
    CHECK(hipLaunchCooperativeKernel(kernel, dim3(groups), dim3(kItems), others, 1024, stream));
    CHECK(hipStreamSynchronize(stream));
    for (unsigned i = 0; i < size; ++i) EXPECT(b[i] == expected[i]);
  }

  // Only a cooperative launch has what workgroups meet at.
  int* flag = managed<int>(1);
  void* one[] = {&flag};
  CHECK(hipLaunchCooperativeKernel(valid, dim3(1), dim3(1), one, 0, nullptr));
  CHECK(hipDeviceSynchronize());
  EXPECT(*flag == 1);
  valid<<<1, 1>>>(flag);
  CHECK(hipDeviceSynchronize());
  EXPECT(*flag == 0);
  return passed();
}
