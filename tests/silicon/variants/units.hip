// SPDX-License-Identifier: MIT
// Variants of kernels that keep one compute unit busy: vector and matrix instructions, chains, LDS.
#include "../measure.h"

namespace {

using silicon::Point;
using std::uint32_t;
using Four = float __attribute__((ext_vector_type(4)));
using Sixteen = float __attribute__((ext_vector_type(16)));
using Doubles = double __attribute__((ext_vector_type(4)));
using Pair = float __attribute__((ext_vector_type(2)));
using Halfs = _Float16 __attribute__((ext_vector_type(4)));
using Shorts2 = short __attribute__((ext_vector_type(2)));
using Shorts4 = short __attribute__((ext_vector_type(4)));

/// One instruction of each kind, on registers that the loop does not touch otherwise. What a round computes is 32 x 32 x 8 products of a matrix for each
/// wave, or as many multiply-adds of vectors.
struct FmaF32 {
  float a[8] = {};
  __device__ void round(float x) {
#pragma unroll
    for (int i = 0; i < 128; ++i) asm volatile("v_fma_f32 %0, %1, %1, %0" : "+v"(a[i % 8]) : "v"(x));
  }
  __device__ float sum() const { return a[0] + a[7]; }
};
struct PackedF32 {
  Pair a[8] = {};
  __device__ void round(float x) {
    const Pair both = {x, x};
#pragma unroll
    for (int i = 0; i < 64; ++i) asm volatile("v_pk_fma_f32 %0, %1, %1, %0" : "+v"(a[i % 8]) : "v"(both));
  }
  __device__ float sum() const { return a[0].x + a[7].y; }
};
struct FmaF64 {
  double a[8] = {};
  __device__ void round(float x) {
    const double wide = x;
#pragma unroll
    for (int i = 0; i < 128; ++i) asm volatile("v_fma_f64 %0, %1, %1, %0" : "+v"(a[i % 8]) : "v"(wide));
  }
  __device__ float sum() const { return static_cast<float>(a[0] + a[7]); }
};
struct MatrixF32 {
  Sixteen a[2] = {};
  __device__ void round(float x) {
#pragma unroll
    for (int i = 0; i < 4; ++i) a[i % 2] = __builtin_amdgcn_mfma_f32_32x32x2f32(x, x, a[i % 2], 0, 0, 0);
  }
  __device__ float sum() const { return a[0][0] + a[1][7]; }
};
/// Four products of 16 x 16 x 4 are a quarter of a product of 32 x 32 x 4.
struct MatrixF32Small {
  Four a[4] = {};
  __device__ void round(float x) {
#pragma unroll
    for (int i = 0; i < 8; ++i) a[i % 4] = __builtin_amdgcn_mfma_f32_16x16x4f32(x, x, a[i % 4], 0, 0, 0);
  }
  __device__ float sum() const { return a[0][0] + a[1][1] + a[2][2] + a[3][3]; }
};
struct MatrixF16 {
  Sixteen a[2] = {};
  __device__ void round(float x) {
    const Halfs h = static_cast<_Float16>(x);
    a[0] = __builtin_amdgcn_mfma_f32_32x32x8f16(h, h, a[0], 0, 0, 0);
  }
  __device__ float sum() const { return a[0][0]; }
};
struct MatrixBf16 {
  Sixteen a[2] = {};
  __device__ void round(float x) {
    const short bits = static_cast<short>(__builtin_bit_cast(uint32_t, x) >> 16);
    const Shorts4 s = bits;
    a[0] = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(s, s, a[0], 0, 0, 0);
  }
  __device__ float sum() const { return a[0][0]; }
};
struct MatrixBf16Old {
  Sixteen a[2] = {};
  __device__ void round(float x) {
    const short bits = static_cast<short>(__builtin_bit_cast(uint32_t, x) >> 16);
    const Shorts2 s = bits;
#ifdef __gfx90a__
#pragma unroll
    for (int i = 0; i < 2; ++i) a[i] = __builtin_amdgcn_mfma_f32_32x32x4bf16(s, s, a[i], 0, 0, 0);
#endif
  }
  __device__ float sum() const { return a[0][0] + a[1][0]; }
};
/// As many multiply-adds as FmaF64.
struct MatrixF64 {
  Doubles a[2] = {};
  __device__ void round(float x) {
    const double wide = x;
#pragma unroll
    for (int i = 0; i < 8; ++i) a[i % 2] = __builtin_amdgcn_mfma_f64_16x16x4f64(wide, wide, a[i % 2], 0, 0, 0);
  }
  __device__ float sum() const { return static_cast<float>(a[0][0] + a[1][3]); }
};
struct MatrixF64Small {
  double a[2] = {};
  __device__ void round(float x) {
    const double wide = x;
#pragma unroll
    for (int i = 0; i < 32; ++i) a[i % 2] = __builtin_amdgcn_mfma_f64_4x4x4f64(wide, wide, a[i % 2], 0, 0, 0);
  }
  __device__ float sum() const { return static_cast<float>(a[0] + a[1]); }
};
/// Four products, and the same with what a wave can do beside them.
template <int kBeside>
struct Products {
  Sixteen m = {};
  float a[4] = {};
  __device__ void round(float x) {
    const Halfs h = static_cast<_Float16>(x);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      m = __builtin_amdgcn_mfma_f32_32x32x8f16(h, h, m, 0, 0, 0);
#pragma unroll
      for (int i = 0; i < kBeside; ++i) asm volatile("v_fma_f32 %0, %1, %1, %0" : "+v"(a[i % 4]) : "v"(x));
    }
  }
  __device__ float sum() const { return m[0] + a[0]; }
};
/// 64 vector instructions, each of which needs the one before it; and four chains in turn.
struct Chain {
  float a = 0;
  __device__ void round(float x) {
#pragma unroll
    for (int i = 0; i < 64; ++i) asm volatile("v_fma_f32 %0, %1, %1, %0" : "+v"(a) : "v"(x));
  }
  __device__ float sum() const { return a; }
};
struct FourChains {
  float a[4] = {};
  __device__ void round(float x) {
#pragma unroll
    for (int i = 0; i < 64; ++i) asm volatile("v_fma_f32 %0, %1, %1, %0" : "+v"(a[i % 4]) : "v"(x));
  }
  __device__ float sum() const { return a[0] + a[3]; }
};
struct Roots {
  float a[4] = {};
  __device__ void round(float x) {
#pragma unroll
    for (int i = 0; i < 64; ++i) asm volatile("v_rsq_f32 %0, %1" : "=v"(a[i % 4]) : "v"(x));
  }
  __device__ float sum() const { return a[0] + a[3]; }
};
struct WideProducts {
  uint32_t a[4] = {};
  __device__ void round(float x) {
#pragma unroll
    for (int i = 0; i < 64; ++i) asm volatile("v_mul_lo_u32 %0, %1, %1" : "=v"(a[i % 4]) : "v"(x));
  }
  __device__ float sum() const { return static_cast<float>(a[0] + a[3]); }
};
struct NarrowProducts {
  uint32_t a[4] = {};
  __device__ void round(float x) {
#pragma unroll
    for (int i = 0; i < 64; ++i) asm volatile("v_mul_u32_u24 %0, %1, %1" : "=v"(a[i % 4]) : "v"(x));
  }
  __device__ float sum() const { return static_cast<float>(a[0] + a[3]); }
};

