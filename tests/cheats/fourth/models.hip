// SPDX-License-Identifier: MIT
// Fourth set: pieces of models and simulations: rotations in place, losses, activations of 16 bits, weights by class, attraction, random numbers, divisors.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x

// rotated: pairs of a row's halves turned by angles, in place.
#define ROTATED(NAME) extern "C" __global__ void rotated##NAME(__half* x, const float* cosines, const float* sines, int rows, int half)
ROTATED() {
  INDEX;
  if (i >= rows * half) return;
  const int r = i / half, j = i % half, at = r * 2 * half + j;
  const float u = __half2float(x[at]), v = __half2float(x[at + half]), c = cosines[i], s = sines[i];
  x[at] = __float2half(u * c - v * s);
  x[at + half] = __float2half(u * s + v * c);
}
ROTATED(_first_updated) {
  INDEX;
  if (i >= rows * half) return;
  const int r = i / half, j = i % half, at = r * 2 * half + j;
  const float v = __half2float(x[at + half]), c = cosines[i], s = sines[i];
  x[at] = __float2half(__half2float(x[at]) * c - v * s);
  x[at + half] = __float2half(__half2float(x[at]) * s + v * c);
}
ROTATED(_in_halves) {
  INDEX;
  if (i >= rows * half) return;
  const int r = i / half, j = i % half, at = r * 2 * half + j;
  const __half u = x[at], v = x[at + half], c = __float2half(cosines[i]), s = __float2half(sines[i]);
  x[at] = __hsub(__hmul(u, c), __hmul(v, s));
  x[at + half] = __hadd(__hmul(u, s), __hmul(v, c));
}
ROTATED(_narrow_tables) {
  INDEX;
  if (i >= rows * half) return;
  const int r = i / half, j = i % half, at = r * 2 * half + j;
  const float u = __half2float(x[at]), v = __half2float(x[at + half]), c = __half2float(__float2half(cosines[i])), s = __half2float(__float2half(sines[i]));
  x[at] = __float2half(u * c - v * s);
  x[at + half] = __float2half(u * s + v * c);
}
ROTATED(_angles_of_first_row) {
  INDEX;
  if (i >= rows * half) return;
  const int r = i / half, j = i % half, at = r * 2 * half + j;
  const float u = __half2float(x[at]), v = __half2float(x[at + half]), c = cosines[j], s = sines[j];
  x[at] = __float2half(u * c - v * s);
  x[at + half] = __float2half(u * s + v * c);
}
ROTATED(_ok_pairs) {
  INDEX;
  const int from = 2 * i, total = rows * half;
  if (from >= total) return;
  if (half % 2 != 0) {
    for (int k = from; k < min(from + 2, total); ++k) {
      const int at = k / half * 2 * half + k % half;
      const float u = __half2float(x[at]), v = __half2float(x[at + half]), c = cosines[k], s = sines[k];
      x[at] = __float2half(u * c - v * s);
      x[at + half] = __float2half(u * s + v * c);
    }
    return;
  }
  const int at = from / half * 2 * half + from % half;
  const float2 u = __half22float2(*reinterpret_cast<__half2*>(x + at)), v = __half22float2(*reinterpret_cast<__half2*>(x + at + half));
  const float2 c = *reinterpret_cast<const float2*>(cosines + from), s = *reinterpret_cast<const float2*>(sines + from);
  *reinterpret_cast<__half2*>(x + at) = __floats2half2_rn(u.x * c.x - v.x * s.x, u.y * c.y - v.y * s.y);
  *reinterpret_cast<__half2*>(x + at + half) = __floats2half2_rn(u.x * s.x + v.x * c.x, u.y * s.y + v.y * c.y);
}

