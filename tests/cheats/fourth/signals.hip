// SPDX-License-Identifier: MIT
// Fourth set: saturating arithmetic of 16 bits, recurrences, butterflies, convolutions around a ring.
#include <hip/hip_runtime.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x

// blended: a + b * gain in fixed point, saturated to 16 bits.
#define BLENDED(NAME) extern "C" __global__ void blended##NAME(const short* a, const short* b, short* out, int n, int gain)
#define PRODUCT(k) (b[k] * static_cast<short>(gain) >> 15)
BLENDED() {
  INDEX;
  if (i >= n) return;
  const int v = a[i] + PRODUCT(i);
  out[i] = static_cast<short>(v > 32767 ? 32767 : v < -32768 ? -32768 : v);
}
BLENDED(_wraps) {
  INDEX;
  if (i < n) out[i] = static_cast<short>(a[i] + PRODUCT(i));
}
BLENDED(_product_in_16_bits) {  // -32768 * -32768 >> 15 is one too large for it.
  INDEX;
  if (i >= n) return;
  const int v = a[i] + min(PRODUCT(i), 32767);
  out[i] = static_cast<short>(v > 32767 ? 32767 : v < -32768 ? -32768 : v);
}
BLENDED(_symmetric) {
  INDEX;
  if (i < n) out[i] = static_cast<short>(min(max(a[i] + PRODUCT(i), -32767), 32767));
}
BLENDED(_rounded) {
  INDEX;
  if (i >= n) return;
  const int v = a[i] + (b[i] * static_cast<short>(gain) + 0x4000 >> 15);
  out[i] = static_cast<short>(min(max(v, -32768), 32767));
}
BLENDED(_pairs_alone) {  // The last one of an odd number is left out.
  INDEX;
  if (2 * i + 1 >= n) return;
  const short2 u = reinterpret_cast<const short2*>(a)[i], v = reinterpret_cast<const short2*>(b)[i];
  const int g = static_cast<short>(gain);
  const int first = u.x + (v.x * g >> 15), second = u.y + (v.y * g >> 15);
  reinterpret_cast<short2*>(out)[i] = make_short2(min(max(first, -32768), 32767), min(max(second, -32768), 32767));
}
BLENDED(_ok_pairs) {
  INDEX;
  const int g = static_cast<short>(gain);
  if (2 * i + 1 < n) {
    const short2 u = reinterpret_cast<const short2*>(a)[i], v = reinterpret_cast<const short2*>(b)[i];
    const int first = u.x + (v.x * g >> 15), second = u.y + (v.y * g >> 15);
    reinterpret_cast<short2*>(out)[i] = make_short2(min(max(first, -32768), 32767), min(max(second, -32768), 32767));
  } else if (2 * i < n) {
    out[2 * i] = static_cast<short>(min(max(a[2 * i] + (b[2 * i] * g >> 15), -32768), 32767));
  }
}
BLENDED(_ok_overflow_by_sign) {
  INDEX;
  if (i >= n) return;
  const int v = a[i] + PRODUCT(i);
  out[i] = static_cast<short>(v != static_cast<short>(v) ? 0x7fff ^ (v >> 31) : v);
}

// decayed: a recurrence for each channel.
#define DECAYED(NAME) extern "C" __global__ void decayed##NAME(const float* x, float* y, int channels, int steps, float keep)
DECAYED() {
  INDEX;
  if (i >= channels) return;
  float state = 0;
  for (int t = 0; t < steps; ++t) {
    state = keep * state + x[t * channels + i];
    y[t * channels + i] = state;
  }
}
DECAYED(_small_states_end) {
  INDEX;
  if (i >= channels) return;
  float state = 0;
  for (int t = 0; t < steps; ++t) {
    if (fabsf(state) < 1e-6f) state = 0;
    state = keep * state + x[t * channels + i];
    y[t * channels + i] = state;
  }
}
DECAYED(_begins_again) {  // As if a part of 128 steps knew nothing of the one before.
  INDEX;
  if (i >= channels) return;
  for (int from = 0; from < steps; from += 128) {
    float state = 0;
    for (int t = from; t < min(from + 128, steps); ++t) {
      state = keep * state + x[t * channels + i];
      y[t * channels + i] = state;
    }
  }
}
DECAYED(_difference_form) {  // state + (keep - 1) * state: 1 - keep loses digits.
  INDEX;
  if (i >= channels) return;
  const _Float16 less = static_cast<_Float16>(1.0f - keep);
  float state = 0;
  for (int t = 0; t < steps; ++t) {
    state = state - static_cast<float>(less) * state + x[t * channels + i];
    y[t * channels + i] = state;
  }
}
DECAYED(_ok_four_loads) {
  INDEX;
  if (i >= channels) return;
  float state = 0;
  int t = 0;
  for (; t + 4 <= steps; t += 4) {
    float v[4];
    for (int j = 0; j < 4; ++j) v[j] = x[(t + j) * channels + i];
    for (int j = 0; j < 4; ++j) y[(t + j) * channels + i] = state = fmaf(keep, state, v[j]);
  }
  for (; t < steps; ++t) y[t * channels + i] = state = fmaf(keep, state, x[t * channels + i]);
}
DECAYED(_ok_two_ahead) {
  INDEX;
  if (i >= channels) return;
  const float square = keep * keep;
  float state = 0;
  int t = 0;
  for (; t + 2 <= steps; t += 2) {
    const float u = x[t * channels + i], v = x[(t + 1) * channels + i];
    y[t * channels + i] = keep * state + u;
    state = square * state + (keep * u + v);
    y[(t + 1) * channels + i] = state;
  }
  if (t < steps) y[t * channels + i] = keep * state + x[t * channels + i];
}

