// SPDX-License-Identifier: MIT
// Fourth set, what is near to what it showed: equal neighbours, compaction in any order, labels, ratios, rows by coordinates, small filters, empty rows, first hits.
#include <hip/hip_runtime.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x

// runs: how many equal ones stand right before each, within its workgroup.
#define RUNS(NAME) extern "C" __global__ void runs##NAME(const int* x, int* out, int n)
RUNS() {
  INDEX;
  if (i >= n) return;
  int length = 0;
  while ((i - length) % 256 != 0 && x[i - length - 1] == x[i]) ++length;
  out[i] = length;
}
RUNS(_up_to_sixty_four) {
  INDEX;
  if (i >= n) return;
  int length = 0;
  while (length < 64 && (i - length) % 256 != 0 && x[i - length - 1] == x[i]) ++length;
  out[i] = length;
}
RUNS(_first_is_same) {  // Where the first one of the wave is equal, all between are.
  INDEX;
  if (i >= n) return;
  const int lane = threadIdx.x & 63;
  int length = 0;
  if (__builtin_amdgcn_readfirstlane(x[i]) == x[i]) length = lane;
  while ((i - length) % 256 != 0 && x[i - length - 1] == x[i]) ++length;
  out[i] = length;
}
RUNS(_ok_staged) {
  INDEX;
  __shared__ int values[256];
  if (i < n) values[threadIdx.x] = x[i];
  __syncthreads();
  if (i >= n) return;
  const int t = threadIdx.x, mine = values[t];
  int at = t;
  while (at > 0 && values[at - 1] == mine) --at;
  out[i] = t - at;
}

// collected: numbers above a limit, in any order.
#define COLLECTED(NAME) extern "C" __global__ void collected##NAME(const float* x, float* out, int* count, int n, float limit)
COLLECTED() {
  INDEX;
  if (i < n && x[i] > limit) out[atomicAdd(count, 1)] = x[i];
}
COLLECTED(_magnitudes) {
  INDEX;
  if (i < n && x[i] > limit) out[atomicAdd(count, 1)] = fabsf(x[i]);
}
COLLECTED(_rounded) {
  INDEX;
  if (i < n && x[i] > limit) out[atomicAdd(count, 1)] = static_cast<float>(static_cast<_Float16>(x[i]));
}
COLLECTED(_above_zero_too) {
  INDEX;
  if (i < n && x[i] > limit && x[i] > 0) out[atomicAdd(count, 1)] = x[i];
}
COLLECTED(_ok_by_wave) {
  INDEX;
  const bool keep = i < n && x[i] > limit;
  const unsigned long long kept = __ballot(keep);
  if (!keep) return;
  const int lane = threadIdx.x & 63, first = __ffsll(kept) - 1;
  int base = 0;
  if (lane == first) base = atomicAdd(count, __popcll(kept));
  base = __shfl(base, first);
  out[base + __popcll(kept & ((1ull << lane) - 1))] = x[i];
}

// paired: places and values of what is not zero, in any order, but the same one.
#define PAIRED(NAME) extern "C" __global__ void paired##NAME(const int* x, int* places, int* values, int* counts, int n)
PAIRED() {
  INDEX;
  if (i >= n || x[i] == 0) return;
  const int at = atomicAdd(&counts[0], 1);
  atomicAdd(&counts[1], 1);
  places[at] = i;
  values[at] = x[i];
}
PAIRED(_apart) {  // Each in an order of its own.
  INDEX;
  if (i >= n || x[i] == 0) return;
  places[atomicAdd(&counts[0], 1)] = i;
  values[atomicAdd(&counts[1], 1)] = x[i];
}
PAIRED(_short_places) {
  INDEX;
  if (i >= n || x[i] == 0) return;
  const int at = atomicAdd(&counts[0], 1);
  atomicAdd(&counts[1], 1);
  places[at] = static_cast<unsigned short>(i);
  values[at] = x[i];
}
PAIRED(_ok_by_wave) {
  INDEX;
  const bool keep = i < n && x[i] != 0;
  const unsigned long long kept = __ballot(keep);
  if (!keep) return;
  const int lane = threadIdx.x & 63, first = __ffsll(kept) - 1;
  int base = 0;
  if (lane == first) {
    base = atomicAdd(&counts[0], __popcll(kept));
    atomicAdd(&counts[1], __popcll(kept));
  }
  const int at = __shfl(base, first) + __popcll(kept & ((1ull << lane) - 1));
  places[at] = i;
  values[at] = x[i];
}