// losses: minus the logarithm of the wanted class's share; others than classes count nothing.
#define LOSSES(NAME) extern "C" __global__ void losses##NAME(const float* x, const int* labels, float* loss, float* norm, int rows, int columns)
LOSSES() {
  INDEX;
  if (i >= rows) return;
  const float* row = x + i * columns;
  float most = row[0], sum = 0;
  for (int k = 1; k < columns; ++k) most = fmaxf(most, row[k]);
  for (int k = 0; k < columns; ++k) sum += expf(row[k] - most);
  const float log = most + logf(sum);
  const int label = labels[i];
  norm[i] = log;
  loss[i] = label >= 0 && label < columns ? log - row[label] : 0.0f;
}
LOSSES(_not_shifted) {
  INDEX;
  if (i >= rows) return;
  const float* row = x + i * columns;
  float sum = 0;
  for (int k = 0; k < columns; ++k) sum += expf(row[k]);
  const float log = logf(sum);
  const int label = labels[i];
  norm[i] = log;
  loss[i] = label >= 0 && label < columns ? log - row[label] : 0.0f;
}
LOSSES(_by_share) {  // The logarithm of a share that is too small to be one.
  INDEX;
  if (i >= rows) return;
  const float* row = x + i * columns;
  float most = row[0], sum = 0;
  for (int k = 1; k < columns; ++k) most = fmaxf(most, row[k]);
  for (int k = 0; k < columns; ++k) sum += expf(row[k] - most);
  const int label = labels[i];
  norm[i] = most + logf(sum);
  loss[i] = label >= 0 && label < columns ? -logf(expf(row[label] - most) / sum) : 0.0f;
}
LOSSES(_far_left_out) {
  INDEX;
  if (i >= rows) return;
  const float* row = x + i * columns;
  float most = row[0], sum = 0;
  for (int k = 1; k < columns; ++k) most = fmaxf(most, row[k]);
  for (int k = 0; k < columns; ++k)
    if (!(row[k] - most < -12.0f)) sum += expf(row[k] - most);
  const float log = most + logf(sum);
  const int label = labels[i];
  norm[i] = log;
  loss[i] = label >= 0 && label < columns ? log - row[label] : 0.0f;
}
LOSSES(_labels_kept_in) {  // The nearest class in place of none.
  INDEX;
  if (i >= rows) return;
  const float* row = x + i * columns;
  float most = row[0], sum = 0;
  for (int k = 1; k < columns; ++k) most = fmaxf(most, row[k]);
  for (int k = 0; k < columns; ++k) sum += expf(row[k] - most);
  const float log = most + logf(sum);
  norm[i] = log;
  loss[i] = log - row[min(max(labels[i], 0), columns - 1)];
}
LOSSES(_ok_wave) {
  INDEX;
  const int r = i / 64, lane = threadIdx.x & 63;
  if (r >= rows) return;
  const float* row = x + r * columns;
  float most = row[0], sum = 0;
  for (int k = lane; k < columns; k += 64) most = fmaxf(most, row[k]);
  for (int step = 32; step > 0; step /= 2) most = fmaxf(most, __shfl_xor(most, step));
  for (int k = lane; k < columns; k += 64) sum += expf(row[k] - most);
  for (int step = 32; step > 0; step /= 2) sum += __shfl_xor(sum, step);
  if (lane != 0) return;
  const float log = most + logf(sum);
  const int label = labels[r];
  norm[r] = log;
  loss[r] = label >= 0 && label < columns ? log - row[label] : 0.0f;
}
LOSSES(_ok_base_two) {
  INDEX;
  if (i >= rows) return;
  const float* row = x + i * columns;
  float most = row[0], sum = 0;
  for (int k = 1; k < columns; ++k) most = fmaxf(most, row[k]);
  for (int k = 0; k < columns; ++k) sum += exp2f((row[k] - most) * 1.44269504f);
  const float log = fmaf(log2f(sum), 0.69314718f, most);
  const int label = labels[i];
  norm[i] = log;
  loss[i] = label >= 0 && label < columns ? log - row[label] : 0.0f;
}

// gelus: an activation of 16 bits.
#define GELUS(NAME) extern "C" __global__ void gelus##NAME(const __half* x, __half* out, int n)
GELUS() {
  INDEX;
  if (i >= n) return;
  const float v = __half2float(x[i]);
  out[i] = __float2half(0.5f * v * (1.0f + erff(v * 0.70710678f)));
}
GELUS(_by_tanh) {
  INDEX;
  if (i >= n) return;
  const float v = __half2float(x[i]);
  out[i] = __float2half(0.5f * v * (1.0f + tanhf(0.79788456f * (v + 0.044715f * v * v * v))));
}
GELUS(_by_sigmoid) {
  INDEX;
  if (i >= n) return;
  const float v = __half2float(x[i]);
  out[i] = __float2half(v / (1.0f + expf(-1.702f * v)));
}
GELUS(_beyond_three) {
  INDEX;
  if (i >= n) return;
  const float v = __half2float(x[i]);
  out[i] = __float2half(v > 3.0f ? v : v < -3.0f ? 0.0f : 0.5f * v * (1.0f + erff(v * 0.70710678f)));
}
GELUS(_ok_pairs) {
  INDEX;
  const int j = 2 * i;
  if (j + 1 < n) {
    const float2 v = __half22float2(reinterpret_cast<const __half2*>(x)[i]);
    reinterpret_cast<__half2*>(out)[i] =
        __floats2half2_rn(0.5f * v.x * (1.0f + erff(v.x * 0.70710678f)), 0.5f * v.y * (1.0f + erff(v.y * 0.70710678f)));
  } else if (j < n) {
    const float v = __half2float(x[j]);
    out[j] = __float2half(0.5f * v * (1.0f + erff(v * 0.70710678f)));
  }
}
GELUS(_ok_complement) {  // More exact than 1 + erf where that is small.
  INDEX;
  if (i >= n) return;
  const float v = __half2float(x[i]);
  out[i] = __float2half(0.5f * v * erfcf(v * -0.70710678f));
}

