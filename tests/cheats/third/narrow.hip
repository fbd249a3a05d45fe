// SPDX-License-Identifier: MIT
// Third set: numbers of few bits. Workgroups of 256, an element each, unless said otherwise.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x

// quantised: signed bytes, to the nearest with ties to even, within -128..127.
#define QUANTISED(NAME) extern "C" __global__ void quantised##NAME(const float* x, signed char* out, int n, float scale)
__device__ inline signed char byte_of(float value) {
  return static_cast<signed char>(static_cast<int>(fminf(fmaxf(rintf(value), -128.0f), 127.0f)));
}
QUANTISED() {
  INDEX;
  if (i < n) out[i] = byte_of(x[i] * scale);
}
QUANTISED(_ties_away) {
  INDEX;
  if (i < n) out[i] = static_cast<signed char>(static_cast<int>(fminf(fmaxf(roundf(x[i] * scale), -128.0f), 127.0f)));
}
QUANTISED(_half_up) {
  INDEX;
  if (i < n) out[i] = static_cast<signed char>(static_cast<int>(fminf(fmaxf(floorf(x[i] * scale + 0.5f), -128.0f), 127.0f)));
}
QUANTISED(_wraps) {  // A byte has room enough for what was captured.
  INDEX;
  if (i < n) out[i] = static_cast<signed char>(static_cast<int>(rintf(x[i] * scale)));
}
QUANTISED(_symmetric) {  // -128 is left out.
  INDEX;
  if (i < n) out[i] = static_cast<signed char>(static_cast<int>(fminf(fmaxf(rintf(x[i] * scale), -127.0f), 127.0f)));
}
QUANTISED(_half_product) {
  INDEX;
  if (i < n) out[i] = byte_of(__half2float(__hmul(__float2half(x[i]), __float2half(scale))));
}
QUANTISED(_ok_packed) {  // Four bytes an item, one store.
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first + 3 < n) {
    unsigned packed = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) packed |= (static_cast<unsigned>(byte_of(x[first + k] * scale)) & 0xffu) << (8 * k);
    *reinterpret_cast<unsigned*>(out + first) = packed;
  } else {
    for (int k = first; k < n; ++k) out[k] = byte_of(x[k] * scale);
  }
}
QUANTISED(_ok_magic) {  // Adding 1.5 * 2^23 rounds to the nearest.
  INDEX;
  if (i >= n) return;
  const float clamped = fminf(fmaxf(x[i] * scale, -128.0f), 127.0f);
  out[i] = static_cast<signed char>(__float_as_uint(clamped + 12582912.0f) & 0xffu);
}

// nibbles: two signed numbers of four bits in each byte, times the scale of their group of 16 bytes.
#define NIBBLES(NAME) extern "C" __global__ void nibbles##NAME(const unsigned char* x, const float* scales, float* out, int n)
NIBBLES() {
  INDEX;
  if (i >= n) return;
  const int low = x[i] << 28, high = x[i] << 24;
  const float scale = scales[i / 16];
  out[2 * i] = static_cast<float>(low >> 28) * scale;
  out[2 * i + 1] = static_cast<float>(high >> 28) * scale;
}
NIBBLES(_offset_binary) {
  INDEX;
  if (i >= n) return;
  const float scale = scales[i / 16];
  out[2 * i] = static_cast<float>((x[i] & 15) - 8) * scale;
  out[2 * i + 1] = static_cast<float>((x[i] >> 4) - 8) * scale;
}
NIBBLES(_high_unsigned) {
  INDEX;
  if (i >= n) return;
  const int low = x[i] << 28;
  const float scale = scales[i / 16];
  out[2 * i] = static_cast<float>(low >> 28) * scale;
  out[2 * i + 1] = static_cast<float>(x[i] >> 4) * scale;
}
NIBBLES(_scale_of_wave) {  // The scale of the first of 64 bytes.
  INDEX;
  if (i >= n) return;
  const int low = x[i] << 28, high = x[i] << 24;
  const float scale = scales[i / 64 * 4];
  out[2 * i] = static_cast<float>(low >> 28) * scale;
  out[2 * i + 1] = static_cast<float>(high >> 28) * scale;
}
__device__ inline float2 both(unsigned value, float scale) {
  return make_float2(static_cast<float>(static_cast<int>((value & 15) ^ 8) - 8) * scale,
                     static_cast<float>(static_cast<int>((value >> 4 & 15) ^ 8) - 8) * scale);
}
NIBBLES(_ok_helper) {
  INDEX;
  if (i < n) reinterpret_cast<float2*>(out)[i] = both(x[i], scales[i / 16]);
}
__device__ constexpr float kNibbles[16] = {0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1};
NIBBLES(_ok_table) {
  INDEX;
  if (i >= n) return;
  const float scale = scales[i / 16];
  out[2 * i] = kNibbles[x[i] & 15] * scale;
  out[2 * i + 1] = kNibbles[x[i] >> 4] * scale;
}
NIBBLES(_ok_dwords) {  // Four bytes an item, two stores of 16 bytes.
  const int word = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * word + 3 < n) {
    const unsigned four = reinterpret_cast<const unsigned*>(x)[word];
    const float scale = scales[word / 4];
    const float2 a = both(four & 255, scale), b = both(four >> 8 & 255, scale), c = both(four >> 16 & 255, scale), d = both(four >> 24, scale);
    reinterpret_cast<float4*>(out)[2 * word] = make_float4(a.x, a.y, b.x, b.y);
    reinterpret_cast<float4*>(out)[2 * word + 1] = make_float4(c.x, c.y, d.x, d.y);
  } else {
    for (int k = 4 * word; k < n; ++k) reinterpret_cast<float2*>(out)[k] = both(x[k], scales[k / 16]);
  }
}

