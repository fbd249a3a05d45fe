/* SPDX-License-Identifier: MIT */
/* cooperative_groups: the grid of a cooperative launch, the workgroup, parts of a wave, the lanes that are active. Groups over several devices are left out. */
#pragma once

#include <hip/hip_runtime.h>

#if defined(__HIP__) && defined(__cplusplus)

/* Clang's: the version of code objects, in hundreds. */
extern "C" __constant__ const int __oclc_ABI_version;

namespace rpl_hip {

/// Two counters that begin at zero: workgroups that have arrived, and how often all of them had. They are of what a cooperative launch hands its kernel as
/// hidden_multigrid_sync_arg; null in other launches.
__device__ inline unsigned* grid_counters() {
  constexpr unsigned kCounters = 32;
  const unsigned argument = __oclc_ABI_version < 500 ? 48 : 88;
  const auto* hidden = (const __attribute__((address_space(4))) char*)__builtin_amdgcn_implicitarg_ptr();
  char* info = *reinterpret_cast<char* const __attribute__((address_space(4)))*>(hidden + argument);
  return info == nullptr ? nullptr : reinterpret_cast<unsigned*>(info + kCounters);
}

/// What any workgroup wrote before, all of them see behind it.
__device__ inline void sync_grid(unsigned workgroups) {
  __threadfence();
  __syncthreads();
  if ((threadIdx.x | threadIdx.y | threadIdx.z) == 0) {
    unsigned *arrived = grid_counters(), *met = arrived + 1;
    const unsigned before = __hip_atomic_load(met, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    if (__hip_atomic_fetch_add(arrived, 1u, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT) + 1 == workgroups) {
      __hip_atomic_store(arrived, 0u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
      __hip_atomic_fetch_add(met, 1u, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
    } else {
      while (__hip_atomic_load(met, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == before) __builtin_amdgcn_s_sleep(1);
    }
  }
  __syncthreads();
}

}  // namespace rpl_hip

namespace cooperative_groups {

/// Any of the following: what functions take that do not care which.
class thread_group {
 public:
  __device__ void sync() const {
    if (extent_ == extent::part_of_wave) {
      __syncwarp();
    } else if (extent_ == extent::workgroup) {
      __syncthreads();
    } else {
      rpl_hip::sync_grid(gridDim.x * gridDim.y * gridDim.z);
    }
  }
  __device__ unsigned thread_rank() const { return rank_; }
  __device__ unsigned size() const { return size_; }
  __device__ unsigned num_threads() const { return size_; }
  __device__ bool is_valid() const { return true; }

 protected:
  enum class extent : unsigned char { part_of_wave, workgroup, grid };
  __device__ thread_group(extent of, unsigned rank, unsigned size) : extent_(of), rank_(rank), size_(size) {}
  friend __device__ thread_group tiled_partition(const thread_group& parent, unsigned size);

  extent extent_;
  unsigned rank_, size_;
};

/// All work-items of a workgroup.
class thread_block : public thread_group {
 public:
  __device__ dim3 group_index() const { return blockIdx; }
  __device__ dim3 thread_index() const { return threadIdx; }
  __device__ dim3 group_dim() const { return blockDim; }

 private:
  __device__ thread_block()
      : thread_group(extent::workgroup, (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, blockDim.x * blockDim.y * blockDim.z) {}
  friend __device__ thread_block this_thread_block();
};

__device__ inline thread_block this_thread_block() { return thread_block(); }

/// All work-items of a launch by hipLaunchCooperativeKernel, whose workgroups are on the device all at once. Of another launch is_valid() is false, and
/// sync() a memory fault.
class grid_group : public thread_group {
 public:
  __device__ bool is_valid() const { return rpl_hip::grid_counters() != nullptr; }
  __device__ dim3 group_dim() const { return gridDim; }
  __device__ unsigned num_blocks() const { return gridDim.x * gridDim.y * gridDim.z; }
  __device__ unsigned block_rank() const { return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
  __device__ dim3 block_index() const { return blockIdx; }
  __device__ dim3 thread_index() const { return threadIdx; }

 private:
  __device__ grid_group() : thread_group(extent::grid, 0, 0) {
    const unsigned items = blockDim.x * blockDim.y * blockDim.z;
    rank_ = block_rank() * items + (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    size_ = num_blocks() * items;
  }
  friend __device__ grid_group this_grid();
};

__device__ inline grid_group this_grid() { return grid_group(); }

/// `kSize` neighbouring lanes of a wave, a power of 2.
template <unsigned kSize, class Parent = thread_block>
class thread_block_tile : public thread_group {
  static_assert(kSize != 0 && (kSize & (kSize - 1)) == 0 && kSize <= 64, "a power of 2, at most a wave");

 public:
  __device__ explicit thread_block_tile(const Parent& parent)
      : thread_group(extent::part_of_wave, parent.thread_rank() % kSize, kSize), tile_(parent.thread_rank() / kSize), tiles_((parent.size() + kSize - 1) / kSize) {}

  __device__ static constexpr unsigned size() { return kSize; }
  __device__ static constexpr unsigned num_threads() { return kSize; }
  __device__ unsigned meta_group_rank() const { return tile_; }
  __device__ unsigned meta_group_size() const { return tiles_; }

  template <class T>
  __device__ T shfl(T value, int source) const { return __shfl(value, source, kSize); }
  template <class T>
  __device__ T shfl_up(T value, unsigned delta) const { return __shfl_up(value, delta, kSize); }
  template <class T>
  __device__ T shfl_down(T value, unsigned delta) const { return __shfl_down(value, delta, kSize); }
  template <class T>
  __device__ T shfl_xor(T value, unsigned mask) const { return __shfl_xor(value, static_cast<int>(mask), kSize); }

  /// Of this tile alone, its first lane in bit 0.
  __device__ unsigned long long ballot(int predicate) const { return (__ballot(predicate) >> (__lane_id() & ~(kSize - 1))) & kAll; }
  __device__ int any(int predicate) const { return ballot(predicate) != 0; }
  __device__ int all(int predicate) const { return ballot(!predicate) == 0; }

 private:
  static constexpr unsigned long long kAll = kSize == 64 ? ~0ull : (1ull << (kSize % 64)) - 1;
  unsigned tile_, tiles_;
};

template <unsigned kSize, class Parent>
__device__ inline thread_block_tile<kSize, Parent> tiled_partition(const Parent& parent) {
  return thread_block_tile<kSize, Parent>(parent);
}

/// The same with a size that only the program knows: a power of 2, at most a wave.
__device__ inline thread_group tiled_partition(const thread_group& parent, unsigned size) {
  return thread_group(thread_group::extent::part_of_wave, parent.thread_rank() % size, size);
}

/// The lanes of a wave that are active where it is made, counted from the lowest.
class coalesced_group : public thread_group {
 public:
  __device__ unsigned long long active() const { return lanes_; }
  /// The value of the member with this rank.
  template <class T>
  __device__ T shfl(T value, int rank) const {
    unsigned long long left = lanes_;
    for (int i = 0; i < rank; ++i) left &= left - 1;
    return rpl_hip::from_lane(__builtin_ctzll(left), value);
  }
  __device__ int any(int predicate) const { return (__ballot(predicate) & lanes_) != 0; }
  __device__ int all(int predicate) const { return (__ballot(predicate) & lanes_) == lanes_; }

 private:
  __device__ explicit coalesced_group(unsigned long long lanes)
      : thread_group(extent::part_of_wave, __popcll(lanes & ((1ull << __lane_id()) - 1)), __popcll(lanes)), lanes_(lanes) {}
  friend __device__ coalesced_group coalesced_threads();

  unsigned long long lanes_;
};

__device__ inline coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <class Group>
__device__ inline void sync(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups

#endif