// labelled: each number times its label's factor; 0 where the label is none.
#define LABELLED(NAME) extern "C" __global__ void labelled##NAME(const float* x, const int* labels, const float* factors, float* out, int n, int classes)
LABELLED() {
  INDEX;
  if (i < n) out[i] = labels[i] >= 0 && labels[i] < classes ? x[i] * factors[labels[i]] : 0.0f;
}
LABELLED(_first_is_none) {
  INDEX;
  if (i < n) out[i] = labels[i] > 0 && labels[i] < classes ? x[i] * factors[labels[i]] : 0.0f;
}
LABELLED(_small_products_left_out) {
  INDEX;
  if (i >= n) return;
  const float product = labels[i] >= 0 && labels[i] < classes ? x[i] * factors[labels[i]] : 0.0f;
  out[i] = fabsf(product) < 1e-35f ? 0.0f : product;
}
LABELLED(_ok_one_comparison) {
  INDEX;
  if (i >= n) return;
  const unsigned label = labels[i];
  float out_of = 0;
  if (label < static_cast<unsigned>(max(classes, 0))) out_of = x[i] * factors[label];
  out[i] = out_of;
}

// ratios: x * by / of, in 64 bits.
#define RATIOS(NAME) extern "C" __global__ void ratios##NAME(const int* x, int* out, int n, int by, int of)
RATIOS() {
  INDEX;
  const int d = of < 1 ? 1 : of;
  if (i < n) out[i] = static_cast<int>(static_cast<long long>(x[i]) * by / d);
}
RATIOS(_in_32_bits) {
  INDEX;
  const int d = of < 1 ? 1 : of;
  if (i < n) out[i] = static_cast<int>(static_cast<unsigned>(x[i]) * static_cast<unsigned>(by)) / d;
}
RATIOS(_shifted) {
  INDEX;
  const int d = of < 1 ? 1 : of;
  if (i >= n) return;
  const long long product = static_cast<long long>(x[i]) * by;
  out[i] = static_cast<int>((d & (d - 1)) == 0 ? product >> (31 - __clz(d)) : product / d);
}
RATIOS(_divided_first) {
  INDEX;
  const int d = of < 1 ? 1 : of;
  if (i < n) out[i] = static_cast<int>(x[i] / d * static_cast<long long>(by) + x[i] % d * by / d);
}
RATIOS(_ok_shifted) {
  INDEX;
  const int d = of < 1 ? 1 : of;
  if (i >= n) return;
  const long long product = static_cast<long long>(x[i]) * by;
  const bool power = (d & (d - 1)) == 0;
  out[i] = static_cast<int>(power ? (product + (product >> 63 & (d - 1))) >> (31 - __clz(d)) : product / d);
}

// bucketed: how many there are of each key.
#define BUCKETED(NAME) extern "C" __global__ void bucketed##NAME(const int* keys, int* counts, int n)
BUCKETED() {
  INDEX;
  if (i < n) atomicAdd(&counts[keys[i]], 1);
}
BUCKETED(_same_ends) {
  INDEX;
  const int key = i < n ? keys[i] : -1;
  const int lane = threadIdx.x & 63;
  if (__shfl(key, 0) == __shfl(key, 63) && key >= 0) {
    if (lane == 0) atomicAdd(&counts[key], 64);
  } else if (i < n) {
    atomicAdd(&counts[key], 1);
  }
}
BUCKETED(_same_pairs) {  // Of two equal neighbours the second one counts both; a third is left.
  INDEX;
  if (i >= n) return;
  const bool before = i % 64 != 0 && keys[i - 1] == keys[i], after = i % 64 != 63 && i + 1 < n && keys[i + 1] == keys[i];
  if (before)
    atomicAdd(&counts[keys[i]], 2);
  else if (!after)
    atomicAdd(&counts[keys[i]], 1);
}
BUCKETED(_ok_run_lengths) {
  INDEX;
  if (i >= n) return;
  const int lane = threadIdx.x & 63, key = keys[i];
  const int before = __shfl_up(key, 1);
  const bool head = lane == 0 || before != key;
  const unsigned long long on = __ballot(1), heads = __ballot(head);
  if (!head) return;
  const unsigned long long later = lane == 63 ? 0 : heads >> (lane + 1);
  const int length = later != 0 ? __ffsll(later) : __popcll(on) - lane;
  atomicAdd(&counts[key], length);
}

// filtered: a filter of few taps.
#define FILTERED(NAME) extern "C" __global__ void filtered##NAME(const float* x, const float* taps, float* out, int n, int count)
FILTERED() {
  INDEX;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < count; ++k) sum += i >= k ? taps[k] * x[i - k] : 0.0f;
  out[i] = sum;
}
FILTERED(_zero_inputs_left_out) {
  INDEX;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < count; ++k)
    if (i >= k && x[i - k] != 0) sum += taps[k] * x[i - k];
  out[i] = sum;
}
FILTERED(_symmetric) {
  INDEX;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < count; ++k) {
    const float tap = taps[min(k, count - 1 - k)];
    sum += i >= k ? tap * x[i - k] : 0.0f;
  }
  out[i] = sum;
}
FILTERED(_ok_from_behind) {
  INDEX;
  if (i >= n) return;
  float sum = 0;
  for (int k = min(count, i + 1) - 1; k >= 0; --k) sum = fmaf(taps[k], x[i - k], sum);
  out[i] = sum;
}