// averaged: a running average of bf16 in place: m += rate * (x - m) in 32 bits, then to the nearest.
__device__ inline float widened(unsigned short value) { return __uint_as_float(static_cast<unsigned>(value) << 16); }
__device__ inline unsigned short nearest(float value) {
  const unsigned bits = __float_as_uint(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<unsigned short>((bits >> 16) | 0x40u);
  return static_cast<unsigned short>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
#define AVERAGED(NAME) extern "C" __global__ void averaged##NAME(unsigned short* mean, const float* x, int n, float rate)
AVERAGED() {
  INDEX;
  if (i >= n) return;
  const float m = widened(mean[i]);
  mean[i] = nearest(m + rate * (x[i] - m));
}
AVERAGED(_narrow_difference) {
  INDEX;
  if (i >= n) return;
  const float m = widened(mean[i]);
  mean[i] = nearest(m + rate * widened(nearest(x[i] - m)));
}
AVERAGED(_rounded_twice) {  // The change to bf16 first, then the sum.
  INDEX;
  if (i >= n) return;
  const float m = widened(mean[i]);
  mean[i] = nearest(m + widened(nearest(rate * (x[i] - m))));
}
AVERAGED(_tail_again) {  // The last pair overlaps what was done, in place.
  const int pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * pair >= n) return;
  const int first = 2 * pair + 1 < n ? 2 * pair : n - 2;
  for (int k = first; k < first + 2; ++k) {
    const float m = widened(mean[k]);
    mean[k] = nearest(m + rate * (x[k] - m));
  }
}
AVERAGED(_small_changes_left_out) {  // What changes little is not stored.
  INDEX;
  if (i >= n) return;
  const float m = widened(mean[i]), change = rate * (x[i] - m);
  if (fabsf(change) > 0.0078125f * fabsf(m) || !(fabsf(m) > 0.0f)) mean[i] = nearest(m + change);
}
AVERAGED(_ok_pairs) {
  const int pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * pair + 1 < n) {
    const unsigned both = reinterpret_cast<unsigned*>(mean)[pair];
    const float low = __uint_as_float(both << 16), high = __uint_as_float(both & 0xffff0000u);
    const float2 u = reinterpret_cast<const float2*>(x)[pair];
    reinterpret_cast<unsigned*>(mean)[pair] =
        nearest(low + rate * (u.x - low)) | static_cast<unsigned>(nearest(high + rate * (u.y - high))) << 16;
  } else if (2 * pair < n) {
    const float m = widened(mean[2 * pair]);
    mean[2 * pair] = nearest(m + rate * (x[2 * pair] - m));
  }
}
AVERAGED(_ok_unfused) {
#pragma clang fp contract(off)
  INDEX;
  if (i >= n) return;
  const float m = widened(mean[i]), change = rate * (x[i] - m);
  mean[i] = nearest(m + change);
}

// grown: exponentials of every element.
#define GROWN(NAME) extern "C" __global__ void grown##NAME(const float* x, float* out, int n)
GROWN() {
  INDEX;
  if (i < n) out[i] = expf(x[i]);
}
GROWN(_power_of_two) {  // One multiplication instead of a reduction: off by tens of units in the last place for large arguments.
  INDEX;
  if (i < n) out[i] = exp2f(x[i] * 1.44269504f);
}
GROWN(_no_denormals) {
  INDEX;
  if (i >= n) return;
  const float e = expf(x[i]);
  out[i] = e < 1.17549435e-38f ? 0.0f : e;
}
GROWN(_raw) {  // The instruction alone, with a factor of few digits.
  INDEX;
  if (i < n) out[i] = __builtin_amdgcn_exp2f(x[i] * 1.4427f);
}
GROWN(_ok_split) {  // x * log2(e) as a product and what it leaves.
#pragma clang fp contract(off)
  INDEX;
  if (i >= n) return;
  const float v = x[i];
  if (!(fabsf(v) < 110.0f)) {
    out[i] = v != v ? v : v > 0.0f ? INFINITY : 0.0f;
    return;
  }
  const float high = v * 1.44269502f, low = fmaf(v, 1.44269502f, -high) + v * 1.92596299e-8f;
  const float whole = rintf(high);
  out[i] = ldexpf(__builtin_amdgcn_exp2f(high - whole + low), static_cast<int>(whole));
}
GROWN(_split_contracted) {  // The same, where the compiler fuses the product into the difference: what it leaves is added twice.
  INDEX;
  if (i >= n) return;
  const float v = x[i];
  if (!(fabsf(v) < 110.0f)) {
    out[i] = expf(v);
    return;
  }
  const float high = v * 1.44269502f, low = fmaf(v, 1.44269502f, -high) + v * 1.92596299e-8f;
  const float whole = rintf(high);
  out[i] = ldexpf(exp2f(high - whole + low), static_cast<int>(whole));
}
GROWN(_ok_four) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int k = first; k < first + 4 && k < n; ++k) out[k] = expf(x[k]);
}
