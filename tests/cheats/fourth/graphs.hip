// SPDX-License-Identifier: MIT
// Fourth set: a step through a graph, roots of links, sparse matrices by coordinates, sums that begin again.
#include <hip/hip_runtime.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x

// expanded: one step of a breadth-first search; the order of the next frontier is anyone's.
#define EXPANDED(NAME) \
  extern "C" __global__ void expanded##NAME(const int* starts, const int* neighbours, int* levels, const int* frontier, int* next, int* count, int size, int level)
EXPANDED() {
  INDEX;
  if (i >= size) return;
  const int u = frontier[i];
  for (int e = starts[u]; e < starts[u + 1]; ++e) {
    const int v = neighbours[e];
    if (atomicCAS(&levels[v], -1, level) == -1) next[atomicAdd(count, 1)] = v;
  }
}
EXPANDED(_unclaimed) {
  INDEX;
  if (i >= size) return;
  const int u = frontier[i];
  for (int e = starts[u]; e < starts[u + 1]; ++e) {
    const int v = neighbours[e];
    if (levels[v] == -1) {
      levels[v] = level;
      next[atomicAdd(count, 1)] = v;
    }
  }
}
EXPANDED(_eight_edges) {
  INDEX;
  if (i >= size) return;
  const int u = frontier[i], from = starts[u], to = min(starts[u + 1], from + 8);
  for (int e = from; e < to; ++e) {
    const int v = neighbours[e];
    if (atomicCAS(&levels[v], -1, level) == -1) next[atomicAdd(count, 1)] = v;
  }
}
EXPANDED(_raised) {  // Vertices that were reached before move to this level.
  INDEX;
  if (i >= size) return;
  const int u = frontier[i];
  for (int e = starts[u]; e < starts[u + 1]; ++e) {
    const int v = neighbours[e];
    if (atomicMax(&levels[v], level) == -1) next[atomicAdd(count, 1)] = v;
  }
}
__device__ void push(int* next, int* count, int v, bool leader_is_first) {
  const unsigned long long lanes = __ballot(1);
  const int lane = threadIdx.x & 63, leader = leader_is_first ? 0 : __ffsll(lanes) - 1;
  int base = 0;
  if (lane == leader) base = atomicAdd(count, __popcll(lanes));
  base = __shfl(base, leader);
  next[base + __popcll(lanes & ((1ull << lane) - 1))] = v;
}
EXPANDED(_first_lane_leads) {  // Which need not be among those that push.
  INDEX;
  if (i >= size) return;
  const int u = frontier[i];
  for (int e = starts[u]; e < starts[u + 1]; ++e) {
    const int v = neighbours[e];
    if (atomicCAS(&levels[v], -1, level) == -1) push(next, count, v, true);
  }
}
EXPANDED(_ok_pushed_together) {
  INDEX;
  if (i >= size) return;
  const int u = frontier[i];
  for (int e = starts[u]; e < starts[u + 1]; ++e) {
    const int v = neighbours[e];
    if (atomicCAS(&levels[v], -1, level) == -1) push(next, count, v, false);
  }
}
EXPANDED(_ok_looks_first) {
  INDEX;
  if (i >= size) return;
  const int u = frontier[i], to = starts[u + 1];
  for (int e = starts[u]; e < to; ++e) {
    const int v = neighbours[e];
    if (__hip_atomic_load(&levels[v], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) != -1) continue;
    if (atomicCAS(&levels[v], -1, level) == -1) next[atomicAdd(count, 1)] = v;
  }
}

// rooted: the root of each node.
#define ROOTED(NAME) extern "C" __global__ void rooted##NAME(int* parents, int* roots, int n)
ROOTED() {
  INDEX;
  if (i >= n) return;
  int p = i;
  while (parents[p] != p) p = parents[p];
  roots[i] = p;
}
ROOTED(_sixteen_steps) {
  INDEX;
  if (i >= n) return;
  int p = i;
  for (int step = 0; step < 16; ++step) p = parents[p];
  roots[i] = p;
}
ROOTED(_shortened) {  // Paths are halved on the way: what it reads becomes another.
  INDEX;
  if (i >= n) return;
  int p = i;
  while (parents[p] != p) {
    parents[p] = parents[parents[p]];
    p = parents[p];
  }
  roots[i] = p;
}
ROOTED(_of_lower_ones) {  // A node with a lower number is done already.
  INDEX;
  if (i >= n) return;
  const int p = parents[i];
  if (p == i) {
    roots[i] = i;
    return;
  }
  int q = p;
  while (parents[q] != q && q > i) q = parents[q];
  roots[i] = q < i ? roots[q] : q;
}
ROOTED(_ok_two_steps) {
  INDEX;
  if (i >= n) return;
  int p = i;
  for (;;) {
    const int q = parents[p];
    if (q == p) break;
    p = parents[q];
  }
  roots[i] = p;
}

// coordinates: a sparse matrix by coordinates, in any order, times a vector.
#define COORDINATES(NAME) \
  extern "C" __global__ void coordinates##NAME(const int* rows, const int* columns, const float* values, const float* x, float* y, int n)
