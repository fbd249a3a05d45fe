/* SPDX-License-Identifier: MIT */
/* Operations between the lanes of a wave. */
#pragma once

#include <hip/detail/coordinates.h>

/// 0 to warpSize - 1.
__device__ __forceinline__ unsigned __lane_id() {
  const unsigned low = __builtin_amdgcn_mbcnt_lo(~0u, 0u);
#if defined(__AMDGCN_WAVEFRONT_SIZE) && __AMDGCN_WAVEFRONT_SIZE == 32
  return low;
#else
  return __builtin_amdgcn_mbcnt_hi(~0u, low);
#endif
}

/// A bit for each active lane whose predicate holds. 33 is LLVM's number of "not equal".
__device__ __forceinline__ unsigned long long __ballot(int predicate) { return __builtin_amdgcn_uicmp(predicate, 0, 33); }
__device__ __forceinline__ unsigned long long __ballot64(int predicate) { return __ballot(predicate); }
__device__ __forceinline__ unsigned long long __activemask() { return __ballot(true); }
__device__ __forceinline__ int __any(int predicate) { return __ballot(predicate) != 0; }
__device__ __forceinline__ int __all(int predicate) { return __ballot(predicate) == __activemask(); }

namespace rpl_hip {

/// The value of lane `lane`, in pieces of 32 bits. A lane that is not active gives 0.
template <class T>
__device__ __forceinline__ T from_lane(int lane, T value) {
  constexpr unsigned kWords = (sizeof(T) + 3) / 4;
  int words[kWords] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned i = 0; i < kWords; ++i) words[i] = __builtin_amdgcn_ds_bpermute(lane << 2, words[i]);
  T out;
  __builtin_memcpy(&out, words, sizeof(T));
  return out;
}

}  // namespace rpl_hip

// `width` divides the wave into groups, a power of 2; a lane whose source is outside its group keeps its own value.
template <class T>
__device__ __forceinline__ T __shfl(T value, int source, int width = warpSize) {
  const int self = static_cast<int>(__lane_id());
  return rpl_hip::from_lane((source & (width - 1)) + (self & ~(width - 1)), value);
}
template <class T>
__device__ __forceinline__ T __shfl_up(T value, unsigned delta, int width = warpSize) {
  const int self = static_cast<int>(__lane_id());
  const int lane = self - static_cast<int>(delta);
  return rpl_hip::from_lane(lane < (self & ~(width - 1)) ? self : lane, value);
}
template <class T>
__device__ __forceinline__ T __shfl_down(T value, unsigned delta, int width = warpSize) {
  const int self = static_cast<int>(__lane_id());
  const int lane = self + static_cast<int>(delta);
  return rpl_hip::from_lane((self & (width - 1)) + static_cast<int>(delta) >= width ? self : lane, value);
}
template <class T>
__device__ __forceinline__ T __shfl_xor(T value, int mask, int width = warpSize) {
  const int self = static_cast<int>(__lane_id());
  const int lane = self ^ mask;
  return rpl_hip::from_lane(lane >= ((self + width) & ~(width - 1)) ? self : lane, value);
}

// With a mask of lanes, as later HIP has them. The mask must have 64 bits: one of 32, as of CUDA, would leave out half a wave.
#define RPL_HIP_MASK static_assert(sizeof(M) == 8, "the mask of lanes has 64 bits on AMD GPUs")
template <class M, class T>
__device__ __forceinline__ T __shfl_sync(M, T value, int source, int width = warpSize) {
  RPL_HIP_MASK;
  return __shfl(value, source, width);
}
template <class M, class T>
__device__ __forceinline__ T __shfl_up_sync(M, T value, unsigned delta, int width = warpSize) {
  RPL_HIP_MASK;
  return __shfl_up(value, delta, width);
}
template <class M, class T>
__device__ __forceinline__ T __shfl_down_sync(M, T value, unsigned delta, int width = warpSize) {
  RPL_HIP_MASK;
  return __shfl_down(value, delta, width);
}
template <class M, class T>
__device__ __forceinline__ T __shfl_xor_sync(M, T value, int lane_mask, int width = warpSize) {
  RPL_HIP_MASK;
  return __shfl_xor(value, lane_mask, width);
}
template <class M>
__device__ __forceinline__ unsigned long long __ballot_sync(M mask, int predicate) {
  RPL_HIP_MASK;
  return __ballot(predicate) & mask;
}
template <class M>
__device__ __forceinline__ int __any_sync(M mask, int predicate) {
  return __ballot_sync(mask, predicate) != 0;
}
template <class M>
__device__ __forceinline__ int __all_sync(M mask, int predicate) {
  return __ballot_sync(mask, predicate) == (__activemask() & mask);
}
#undef RPL_HIP_MASK