/// Chains that begin alike would be computed once.
template <class Kind>
__device__ auto differ(Kind& kind, int) -> decltype(static_cast<void>(kind.a[1])) {
#pragma unroll
  for (int i = 0; i < static_cast<int>(sizeof(kind.a) / sizeof(kind.a[0])); ++i)
    kind.a[i] += static_cast<float>(threadIdx.x + i);
}
template <class Kind>
__device__ void differ(Kind&, long) {}

template <class Kind>
__global__ void __launch_bounds__(1024) repeat(float* out, uint32_t rounds, float x) {
  Kind kind;
  differ(kind, 0);
#pragma unroll 1
  for (uint32_t i = 0; i < rounds; ++i) kind.round(x);
  const float sum = kind.sum();
  if (sum == 123123.25F) out[threadIdx.x] = sum;
}

/// One workgroup: "rounds_workitems".
template <class Kind>
void rounds(const Point& point) {
  const auto numbers = point.numbers();
  float* out = silicon::device<float>(1024);
  silicon::measure(point, [&] {
    repeat<Kind><<<1, static_cast<uint32_t>(numbers.at(1))>>>(out, static_cast<uint32_t>(numbers.at(0)), 0.5F);
  });
}

/// Eight reads of LDS a round whose lanes lie `apart` words from each other.
__global__ void __launch_bounds__(1024) read_lds(uint32_t* out, uint32_t rounds, uint32_t apart) {
  __shared__ uint32_t values[64 * 33];
  if (rounds == 0) values[threadIdx.x] = rounds;
  const uint32_t at = static_cast<uint32_t>(reinterpret_cast<std::uintptr_t>(
                          (__attribute__((address_space(3))) uint32_t*)values)) + threadIdx.x % 64 * apart * 4;
  uint32_t sum = 0;
#pragma unroll 1
  for (uint32_t i = 0; i < rounds; ++i) {
    uint32_t a, b, c, d, e, f, g, h;
    asm volatile(
        "ds_read_b32 %0, %8\nds_read_b32 %1, %8\nds_read_b32 %2, %8\nds_read_b32 %3, %8\n"
        "ds_read_b32 %4, %8\nds_read_b32 %5, %8\nds_read_b32 %6, %8\nds_read_b32 %7, %8\n"
        "s_waitcnt lgkmcnt(0)"
        : "=&v"(a), "=&v"(b), "=&v"(c), "=&v"(d), "=&v"(e), "=&v"(f), "=&v"(g), "=&v"(h)
        : "v"(at));
    sum += a + h;
  }
  if (sum == 123123) out[threadIdx.x] = sum;
}

