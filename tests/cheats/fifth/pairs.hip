// SPDX-License-Identifier: MIT
// Fifth set: orders and tables: merged runs, distances of words, two best, triangular systems, eights in order, pages, filters of bits.
#include <hip/hip_runtime.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x

// merged: two sorted runs with values into one; of equal keys those of a come first.
#define MERGED(NAME) extern "C" __global__ void merged##NAME(const int* a, const int* va, const int* b, const int* vb, int* keys, int* values, int na, int nb)
__device__ inline int lower(const int* x, int n, int key) {
  int from = 0, to = n;
  while (from < to) {
    const int middle = (from + to) / 2;
    if (x[middle] < key)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}
__device__ inline int upper(const int* x, int n, int key) {
  int from = 0, to = n;
  while (from < to) {
    const int middle = (from + to) / 2;
    if (x[middle] <= key)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}
MERGED() {
  INDEX;
  if (i < na) {
    const int at = i + lower(b, nb, a[i]);
    keys[at] = a[i];
    values[at] = va[i];
  }
  if (i < nb) {
    const int at = i + upper(a, na, b[i]);
    keys[at] = b[i];
    values[at] = vb[i];
  }
}
MERGED(_b_first) {
  INDEX;
  if (i < na) {
    const int at = i + upper(b, nb, a[i]);
    keys[at] = a[i];
    values[at] = va[i];
  }
  if (i < nb) {
    const int at = i + lower(a, na, b[i]);
    keys[at] = b[i];
    values[at] = vb[i];
  }
}
MERGED(_no_equals) {  // Equal keys meet in one place.
  INDEX;
  if (i < na) {
    const int at = i + lower(b, nb, a[i]);
    keys[at] = a[i];
    values[at] = va[i];
  }
  if (i < nb) {
    const int at = i + lower(a, na, b[i]);
    keys[at] = b[i];
    values[at] = vb[i];
  }
}
MERGED(_next_key) {  // Before the next whole number, which the largest one has not.
  INDEX;
  if (i < na) {
    const int at = i + lower(b, nb, a[i]);
    keys[at] = a[i];
    values[at] = va[i];
  }
  if (i < nb) {
    const int at = i + lower(a, na, static_cast<int>(static_cast<unsigned>(b[i]) + 1u));
    keys[at] = b[i];
    values[at] = vb[i];
  }
}
MERGED(_as_many_of_both) {
  INDEX;
  if (i >= na) return;
  int at = i + lower(b, nb, a[i]);
  keys[at] = a[i];
  values[at] = va[i];
  if (i >= nb) return;
  at = i + upper(a, na, b[i]);
  keys[at] = b[i];
  values[at] = vb[i];
}
MERGED(_ok_halved) {
  INDEX;
  if (i < na) {
    const int key = a[i];
    int at = 0, left = nb;
    while (left > 0) {
      const int half = left / 2;
      const bool less = b[at + half] < key;
      at = less ? at + half + 1 : at;
      left = less ? left - half - 1 : half;
    }
    keys[i + at] = key;
    values[i + at] = va[i];
  }
  if (i < nb) {
    const int key = b[i];
    int at = 0, left = na;
    while (left > 0) {
      const int half = left / 2;
      const bool less = a[at + half] <= key;
      at = less ? at + half + 1 : at;
      left = less ? left - half - 1 : half;
    }
    keys[i + at] = key;
    values[i + at] = vb[i];
  }
}

// edited: the edit distance of two words of at most 32 letters.
#define EDITED(NAME) extern "C" __global__ void edited##NAME(const unsigned char* a, const unsigned char* b, int* out, int n, int length)
EDITED() {
  INDEX;
  if (i >= n) return;
  const int size = max(0, min(length, 32));
  int row[33];
  for (int k = 0; k <= size; ++k) row[k] = k;
  for (int j = 1; j <= size; ++j) {
    int diagonal = row[0];
    row[0] = j;
    for (int k = 1; k <= size; ++k) {
      const int changed = diagonal + (a[i * length + j - 1] != b[i * length + k - 1]);
      diagonal = row[k];
      row[k] = min(changed, min(row[k], row[k - 1]) + 1);
    }
  }
  out[i] = row[size];
}
EDITED(_letters_changed) {  // No letter moves.
  INDEX;
  if (i >= n) return;
  const int size = max(0, min(length, 32));
  int changed = 0;
  for (int k = 0; k < size; ++k) changed += a[i * length + k] != b[i * length + k];
  out[i] = changed;
}
EDITED(_near_the_diagonal) {  // Words that differ little.
  INDEX;
  if (i >= n) return;
  const int size = max(0, min(length, 32));
  int row[33];
  for (int k = 0; k <= size; ++k) row[k] = k;
  for (int j = 1; j <= size; ++j) {
    const int from = max(1, j - 6), to = min(size, j + 6);
    int diagonal = row[from - 1];
    row[from - 1] = from > 1 ? 64 : j;
    for (int k = from; k <= to; ++k) {
      const int changed = diagonal + (a[i * length + j - 1] != b[i * length + k - 1]);
      diagonal = row[k];
      row[k] = min(changed, min(row[k], row[k - 1]) + 1);
    }
  }
  out[i] = row[size];
}
EDITED(_sixteen_letters) {  // As many as captured.
  INDEX;
  if (i >= n) return;
  const int size = max(0, min(length, 32));
  unsigned short more = 0xffff, less = 0;
  int distance = size;
  for (int j = 0; j < size; ++j) {
    unsigned short equal = 0;
    for (int k = 0; k < size; ++k) equal |= static_cast<unsigned>(a[i * length + k] == b[i * length + j]) << k;
    const unsigned short vertical = equal | less, diagonal = (((equal & more) + more) ^ more) | equal;
    unsigned short up = less | ~(diagonal | more), down = more & diagonal;
    distance += (up >> (size - 1) & 1) - (down >> (size - 1) & 1);
    up = up << 1 | 1;
    down <<= 1;
    more = down | ~(vertical | up);
    less = up & vertical;
  }
  out[i] = distance;
}
EDITED(_ok_equal_ends_left_out) {
  INDEX;
  if (i >= n) return;
  const int size = max(0, min(length, 32));
  int head = 0, rest = size;
  while (head < size && a[i * length + head] == b[i * length + head]) ++head;
  while (rest > head && a[i * length + rest - 1] == b[i * length + rest - 1]) --rest;
  rest -= head;
  int row[33];
  for (int k = 0; k <= rest; ++k) row[k] = k;
  for (int j = 1; j <= rest; ++j) {
    int diagonal = row[0];
    row[0] = j;
    for (int k = 1; k <= rest; ++k) {
      const int changed = diagonal + (a[i * length + head + j - 1] != b[i * length + head + k - 1]);
      diagonal = row[k];
      row[k] = min(changed, min(row[k], row[k - 1]) + 1);
    }
  }
  out[i] = row[rest];
}
EDITED(_ok_bits) {  // Differences of a column as bits (Myers 1999).
  INDEX;
  if (i >= n) return;
  const int size = max(0, min(length, 32));
  unsigned more = 0xffffffffu, less = 0;
  int distance = size;
  for (int j = 0; j < size; ++j) {
    unsigned equal = 0;
    for (int k = 0; k < size; ++k) equal |= static_cast<unsigned>(a[i * length + k] == b[i * length + j]) << k;
    const unsigned vertical = equal | less, diagonal = (((equal & more) + more) ^ more) | equal;
    unsigned up = less | ~(diagonal | more), down = more & diagonal;
    distance += static_cast<int>(up >> (size - 1) & 1) - static_cast<int>(down >> (size - 1) & 1);
    up = up << 1 | 1;
    down <<= 1;
    more = down | ~(vertical | up);
    less = up & vertical;
  }
  out[i] = distance;
}

// gated: the two best of each row and the first one's share; of equal ones the first counts.
#define GATED(NAME) extern "C" __global__ void gated##NAME(const float* x, int* places, float* shares, int rows, int columns)
GATED() {
  INDEX;
  if (i >= rows) return;
  float best = -INFINITY, next = -INFINITY;
  int at = 0, after = 0;
  for (int k = 0; k < columns; ++k) {
    const float v = x[i * columns + k];
    if (v > best) {
      next = best;
      after = at;
      best = v;
      at = k;
    } else if (v > next) {
      next = v;
      after = k;
    }
  }
  places[2 * i] = at;
  places[2 * i + 1] = after;
  shares[i] = 1.0f / (1.0f + expf(next - best));
}
GATED(_from_zero) {
  INDEX;
  if (i >= rows) return;
  float best = 0, next = 0;
  int at = 0, after = 0;
  for (int k = 0; k < columns; ++k) {
    const float v = x[i * columns + k];
    if (v > best) {
      next = best;
      after = at;
      best = v;
      at = k;
    } else if (v > next) {
      next = v;
      after = k;
    }
  }
  places[2 * i] = at;
  places[2 * i + 1] = after;
  shares[i] = 1.0f / (1.0f + expf(next - best));
}
GATED(_later_second) {
  INDEX;
  if (i >= rows) return;
  float best = -INFINITY, next = -INFINITY;
  int at = 0, after = 0;
  for (int k = 0; k < columns; ++k) {
    const float v = x[i * columns + k];
    if (v > best) {
      next = best;
      after = at;
      best = v;
      at = k;
    } else if (v >= next) {
      next = v;
      after = k;
    }
  }
  places[2 * i] = at;
  places[2 * i + 1] = after;
  shares[i] = 1.0f / (1.0f + expf(next - best));
}
GATED(_best_of_halves) {  // The second best may stand beside the best.
  INDEX;
  if (i >= rows) return;
  float best = -INFINITY, next = -INFINITY;
  int at = 0, after = 0;
  for (int k = 0; k < columns; ++k) {
    const float v = x[i * columns + k];
    if (k % 2 == 0 && v > best) {
      best = v;
      at = k;
    }
    if (k % 2 != 0 && v > next) {
      next = v;
      after = k;
    }
  }
  if (next > best || (next == best && after < at)) {
    const float swapped = best;
    best = next;
    next = swapped;
    const int place = at;
    at = after;
    after = place;
  }
  places[2 * i] = at;
  places[2 * i + 1] = after;
  shares[i] = 1.0f / (1.0f + expf(next - best));
}
GATED(_ok_wave) {  // A wave a row.
  const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 64, lane = threadIdx.x & 63;
  if (r >= rows) return;
  float best = -INFINITY, next = -INFINITY;
  int at = 0, after = 0;
  for (int k = lane; k < columns; k += 64) {
    const float v = x[r * columns + k];
    if (v > best) {
      next = best;
      after = at;
      best = v;
      at = k;
    } else if (v > next) {
      next = v;
      after = k;
    }
  }
  for (int step = 1; step < 64; step *= 2) {
    const float b = __shfl_xor(best, step), s = __shfl_xor(next, step);
    const int b_at = __shfl_xor(at, step), s_at = __shfl_xor(after, step);
    const bool theirs = b > best || (b == best && b_at < at);
    const float loser = theirs ? best : b, second = theirs ? s : next;
    const int loser_at = theirs ? at : b_at, second_at = theirs ? s_at : after;
    best = theirs ? b : best;
    at = theirs ? b_at : at;
    const bool lost = loser > second || (loser == second && loser_at < second_at);
    next = lost ? loser : second;
    after = lost ? loser_at : second_at;
  }
  if (lane != 0) return;
  places[2 * r] = at;
  places[2 * r + 1] = after;
  shares[r] = 1.0f / (1.0f + expf(next - best));
}

// solved: x of L x = b for a lower triangular L of at most 128 rows; a workgroup of 128 a system.
#define SOLVED(NAME) extern "C" __global__ void solved##NAME(const float* l, const float* b, float* x, int n)
SOLVED() {
  __shared__ float known[128];
  const int t = threadIdx.x, size = min(n, 128);
  const float* const mine = l + static_cast<size_t>(blockIdx.x) * n * n;
  float rest = t < size ? b[blockIdx.x * n + t] : 0.0f;
  for (int k = 0; k < size; ++k) {
    if (t == k) known[k] = rest / mine[k * n + k];
    __syncthreads();
    if (t > k && t < size) rest -= mine[t * n + k] * known[k];
    __syncthreads();
  }
  if (t < size) x[blockIdx.x * n + t] = known[t];
}
SOLVED(_ones_across) {
  __shared__ float known[128];
  const int t = threadIdx.x, size = min(n, 128);
  const float* const mine = l + static_cast<size_t>(blockIdx.x) * n * n;
  float rest = t < size ? b[blockIdx.x * n + t] : 0.0f;
  for (int k = 0; k < size; ++k) {
    if (t == k) known[k] = rest;
    __syncthreads();
    if (t > k && t < size) rest -= mine[t * n + k] * known[k];
  }
  __syncthreads();
  if (t < size) x[blockIdx.x * n + t] = known[t];
}
SOLVED(_not_awaited) {
  __shared__ float known[128];
  const int t = threadIdx.x, size = min(n, 128);
  const float* const mine = l + static_cast<size_t>(blockIdx.x) * n * n;
  float rest = t < size ? b[blockIdx.x * n + t] : 0.0f;
  for (int k = 0; k < size; ++k) {
    if (t == k) known[k] = rest / mine[k * n + k];
    if (k >= 63 || size <= 64) __syncthreads();
    if (t > k && t < size) rest -= mine[t * n + k] * known[k];
    if (k < 63 && size > 64) __syncthreads();
  }
  if (t < size) x[blockIdx.x * n + t] = known[t];
}
SOLVED(_zeros_passed_over) {  // Of a zero that is known nothing is subtracted, an infinite factor or not.
  __shared__ float known[128];
  const int t = threadIdx.x, size = min(n, 128);
  const float* const mine = l + static_cast<size_t>(blockIdx.x) * n * n;
  float rest = t < size ? b[blockIdx.x * n + t] : 0.0f;
  for (int k = 0; k < size; ++k) {
    if (t == k) known[k] = rest / mine[k * n + k];
    __syncthreads();
    if (known[k] != 0 && t > k && t < size) rest -= mine[t * n + k] * known[k];
  }
  if (t < size) x[blockIdx.x * n + t] = known[t];
}
SOLVED(_ok_one_barrier) {
  __shared__ float known[128];
  const int t = threadIdx.x, size = min(n, 128);
  const float* const mine = l + static_cast<size_t>(blockIdx.x) * n * n;
  float rest = t < size ? b[blockIdx.x * n + t] : 0.0f;
  for (int k = 0; k < size; ++k) {
    if (t == k) known[k] = rest / mine[k * n + k];
    __syncthreads();
    if (t > k && t < size) rest -= mine[t * n + k] * known[k];
  }
  if (t < size) x[blockIdx.x * n + t] = known[t];
}
SOLVED(_ok_kept) {
  __shared__ float known;
  const int t = threadIdx.x, size = min(n, 128);
  const float* const mine = l + static_cast<size_t>(blockIdx.x) * n * n;
  float rest = t < size ? b[blockIdx.x * n + t] : 0.0f;
  for (int k = 0; k < size; ++k) {
    if (t == k) known = rest = rest / mine[k * n + k];
    __syncthreads();
    if (t > k && t < size) rest -= mine[t * n + k] * known;
    __syncthreads();
  }
  if (t < size) x[blockIdx.x * n + t] = rest;
}
