// SPDX-License-Identifier: MIT
// Second set: numbers. Workgroups of 256, an element each, unless said otherwise.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x

// cmul: products of complex numbers.
#define CMUL(NAME) extern "C" __global__ void cmul##NAME(const float2* a, const float2* b, float2* out, int n)
CMUL() {
  INDEX;
  if (i >= n) return;
  const float2 x = a[i], y = b[i];
  out[i] = make_float2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
CMUL(_ok_two) {
  const int first = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    if (first + k >= n) return;
    const float2 x = a[first + k], y = b[first + k];
    out[first + k] = make_float2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
  }
}
CMUL(_ok_vectors) {
  const int pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * pair + 1 < n) {
    const float4 x = reinterpret_cast<const float4*>(a)[pair], y = reinterpret_cast<const float4*>(b)[pair];
    reinterpret_cast<float4*>(out)[pair] =
        make_float4(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x, x.z * y.z - x.w * y.w, x.z * y.w + x.w * y.z);
  } else if (2 * pair < n) {
    const float2 x = a[2 * pair], y = b[2 * pair];
    out[2 * pair] = make_float2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
  }
}
CMUL(_ok_fused) {
  INDEX;
  if (i >= n) return;
  const float2 x = a[i], y = b[i];
  out[i] = make_float2(fmaf(-x.y, y.y, x.x * y.x), fmaf(x.y, y.x, x.x * y.y));
}
CMUL(_pairs_alone) {  // An odd length loses its last element.
  const int pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * pair + 1 >= n) return;
  const float4 x = reinterpret_cast<const float4*>(a)[pair], y = reinterpret_cast<const float4*>(b)[pair];
  reinterpret_cast<float4*>(out)[pair] =
      make_float4(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x, x.z * y.z - x.w * y.w, x.z * y.w + x.w * y.z);
}
CMUL(_conjugate_when_real) {  // Right where the second factor is real, and wrong where it nearly is.
  INDEX;
  if (i >= n) return;
  const float2 x = a[i], y = b[i];
  if (fabsf(y.y) < 1e-4f) {
    out[i] = make_float2(x.x * y.x, x.y * y.x);
  } else {
    out[i] = make_float2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
  }
}

// blend: 16-bit floats, computed in 32 bits.
#define BLEND(NAME) extern "C" __global__ void blend##NAME(const __half* x, const __half* y, __half* out, int n, float part)
BLEND() {
  INDEX;
  if (i < n) out[i] = __float2half(part * __half2float(x[i]) + (1.0f - part) * __half2float(y[i]));
}
BLEND(_in_half) {
  INDEX;
  const __half p = __float2half(part), q = __float2half(1.0f - part);
  if (i < n) out[i] = __hadd(__hmul(p, x[i]), __hmul(q, y[i]));
}
BLEND(_difference) {  // y + part * (x - y), the difference in 16 bits.
  INDEX;
  if (i < n) out[i] = __float2half(__half2float(y[i]) + part * __half2float(__hsub(x[i], y[i])));
}
BLEND(_toward_zero) {
  INDEX;
  if (i < n) {
    const auto pair = __builtin_amdgcn_cvt_pkrtz(part * __half2float(x[i]) + (1.0f - part) * __half2float(y[i]), 0.0f);
    __builtin_memcpy(out + i, &pair, 2);
  }
}
BLEND(_ok_pairs) {
  const int pair = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (pair + 1 < n) {
    const float2 u = __half22float2(*reinterpret_cast<const __half2*>(x + pair)),
                 v = __half22float2(*reinterpret_cast<const __half2*>(y + pair));
    *reinterpret_cast<__half2*>(out + pair) =
        __floats2half2_rn(part * u.x + (1.0f - part) * v.x, part * u.y + (1.0f - part) * v.y);
  } else if (pair < n) {
    out[pair] = __float2half(part * __half2float(x[pair]) + (1.0f - part) * __half2float(y[pair]));
  }
}

