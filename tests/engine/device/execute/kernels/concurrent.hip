// SPDX-License-Identifier: MIT
// Kernels whose waves and workgroups need each other, rightly and wrongly. Built with line tables.
#include <hip/hip_runtime.h>

extern "C" __global__ void reversed(const float* in, float* out, int barrier) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  if (barrier) __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = tile[255 - threadIdx.x];
}

// Sums in place, where one half of the workgroup reads what the other wrote.
extern "C" __global__ void folded(float* data, int barrier) {
  float* mine = data + blockIdx.x * 256;
  if (threadIdx.x >= 128) mine[threadIdx.x] *= 2.0f;
  if (barrier) __syncthreads();
  if (threadIdx.x < 128) mine[threadIdx.x] += mine[threadIdx.x + 128];
}

extern "C" __global__ void counted(unsigned* total) {
  __shared__ unsigned sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, sum);
}

// The first wave waits for what the last one does.
extern "C" __global__ void handed_on(int* out) {
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x / 64 == 3) __hip_atomic_store(&flag, 7, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_WORKGROUP);
  int seen = 0;
  while (seen == 0) seen = __hip_atomic_load(&flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP);
  out[blockIdx.x * blockDim.x + threadIdx.x] = seen;
}

// Every workgroup waits until all have come.
extern "C" __global__ void grid_barrier(unsigned* arrived, unsigned* out) {
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1u);
    while (__hip_atomic_load(arrived, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) < gridDim.x) {
    }
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = *arrived;
}

// Two waves take two locks in opposite order.
extern "C" __global__ void lock_order(int* locks, int* out) {
  const int wave = threadIdx.x / 64;
  if (threadIdx.x % 64 != 0) return;
  while (atomicCAS(&locks[wave], 0, 1) != 0) {
  }
  __hip_atomic_fetch_add(&locks[2], 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  while (__hip_atomic_load(&locks[2], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) < 2) {
  }
  while (atomicCAS(&locks[1 - wave], 0, 1) != 0) {
  }
  out[wave] = 1;
}

extern "C" __global__ void waits_for_nobody(const int* flag, int* out) {
  while (__hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == 0) {
  }
  out[threadIdx.x] = 1;
}

// Never the same state twice, and never an end.
extern "C" __global__ void counts_on(unsigned* out) {
  for (unsigned i = 0;; ++i) __hip_atomic_store(out, i, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

// Waits for time to pass, as kernels that measure do.
extern "C" __global__ void waits_for_time(unsigned long long ticks, int* out) {
  const unsigned long long end = clock64() + ticks;
  while (clock64() < end) {
  }
  out[threadIdx.x] = 1;
}