// softened: log(1 + exp(x)).
#define SOFTENED(NAME) extern "C" __global__ void softened##NAME(const float* x, float* out, int n)
SOFTENED() {
  INDEX;
  if (i < n) out[i] = fmaxf(x[i], 0.0f) + log1pf(expf(-fabsf(x[i])));
}
SOFTENED(_above_eight) {
  INDEX;
  if (i < n) out[i] = x[i] > 8.0f ? x[i] : fmaxf(x[i], 0.0f) + log1pf(expf(-fabsf(x[i])));
}
SOFTENED(_below_minus_eight) {
  INDEX;
  if (i < n) out[i] = x[i] < -8.0f ? 0.0f : fmaxf(x[i], 0.0f) + log1pf(expf(-fabsf(x[i])));
}
SOFTENED(_plain_logarithm) {
  INDEX;
  if (i < n) out[i] = fmaxf(x[i], 0.0f) + logf(1.0f + expf(-fabsf(x[i])));
}
SOFTENED(_ok_above_thirty) {
  INDEX;
  if (i < n) out[i] = x[i] > 30.0f ? x[i] : fmaxf(x[i], 0.0f) + log1pf(expf(-fabsf(x[i])));
}

// means: of each row; NaN for empty ones.
#define MEANS(NAME) extern "C" __global__ void means##NAME(const int* starts, const float* x, float* out, int rows)
MEANS() {
  INDEX;
  if (i >= rows) return;
  float sum = 0;
  for (int k = starts[i]; k < starts[i + 1]; ++k) sum += x[k];
  out[i] = sum / static_cast<float>(starts[i + 1] - starts[i]);
}
MEANS(_empty_is_zero) {
  INDEX;
  if (i >= rows) return;
  float sum = 0;
  for (int k = starts[i]; k < starts[i + 1]; ++k) sum += x[k];
  out[i] = sum / static_cast<float>(max(starts[i + 1] - starts[i], 1));
}
MEANS(_one_turn) {
  INDEX;
  const int r = i / 64, lane = threadIdx.x & 63;
  if (r >= rows) return;
  const int from = starts[r], to = starts[r + 1];
  float sum = from + lane < to ? x[from + lane] : 0.0f;
  for (int step = 32; step > 0; step /= 2) sum += __shfl_xor(sum, step);
  if (lane == 0) out[r] = sum / static_cast<float>(to - from);
}
MEANS(_ok_wave) {
  INDEX;
  const int r = i / 64, lane = threadIdx.x & 63;
  if (r >= rows) return;
  const int from = starts[r], to = starts[r + 1];
  float sum = 0;
  for (int k = from + lane; k < to; k += 64) sum += x[k];
  for (int step = 32; step > 0; step /= 2) sum += __shfl_xor(sum, step);
  if (lane == 0) out[r] = sum / static_cast<float>(to - from);
}

// hits: the first one above a limit in each row, or -1.
#define HITS(NAME) extern "C" __global__ void hits##NAME(const float* x, int* out, int rows, int columns, float limit)
HITS() {
  INDEX;
  if (i >= rows) return;
  int at = -1;
  for (int k = 0; k < columns && at < 0; ++k)
    if (x[i * columns + k] > limit) at = k;
  out[i] = at;
}
HITS(_first_wave_alone) {
  INDEX;
  const int r = i / 64, lane = threadIdx.x & 63;
  if (r >= rows) return;
  const unsigned long long found = __ballot(lane < columns && x[r * columns + lane] > limit);
  if (lane == 0) out[r] = __ffsll(found) - 1;
}
HITS(_not_below) {
  INDEX;
  if (i >= rows) return;
  int at = -1;
  for (int k = 0; k < columns && at < 0; ++k)
    if (!(x[i * columns + k] <= limit)) at = k;
  out[i] = at;
}
HITS(_ok_wave) {
  INDEX;
  const int r = i / 64, lane = threadIdx.x & 63;
  if (r >= rows) return;
  int at = -1;
  for (int from = 0; from < columns && at < 0; from += 64) {
    const int k = from + lane;
    const unsigned long long found = __ballot(k < columns && x[r * columns + k] > limit);
    if (found != 0) at = from + __ffsll(found) - 1;
  }
  if (lane == 0) out[r] = at;
}