/// Sums of a word for each lane in LDS, or of one for all.
__global__ void __launch_bounds__(1024) add_lds(uint32_t* out, uint32_t rounds, uint32_t mask) {
  __shared__ uint32_t sums[64];
  if (threadIdx.x < 64) sums[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll 1
  for (uint32_t i = 0; i < rounds; ++i) atomicAdd(&sums[threadIdx.x & mask], 1U);
  __syncthreads();
  if (threadIdx.x < 64) out[threadIdx.x] = sums[threadIdx.x];
}

/// "rounds_apart"
void lds(const Point& point) {
  const auto numbers = point.numbers();
  uint32_t* out = silicon::device<uint32_t>(1024);
  silicon::measure(point, [&] {
    read_lds<<<1, 1024>>>(out, static_cast<uint32_t>(numbers.at(0)), static_cast<uint32_t>(numbers.at(1)));
  });
}

/// "rounds_mask"
void lds_atomics(const Point& point) {
  const auto numbers = point.numbers();
  uint32_t* out = silicon::device<uint32_t>(64);
  silicon::measure(point, [&] {
    add_lds<<<1, 1024>>>(out, static_cast<uint32_t>(numbers.at(0)), static_cast<uint32_t>(numbers.at(1)));
  });
}

}  // namespace

int main(int count, char** arguments) {
  return silicon::main_of(count, arguments,
                          {{"fma_f32", rounds<FmaF32>},
                           {"packed_f32", rounds<PackedF32>},
                           {"fma_f64", rounds<FmaF64>},
                           {"matrix_f32", rounds<MatrixF32>},
                           {"matrix_f32_small", rounds<MatrixF32Small>},
                           {"matrix_f16", rounds<MatrixF16>},
                           {"matrix_bf16", rounds<MatrixBf16>},
                           {"matrix_bf16_old", rounds<MatrixBf16Old>},
                           {"matrix_f64", rounds<MatrixF64>},
                           {"matrix_f64_small", rounds<MatrixF64Small>},
                           {"products", rounds<Products<0>>},
                           {"products_and_fma", rounds<Products<8>>},
                           {"chain", rounds<Chain>},
                           {"four_chains", rounds<FourChains>},
                           {"roots", rounds<Roots>},
                           {"wide_products", rounds<WideProducts>},
                           {"narrow_products", rounds<NarrowProducts>},
                           {"lds", lds},
                           {"lds_atomics", lds_atomics}});
}