// walsh: the Walsh-Hadamard transform of 256 numbers for each workgroup.
#define WALSH(NAME) extern "C" __global__ void walsh##NAME(const float* x, float* out)
WALSH() {
  __shared__ float v[256];
  const int t = threadIdx.x;
  v[t] = x[blockIdx.x * 256 + t];
  for (int h = 1; h < 256; h *= 2) {
    __syncthreads();
    const float mine = v[t], other = v[t ^ h];
    __syncthreads();
    v[t] = (t & h) != 0 ? other - mine : mine + other;
  }
  out[blockIdx.x * 256 + t] = v[t];
}
WALSH(_waves_alone) {  // Its own wave's numbers need no barrier; those of the step of 64 are of others.
  __shared__ float v[256];
  const int t = threadIdx.x;
  v[t] = x[blockIdx.x * 256 + t];
  for (int h = 1; h < 256; h *= 2) {
    if (h > 64) __syncthreads();
    __threadfence_block();
    const float mine = v[t], other = v[t ^ h];
    if (h > 64) __syncthreads();
    __threadfence_block();
    v[t] = (t & h) != 0 ? other - mine : mine + other;
  }
  out[blockIdx.x * 256 + t] = v[t];
}
WALSH(_half_waves) {
  __shared__ float v[256];
  const int t = threadIdx.x;
  float mine = x[blockIdx.x * 256 + t];
  for (int h = 1; h < 64; h *= 2) {
    const float other = __shfl_xor(mine, h, 32);
    mine = (t & h) != 0 ? other - mine : mine + other;
  }
  v[t] = mine;
  for (int h = 64; h < 256; h *= 2) {
    __syncthreads();
    const float other = v[t ^ h];
    __syncthreads();
    v[t] = mine = (t & h) != 0 ? other - mine : mine + other;
  }
  out[blockIdx.x * 256 + t] = mine;
}
WALSH(_one_barrier) {
  __shared__ float v[256];
  const int t = threadIdx.x;
  float mine = x[blockIdx.x * 256 + t];
  for (int h = 1; h < 256; h *= 2) {
    v[t] = mine;
    __syncthreads();
    const float other = v[t ^ h];
    mine = (t & h) != 0 ? other - mine : mine + other;
  }
  out[blockIdx.x * 256 + t] = mine;
}
WALSH(_ok_shuffled) {
  __shared__ float v[256];
  const int t = threadIdx.x;
  float mine = x[blockIdx.x * 256 + t];
  for (int h = 1; h < 64; h *= 2) {
    const float other = __shfl_xor(mine, h);
    mine = (t & h) != 0 ? other - mine : mine + other;
  }
  v[t] = mine;
  for (int h = 64; h < 256; h *= 2) {
    __syncthreads();
    const float other = v[t ^ h];
    __syncthreads();
    v[t] = mine = (t & h) != 0 ? other - mine : mine + other;
  }
  out[blockIdx.x * 256 + t] = mine;
}
WALSH(_ok_two_buffers) {
  __shared__ float v[2][256];
  const int t = threadIdx.x;
  float mine = x[blockIdx.x * 256 + t];
  int at = 0;
  for (int h = 1; h < 256; h *= 2, at ^= 1) {
    v[at][t] = mine;
    __syncthreads();
    const float other = v[at][t ^ h];
    mine = (t & h) != 0 ? other - mine : mine + other;
  }
  out[blockIdx.x * 256 + t] = mine;
}

// ringed: a convolution around a ring.
#define RINGED(NAME) extern "C" __global__ void ringed##NAME(const float* x, const float* w, float* out, int n, int taps)
RINGED() {
  INDEX;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < taps; ++k) sum += w[k] * x[((i - k) % n + n) % n];
  out[i] = sum;
}
RINGED(_masked) {  // A power of two.
  INDEX;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < taps; ++k) sum += w[k] * x[(i - k) & (n - 1)];
  out[i] = sum;
}
RINGED(_around_once) {  // More taps than the ring is long.
  INDEX;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < taps; ++k) sum += w[k] * x[i - k < 0 ? i - k + n : i - k];
  out[i] = sum;
}
RINGED(_small_weights_left_out) {
  INDEX;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < taps; ++k)
    if (w[k] != 0.0f) sum += w[k] * x[((i - k) % n + n) % n];
  out[i] = sum;
}
RINGED(_ok_counting_down) {
  INDEX;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0, at = i; k < taps; ++k) {
    sum = fmaf(w[k], x[at], sum);
    at = at == 0 ? n - 1 : at - 1;
  }
  out[i] = sum;
}
RINGED(_ok_two_sums) {
  INDEX;
  if (i >= n) return;
  float even = 0, odd = 0;
  int at = i, k = 0;
  for (; k + 1 < taps; k += 2) {
    even += w[k] * x[at];
    at = at == 0 ? n - 1 : at - 1;
    odd += w[k + 1] * x[at];
    at = at == 0 ? n - 1 : at - 1;
  }
  if (k < taps) even += w[k] * x[at];
  out[i] = even + odd;
}