COORDINATES() {
  INDEX;
  if (i < n) atomicAdd(&y[rows[i]], values[i] * x[columns[i]]);
}
COORDINATES(_sorted_rows) {  // First and last lane of one row: all are.
  INDEX;
  const bool in = i < n;
  float product = in ? values[i] * x[columns[i]] : 0.0f;
  const int row = in ? rows[i] : -1, lane = threadIdx.x & 63;
  if (__shfl(row, 0) != __shfl(row, 63)) {
    if (in) atomicAdd(&y[row], product);
    return;
  }
  for (int step = 32; step > 0; step /= 2) product += __shfl_xor(product, step);
  if (lane == 0 && in) atomicAdd(&y[row], product);
}
COORDINATES(_lone_rows) {  // No atomic where the neighbours are of other rows.
  INDEX;
  if (i >= n) return;
  const int row = rows[i];
  const bool alone = i > 0 && i + 1 < n && rows[i - 1] != row && rows[i + 1] != row;
  const float product = values[i] * x[columns[i]];
  if (alone)
    y[row] += product;
  else
    atomicAdd(&y[row], product);
}
COORDINATES(_small_left_out) {
  INDEX;
  if (i >= n) return;
  const float product = values[i] * x[columns[i]];
  if (fabsf(product) > 1e-7f) atomicAdd(&y[rows[i]], product);
}
COORDINATES(_ok_uniform) {
  INDEX;
  if (i >= n) return;
  const int row = rows[i];
  float product = values[i] * x[columns[i]];
  const unsigned long long lanes = __ballot(1);
  if (lanes != ~0ull || __ballot(row == __builtin_amdgcn_readfirstlane(row)) != lanes) {
    atomicAdd(&y[row], product);
    return;
  }
  for (int step = 32; step > 0; step /= 2) product += __shfl_xor(product, step);
  if ((threadIdx.x & 63) == 0) atomicAdd(&y[row], product);
}
COORDINATES(_ok_pairs) {
  INDEX;
  const int j = 2 * i;
  if (j >= n) return;
  const float first = values[j] * x[columns[j]];
  if (j + 1 >= n) {
    atomicAdd(&y[rows[j]], first);
    return;
  }
  const float second = values[j + 1] * x[columns[j + 1]];
  if (rows[j] == rows[j + 1]) {
    atomicAdd(&y[rows[j]], first + second);
    return;
  }
  atomicAdd(&y[rows[j]], first);
  atomicAdd(&y[rows[j + 1]], second);
}

// restarted: sums within a workgroup that begin again at each head.
#define RESTARTED(NAME) extern "C" __global__ void restarted##NAME(const int* x, const unsigned char* heads, int* out, int n)
RESTARTED() {
  INDEX;
  if (i >= n) return;
  unsigned sum = x[i];
  for (int j = i; !heads[j] && j % 256 != 0;) sum += x[--j];
  out[i] = sum;
}
RESTARTED(_heads_are_one) {
  INDEX;
  if (i >= n) return;
  unsigned sum = x[i];
  for (int j = i; heads[j] != 1 && j % 256 != 0;) sum += x[--j];
  out[i] = sum;
}
__device__ unsigned within_wave(unsigned sum, bool& head) {
  const int lane = threadIdx.x & 63;
  int begun = head;
  for (int step = 1; step < 64; step *= 2) {
    const unsigned before = __shfl_up(sum, step);
    const int other = __shfl_up(begun, step);
    if (lane >= step && !begun) {
      sum += before;
      begun = other;
    }
  }
  head = begun;
  return sum;
}
RESTARTED(_ok_waves) {
  INDEX;
  __shared__ unsigned sums[4];
  __shared__ int begins[4];
  const int wave = threadIdx.x / 64;
  bool head = i < n && heads[i];
  unsigned sum = within_wave(i < n ? x[i] : 0, head);
  if ((threadIdx.x & 63) == 63) {
    sums[wave] = sum;
    begins[wave] = head;
  }
  __syncthreads();
  if (i >= n) return;
  if (!head)
    for (int w = wave - 1; w >= 0; --w) {
      sum += sums[w];
      if (begins[w]) break;
    }
  out[i] = sum;
}
RESTARTED(_wave_before_alone) {  // A part of more than two waves lacks its beginning.
  INDEX;
  __shared__ unsigned sums[4];
  const int wave = threadIdx.x / 64;
  bool head = i < n && heads[i];
  unsigned sum = within_wave(i < n ? x[i] : 0, head);
  if ((threadIdx.x & 63) == 63) sums[wave] = sum;
  __syncthreads();
  if (i >= n) return;
  if (!head && wave > 0) sum += sums[wave - 1];
  out[i] = sum;
}
RESTARTED(_sums_not_awaited) {
  INDEX;
  __shared__ unsigned sums[4];
  __shared__ int begins[4];
  const int wave = threadIdx.x / 64;
  bool head = i < n && heads[i];
  unsigned sum = within_wave(i < n ? x[i] : 0, head);
  if ((threadIdx.x & 63) == 63) {
    sums[wave] = sum;
    begins[wave] = head;
  }
  __threadfence_block();
  if (i >= n) return;
  if (!head)
    for (int w = wave - 1; w >= 0; --w) {
      sum += sums[w];
      if (begins[w]) break;
    }
  out[i] = sum;
}
RESTARTED(_ok_staged) {
  INDEX;
  __shared__ int values[256];
  __shared__ unsigned char begins[256];
  if (i < n) {
    values[threadIdx.x] = x[i];
    begins[threadIdx.x] = heads[i];
  }
  __syncthreads();
  if (i >= n) return;
  int j = threadIdx.x;
  unsigned sum = values[j];
  while (!begins[j] && j != 0) sum += values[--j];
  out[i] = sum;
}