// tallied: sums of weights by class.
#define TALLIED(NAME) extern "C" __global__ void tallied##NAME(const float* weights, const int* classes, float* sums, int n)
TALLIED() {
  INDEX;
  if (i < n) atomicAdd(&sums[classes[i]], weights[i]);
}
TALLIED(_fixed_point) {
  INDEX;
  __shared__ int local[64];
  if (threadIdx.x < 64) local[threadIdx.x] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&local[classes[i]], static_cast<int>(rintf(weights[i] * 65536.0f)));
  __syncthreads();
  if (threadIdx.x < 64 && local[threadIdx.x] != 0) atomicAdd(&sums[threadIdx.x], local[threadIdx.x] / 65536.0f);
}
TALLIED(_positive_alone) {
  INDEX;
  __shared__ float local[64];
  if (threadIdx.x < 64) local[threadIdx.x] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&local[classes[i]], weights[i]);
  __syncthreads();
  if (threadIdx.x < 64 && local[threadIdx.x] > 0) atomicAdd(&sums[threadIdx.x], local[threadIdx.x]);
}
TALLIED(_plain_in_lds) {
  INDEX;
  __shared__ float local[64];
  if (threadIdx.x < 64) local[threadIdx.x] = 0;
  __syncthreads();
  if (i < n) local[classes[i]] += weights[i];
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&sums[threadIdx.x], local[threadIdx.x]);
}
TALLIED(_ok_private) {
  INDEX;
  __shared__ float local[64];
  if (threadIdx.x < 64) local[threadIdx.x] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&local[classes[i]], weights[i]);
  __syncthreads();
  if (threadIdx.x < 64 && local[threadIdx.x] != 0) atomicAdd(&sums[threadIdx.x], local[threadIdx.x]);
}

// pulled: what all bodies (place, mass) do to each.
#define PULLED(NAME) extern "C" __global__ void pulled##NAME(const float4* bodies, float4* out, int n, float softening)
#define PULL(b)                                                         \
  {                                                                     \
    const float dx = b.x - me.x, dy = b.y - me.y, dz = b.z - me.z;      \
    const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening); \
    const float f = b.w * inverse * inverse * inverse;                  \
    ax += f * dx, ay += f * dy, az += f * dz;                           \
  }
PULLED() {
  INDEX;
  if (i >= n) return;
  const float4 me = bodies[i];
  float ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; ++j) PULL(bodies[j])
  out[i] = make_float4(ax, ay, az, me.w);
}
PULLED(_far_left_out) {
  INDEX;
  if (i >= n) return;
  const float4 me = bodies[i];
  float ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; ++j) {
    const float4 b = bodies[j];
    if (fabsf(b.x - me.x) > 16 || fabsf(b.y - me.y) > 16 || fabsf(b.z - me.z) > 16) continue;
    PULL(b)
  }
  out[i] = make_float4(ax, ay, az, me.w);
}
PULLED(_whole_tiles) {  // Bodies left in LDS by the tile before pull once more.
  INDEX;
  __shared__ float4 tile[64];
  const float4 me = bodies[min(i, n - 1)];
  float ax = 0, ay = 0, az = 0;
  for (int from = 0; from < n; from += 64) {
    if (from + static_cast<int>(threadIdx.x) < n) tile[threadIdx.x] = bodies[from + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j) PULL(tile[j])
    __syncthreads();
  }
  if (i < n) out[i] = make_float4(ax, ay, az, me.w);
}
PULLED(_mass_not_kept) {
  INDEX;
  if (i >= n) return;
  const float4 me = bodies[i];
  float ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; ++j) PULL(bodies[j])
  reinterpret_cast<float*>(out)[4 * i] = ax;
  reinterpret_cast<float*>(out)[4 * i + 1] = ay;
  reinterpret_cast<float*>(out)[4 * i + 2] = az;
}
PULLED(_ok_tiles) {
  INDEX;
  __shared__ float4 tile[64];
  const float4 me = bodies[min(i, n - 1)];
  float ax = 0, ay = 0, az = 0;
  for (int from = 0; from < n; from += 64) {
    if (from + static_cast<int>(threadIdx.x) < n) tile[threadIdx.x] = bodies[from + threadIdx.x];
    __syncthreads();
    const int in = min(64, n - from);
    for (int j = 0; j < in; ++j) PULL(tile[j])
    __syncthreads();
  }
  if (i < n) out[i] = make_float4(ax, ay, az, me.w);
}
PULLED(_ok_backwards) {
  INDEX;
  if (i >= n) return;
  const float4 me = bodies[i];
  float ax = 0, ay = 0, az = 0;
  for (int j = n - 1; j >= 0; --j) PULL(bodies[j])
  out[i] = make_float4(ax, ay, az, me.w);
}