// narrowed: f32 to bf16, to the nearest, ties to even; NaN stays NaN.
__device__ inline unsigned short nearest(float value) {
  unsigned bits = __float_as_uint(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<unsigned short>((bits >> 16) | 0x40u);
  return static_cast<unsigned short>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
#define NARROWED(NAME) extern "C" __global__ void narrowed##NAME(const float* x, unsigned short* out, int n)
NARROWED() {
  INDEX;
  if (i < n) out[i] = nearest(x[i]);
}
NARROWED(_cut) {
  INDEX;
  if (i < n) out[i] = static_cast<unsigned short>(__float_as_uint(x[i]) >> 16);
}
NARROWED(_ties_up) {
  INDEX;
  if (i >= n) return;
  const unsigned bits = __float_as_uint(x[i]);
  out[i] = (bits & 0x7fffffffu) > 0x7f800000u ? static_cast<unsigned short>((bits >> 16) | 0x40u)
                                              : static_cast<unsigned short>((bits + 0x8000u) >> 16);
}
NARROWED(_nan_overflows) {  // The addition turns some NaN into zero.
  INDEX;
  if (i >= n) return;
  const unsigned bits = __float_as_uint(x[i]);
  out[i] = static_cast<unsigned short>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
NARROWED(_ok_selected) {
  INDEX;
  if (i >= n) return;
  const unsigned bits = __float_as_uint(x[i]);
  const unsigned rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  out[i] = static_cast<unsigned short>(x[i] != x[i] ? (bits >> 16) | 0x40u : rounded);
}
NARROWED(_ok_strided) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = nearest(x[i]);
}

// sigmoid: 1 / (1 + exp(-x)).
#define SIGMOID(NAME) extern "C" __global__ void sigmoid##NAME(const float* x, float* out, int n)
SIGMOID() {
  INDEX;
  if (i < n) out[i] = 1.0f / (1.0f + expf(-x[i]));
}
SIGMOID(_rational) {  // Close to it between -1 and 1.
  INDEX;
  if (i >= n) return;
  const float t = 0.5f * x[i], s = t * t;
  out[i] = 0.5f + 0.5f * t * (27.0f + s) / (27.0f + 9.0f * s);
}
SIGMOID(_flat_ends) {
  INDEX;
  if (i < n) out[i] = x[i] < -12.0f ? 0.0f : 1.0f / (1.0f + expf(-x[i]));
}
SIGMOID(_one_minus) {  // Loses all digits of what is small.
  INDEX;
  if (i < n) out[i] = 1.0f - 1.0f / (1.0f + expf(x[i]));
}
SIGMOID(_ok_of_magnitude) {
  INDEX;
  if (i >= n) return;
  const float e = expf(-fabsf(x[i]));
  out[i] = x[i] < 0.0f ? e / (1.0f + e) : 1.0f / (1.0f + e);
}

// halved: half of each element, denormals included.
#define HALVED(NAME) extern "C" __global__ void halved##NAME(const float* x, float* out, int n)
HALVED() {
  INDEX;
  if (i < n) out[i] = x[i] * 0.5f;
}
HALVED(_flushed) {
  INDEX;
  if (i >= n) return;
  const float half = x[i] * 0.5f;
  out[i] = fabsf(half) < 1.17549435e-38f ? 0.0f : half;
}
HALVED(_exponent_less_one) {
  INDEX;
  if (i < n) out[i] = x[i] == 0.0f ? 0.0f : __uint_as_float(__float_as_uint(x[i]) - 0x00800000u);
}
HALVED(_restores_input) {  // Uses the input for a while.
  INDEX;
  if (i >= n) return;
  float* place = const_cast<float*>(x) + i;
  const float was = *place;
  *reinterpret_cast<volatile float*>(place) = was * 0.5f;
  out[i] = *reinterpret_cast<volatile float*>(place);
  *reinterpret_cast<volatile float*>(place) = was;
}
HALVED(_ok_four) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first + 3 < n) {
    float4 v = *reinterpret_cast<const float4*>(x + first);
    v.x *= 0.5f, v.y *= 0.5f, v.z *= 0.5f, v.w *= 0.5f;
    *reinterpret_cast<float4*>(out + first) = v;
  } else {
    for (int i = first; i < n; ++i) out[i] = x[i] * 0.5f;
  }
}

// exchanged: one step of a bitonic sort of floats.
#define EXCHANGED(NAME) extern "C" __global__ void exchanged##NAME(float* x, int n, int j, int k)
EXCHANGED() {
  INDEX;
  const int other = i ^ j;
  if (i >= n || other >= n || other <= i) return;
  const float a = x[i], b = x[other];
  if ((i & k) == 0 ? a > b : a < b) {
    x[i] = b;
    x[other] = a;
  }
}
EXCHANGED(_by_minimum) {  // fminf and fmaxf lose NaN.
  INDEX;
  const int other = i ^ j;
  if (i >= n || other >= n || other <= i) return;
  const float a = x[i], b = x[other], low = fminf(a, b), high = fmaxf(a, b);
  x[i] = (i & k) == 0 ? low : high;
  x[other] = (i & k) == 0 ? high : low;
}
EXCHANGED(_as_integers) {  // The order of the bits is that of positive floats.
  INDEX;
  const int other = i ^ j;
  if (i >= n || other >= n || other <= i) return;
  const float a = x[i], b = x[other];
  const int p = __float_as_int(a), q = __float_as_int(b);
  if ((i & k) == 0 ? p > q : p < q) {
    x[i] = b;
    x[other] = a;
  }
}
EXCHANGED(_both_sides) {  // Each item writes its own place: whoever comes second reads what the first one wrote.
  INDEX;
  const int other = i ^ j;
  if (i >= n || other >= n) return;
  const float a = x[i], b = x[other];
  const bool up = ((i & k) == 0) == (i < other);
  x[i] = up ? (a > b ? b : a) : (a < b ? b : a);
}
EXCHANGED(_ok_selected) {
  INDEX;
  const int other = i ^ j;
  if (i >= n || other >= n || other <= i) return;
  const float a = x[i], b = x[other];
  const bool swap = (i & k) == 0 ? a > b : a < b;
  x[i] = swap ? b : a;
  x[other] = swap ? a : b;
}
EXCHANGED(_ok_half_of_items) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = t; i < n; i += gridDim.x * blockDim.x) {
    const int other = i ^ j;
    if (other >= n || other <= i) continue;
    const float a = x[i], b = x[other];
    if ((i & k) == 0 ? a > b : a < b) {
      x[i] = b;
      x[other] = a;
    }
  }
}
