/* SPDX-License-Identifier: MIT */
/* cooperative_groups: the workgroup, parts of a wave, the lanes that are active. Groups over the whole grid need a cooperative launch, which
 * the emulated devices refuse, and are left out. */
#pragma once

#include <hip/hip_runtime.h>

#if defined(__HIP__) && defined(__cplusplus)

namespace cooperative_groups {

/// Any of the following: what functions take that do not care which.
class thread_group {
 public:
  __device__ void sync() const {
    if (is_part_of_wave_) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  }
  __device__ unsigned thread_rank() const { return rank_; }
  __device__ unsigned size() const { return size_; }
  __device__ unsigned num_threads() const { return size_; }
  __device__ bool is_valid() const { return true; }

 protected:
  __device__ thread_group(bool is_part_of_wave, unsigned rank, unsigned size)
      : is_part_of_wave_(is_part_of_wave), rank_(rank), size_(size) {}
  friend __device__ thread_group tiled_partition(const thread_group& parent, unsigned size);

  bool is_part_of_wave_;
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
      : thread_group(false, (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, blockDim.x * blockDim.y * blockDim.z) {}
  friend __device__ thread_block this_thread_block();
};

__device__ inline thread_block this_thread_block() { return thread_block(); }

/// `kSize` neighbouring lanes of a wave, a power of 2.
template <unsigned kSize, class Parent = thread_block>
class thread_block_tile : public thread_group {
  static_assert(kSize != 0 && (kSize & (kSize - 1)) == 0 && kSize <= 64, "a power of 2, at most a wave");

 public:
  __device__ explicit thread_block_tile(const Parent& parent)
      : thread_group(true, parent.thread_rank() % kSize, kSize), tile_(parent.thread_rank() / kSize), tiles_((parent.size() + kSize - 1) / kSize) {}

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
  return thread_group(true, parent.thread_rank() % size, size);
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
      : thread_group(true, __popcll(lanes & ((1ull << __lane_id()) - 1)), __popcll(lanes)), lanes_(lanes) {}
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