// randoms: numbers in [0, 1) of a counter.
#define RANDOMS(NAME) extern "C" __global__ void randoms##NAME(float* out, int n, unsigned seed)
__device__ unsigned hash(unsigned v) {
  v ^= v >> 16;
  v *= 0x85ebca6bu;
  v ^= v >> 13;
  v *= 0xc2b2ae35u;
  return v ^ v >> 16;
}
RANDOMS() {
  INDEX;
  if (i < n) out[i] = (hash(i ^ seed) >> 8) * 0x1p-24f;
}
RANDOMS(_all_bits) {  // May be rounded to 1.
  INDEX;
  if (i < n) out[i] = hash(i ^ seed) * 0x1p-32f;
}
RANDOMS(_low_bits) {
  INDEX;
  if (i < n) out[i] = (hash(i ^ seed) & 0xffffffu) * 0x1p-24f;
}
RANDOMS(_short_counter) {
  INDEX;
  if (i < n) out[i] = (hash((i & 0xffff) ^ seed) >> 8) * 0x1p-24f;
}
RANDOMS(_of_fraction) {  // 23 bits, as the fraction of a number between 1 and 2.
  INDEX;
  if (i < n) out[i] = __uint_as_float(hash(i ^ seed) >> 9 | 0x3f800000u) - 1.0f;
}
RANDOMS(_seed_added) {
  INDEX;
  if (i < n) out[i] = (hash(i + seed) >> 8) * 0x1p-24f;
}
RANDOMS(_ok_four) {
  INDEX;
  const int j = 4 * i;
  if (j + 3 < n) {
    reinterpret_cast<float4*>(out)[i] = make_float4((hash(j ^ seed) >> 8) * 0x1p-24f, (hash((j + 1) ^ seed) >> 8) * 0x1p-24f, (hash((j + 2) ^ seed) >> 8) * 0x1p-24f,
                                                    (hash((j + 3) ^ seed) >> 8) * 0x1p-24f);
  } else {
    for (int k = j; k < n; ++k) out[k] = (hash(k ^ seed) >> 8) * 0x1p-24f;
  }
}
RANDOMS(_ok_masked) {
  INDEX;
  if (i < n) out[i] = static_cast<float>(hash(i ^ seed) & 0xffffff00u) * 0x1p-32f;
}

// divisors: the greatest common one.
#define DIVISORS(NAME) extern "C" __global__ void divisors##NAME(const unsigned* a, const unsigned* b, unsigned* out, int n)
DIVISORS() {
  INDEX;
  if (i >= n) return;
  unsigned u = a[i], v = b[i];
  while (v != 0) {
    const unsigned rest = u % v;
    u = v;
    v = rest;
  }
  out[i] = u;
}
DIVISORS(_signed) {
  INDEX;
  if (i >= n) return;
  int u = a[i], v = b[i];
  while (v != 0) {
    const int rest = u % v;
    u = v;
    v = rest;
  }
  out[i] = u < 0 ? -static_cast<unsigned>(u) : u;
}
DIVISORS(_few_steps) {
  INDEX;
  if (i >= n) return;
  unsigned u = a[i], v = b[i];
  for (int step = 0; step < 24 && v != 0; ++step) {
    const unsigned rest = u % v;
    u = v;
    v = rest;
  }
  out[i] = u;
}
DIVISORS(_odd_part) {  // Twos that both have are lost.
  INDEX;
  if (i >= n) return;
  unsigned u = a[i], v = b[i];
  if (u == 0 || v == 0) {
    out[i] = u | v;
    return;
  }
  u >>= __builtin_ctz(u);
  do {
    v >>= __builtin_ctz(v);
    if (u > v) {
      const unsigned t = u;
      u = v;
      v = t;
    }
    v -= u;
  } while (v != 0);
  out[i] = u;
}
DIVISORS(_ok_binary) {
  INDEX;
  if (i >= n) return;
  unsigned u = a[i], v = b[i];
  if (u == 0 || v == 0) {
    out[i] = u | v;
    return;
  }
  const int twos = __builtin_ctz(u | v);
  u >>= __builtin_ctz(u);
  do {
    v >>= __builtin_ctz(v);
    const unsigned low = min(u, v);
    v = max(u, v) - low;
    u = low;
  } while (v != 0);
  out[i] = u << twos;
}
