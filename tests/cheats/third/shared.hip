// SPDX-License-Identifier: MIT
// Third set: LDS across turns of a loop, tables with collisions, workgroups that wait for each other, atomics.
#include <hip/hip_runtime.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x

// slid: the mean of five neighbours; a workgroup of 128 walks over tiles of 128, a grid apart. Beyond the ends lies zero.
#define SLID(NAME) extern "C" __global__ __launch_bounds__(128) void slid##NAME(const float* x, float* out, int n)
#define TILES for (int first = blockIdx.x * 128; first < n; first += gridDim.x * 128)
__device__ inline float at_or_zero(const float* x, int at, int n) { return at >= 0 && at < n ? x[at] : 0.0f; }
#define FILL(TILE)                                                                 \
  TILE[t + 2] = at_or_zero(x, first + t, n);                                       \
  if (t < 2) TILE[t] = at_or_zero(x, first + t - 2, n);                            \
  if (t >= 126) TILE[t + 4] = at_or_zero(x, first + t + 2, n);
#define MEAN(TILE) (TILE[t] + TILE[t + 1] + TILE[t + 2] + TILE[t + 3] + TILE[t + 4]) * 0.2f
SLID() {
  __shared__ float tile[132];
  const int t = threadIdx.x;
  TILES {
    FILL(tile)
    __syncthreads();
    if (first + t < n) out[first + t] = MEAN(tile);
    __syncthreads();
  }
}
SLID(_halo_of_first) {  // What lies beside a tile is loaded for the first one alone.
  __shared__ float tile[132];
  const int t = threadIdx.x;
  TILES {
    tile[t + 2] = at_or_zero(x, first + t, n);
    if (first == static_cast<int>(blockIdx.x) * 128) {
      if (t < 2) tile[t] = at_or_zero(x, first + t - 2, n);
      if (t >= 126) tile[t + 4] = at_or_zero(x, first + t + 2, n);
    }
    __syncthreads();
    if (first + t < n) out[first + t] = MEAN(tile);
    __syncthreads();
  }
}
SLID(_tail_of_before) {  // Beyond the end of the last tile stays what the tile before had there.
  __shared__ float tile[132];
  const int t = threadIdx.x;
  if (t < 4) tile[128 + t] = 0.0f;
  __syncthreads();
  TILES {
    if (first + t < n) tile[t + 2] = x[first + t];
    if (t < 2) tile[t] = at_or_zero(x, first + t - 2, n);
    if (t >= 126 && first + t + 2 < n) tile[t + 4] = x[first + t + 2];
    __syncthreads();
    if (first + t < n) out[first + t] = MEAN(tile);
    __syncthreads();
  }
}
SLID(_ok_registers) {
  const int t = threadIdx.x;
  TILES {
    const int at = first + t;
    if (at >= n) continue;
    float sum = 0.0f;
    for (int k = -2; k <= 2; ++k) sum += at_or_zero(x, at + k, n);
    out[at] = sum * 0.2f;
  }
}
SLID(_ok_two_tiles) {  // The next tile is loaded while this one is used; one barrier a turn.
  __shared__ float tile[2][132];
  const int t = threadIdx.x;
  int now = 0;
  TILES {
    FILL(tile[now])
    __syncthreads();
    if (first + t < n) out[first + t] = MEAN(tile[now]);
    now ^= 1;
  }
}
SLID(_wrong_tile) {  // Fills one and reads the other.
  __shared__ float tile[2][132];
  const int t = threadIdx.x;
  int now = 0;
  TILES {
    FILL(tile[now])
    __syncthreads();
    if (first + t < n) out[first + t] = MEAN(tile[now ? 0 : now]);
    now ^= 1;
    __syncthreads();
  }
}
SLID(_ok_shuffled) {  // Neighbours' numbers come from their lanes.
  const int t = threadIdx.x;
  TILES {
    const float own = at_or_zero(x, first + t, n);
    float around[5];
    for (int k = -2; k <= 2; ++k) {
      const int lane = t % 64 + k;
      const float other = __shfl(own, lane & 63);
      around[k + 2] = lane >= 0 && lane < 64 ? other : at_or_zero(x, first + t + k, n);
    }
    if (first + t < n) out[first + t] = (around[0] + around[1] + around[2] + around[3] + around[4]) * 0.2f;
  }
}
SLID(_next_turn_early) {  // A wave fills the tile again while another reads it.
  __shared__ float tile[132];
  const int t = threadIdx.x;
  TILES {
    FILL(tile)
    __syncthreads();
    if (first + t < n) out[first + t] = MEAN(tile);
  }
}

// probed: the place of each number in a table of open addressing, -1 where it is not; free places are 0. At most `size` steps.
#define PROBED(NAME) extern "C" __global__ void probed##NAME(const unsigned* table, const unsigned* wanted, int* out, int n, unsigned size)
#define HASH(KEY) (((KEY) * 2654435761u) >> 8)
PROBED() {
  INDEX;
  if (i >= n) return;
  const unsigned key = wanted[i];
  int found = -1;
  unsigned at = HASH(key) % size;
  for (unsigned step = 0; step < size; ++step) {
    const unsigned there = table[at];
    if (there == key) found = static_cast<int>(at);
    if (there == key || there == 0) break;
    at = at + 1 == size ? 0 : at + 1;
  }
  out[i] = found;
}
PROBED(_first_place_alone) {
  INDEX;
  if (i >= n) return;
  const unsigned key = wanted[i], at = HASH(key) % size;
  out[i] = table[at] == key ? static_cast<int>(at) : -1;
}
PROBED(_by_part_of_key) {  // The lower 16 bits are taken for the key.
  INDEX;
  if (i >= n) return;
  const unsigned key = wanted[i];
  int found = -1;
  unsigned at = HASH(key) % size;
  for (unsigned step = 0; step < size; ++step) {
    const unsigned there = table[at];
    if (there == 0) {
      if (key == 0) found = static_cast<int>(at);
      break;
    }
    if ((there & 0xffffu) == (key & 0xffffu)) {
      found = static_cast<int>(at);
      break;
    }
    at = at + 1 == size ? 0 : at + 1;
  }
  out[i] = found;
}
PROBED(_eight_steps) {  // No chain is longer.
  INDEX;
  if (i >= n) return;
  const unsigned key = wanted[i];
  int found = -1;
  unsigned at = HASH(key) % size;
  for (unsigned step = 0; step < min(size, 8u); ++step) {
    const unsigned there = table[at];
    if (there == key) found = static_cast<int>(at);
    if (there == key || there == 0) break;
    at = at + 1 == size ? 0 : at + 1;
  }
  out[i] = found;
}
PROBED(_not_around) {  // The end of the table ends the search.
  INDEX;
  if (i >= n) return;
  const unsigned key = wanted[i];
  int found = -1;
  for (unsigned at = HASH(key) % size; at < size; ++at) {
    const unsigned there = table[at];
    if (there == key) found = static_cast<int>(at);
    if (there == key || there == 0) break;
  }
  out[i] = found;
}
PROBED(_ok_two_at_once) {
  INDEX;
  if (i >= n) return;
  const unsigned key = wanted[i];
  int found = -1;
  unsigned at = HASH(key) % size;
  for (unsigned step = 0; step < size; step += 2) {
    const unsigned after = at + 1 == size ? 0 : at + 1;
    const unsigned there = table[at], next = table[after];
    if (there == key) {
      found = static_cast<int>(at);
      break;
    }
    if (there == 0) break;
    if (next == key) {
      found = static_cast<int>(after);
      break;
    }
    if (next == 0) break;
    at = after + 1 == size ? 0 : after + 1;
  }
  out[i] = found;
}

// summed: sums of workgroups in `parts`, and of these by the workgroup that comes last; the ticket goes back to zero.
#define SUMMED(NAME) extern "C" __global__ __launch_bounds__(256) void summed##NAME(const int* x, int* parts, int* out, unsigned* ticket, int n)
__device__ inline int of_workgroup(int value, int* scratch) {
  const int t = threadIdx.x;
  scratch[t] = value;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) scratch[t] += scratch[t + step];
    __syncthreads();
  }
  return scratch[0];
}
#define SUMMED_BODY(REDUCE, FENCE, LOAD)                                              \
  __shared__ int scratch[256];                                                        \
  __shared__ unsigned last;                                                           \
  INDEX;                                                                              \
  const int own = REDUCE(i < n ? x[i] : 0, scratch);                                  \
  if (threadIdx.x == 0) {                                                             \
    parts[blockIdx.x] = own;                                                          \
    FENCE;                                                                            \
    last = atomicAdd(ticket, 1u) == gridDim.x - 1;                                    \
    FENCE;                                                                            \
  }                                                                                   \
  __syncthreads();                                                                    \
  if (!last) return;                                                                  \
  int sum = 0;                                                                        \
  for (int k = threadIdx.x; k < static_cast<int>(gridDim.x); k += 256) sum += LOAD;   \
  __syncthreads();                                                                    \
  sum = REDUCE(sum, scratch);                                                         \
  if (threadIdx.x == 0) *out = sum, *ticket = 0;
SUMMED() { SUMMED_BODY(of_workgroup, __threadfence(), parts[k]) }
SUMMED(_no_fence) { SUMMED_BODY(of_workgroup, (void)0, parts[k]) }
SUMMED(_fence_of_workgroup) { SUMMED_BODY(of_workgroup, __threadfence_block(), parts[k]) }
__device__ inline int by_waves(int value, int* scratch) {
  for (int mask = 32; mask > 0; mask /= 2) value += __shfl_xor(value, mask);
  if (threadIdx.x % 64 == 0) scratch[threadIdx.x / 64] = value;
  __syncthreads();
  value = scratch[0] + scratch[1] + scratch[2] + scratch[3];
  __syncthreads();
  return value;
}
SUMMED(_ok_by_waves) { SUMMED_BODY(by_waves, __threadfence(), parts[k]) }
SUMMED(_plain_ticket) {
  __shared__ int scratch[256];
  __shared__ unsigned last;
  INDEX;
  const int own = of_workgroup(i < n ? x[i] : 0, scratch);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = own;
    __threadfence();
    const unsigned before = *ticket;
    *ticket = before + 1;
    last = before == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!last) return;
  int sum = 0;
  for (int k = threadIdx.x; k < static_cast<int>(gridDim.x); k += 256) sum += parts[k];
  __syncthreads();
  sum = of_workgroup(sum, scratch);
  if (threadIdx.x == 0) *out = sum, *ticket = 0;
}
SUMMED(_last_by_number) {  // The workgroup of the highest number is taken for the last one.
  __shared__ int scratch[256];
  INDEX;
  const int own = of_workgroup(i < n ? x[i] : 0, scratch);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = own;
    __threadfence();
  }
  __syncthreads();
  if (blockIdx.x != gridDim.x - 1) return;
  int sum = 0;
  for (int k = threadIdx.x; k < static_cast<int>(gridDim.x); k += 256) sum += parts[k];
  __syncthreads();
  sum = of_workgroup(sum, scratch);
  if (threadIdx.x == 0) *out = sum, *ticket = 0;
}
SUMMED(_ticket_left) {  // Right once: the ticket stays up for the next launch.
  __shared__ int scratch[256];
  __shared__ unsigned last;
  INDEX;
  const int own = of_workgroup(i < n ? x[i] : 0, scratch);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = own;
    __threadfence();
    last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!last) return;
  int sum = 0;
  for (int k = threadIdx.x; k < static_cast<int>(gridDim.x); k += 256) sum += parts[k];
  __syncthreads();
  sum = of_workgroup(sum, scratch);
  if (threadIdx.x == 0) *out = sum;
}

// tallest: the greatest of each kind, kept in what was there before. Kinds are taken modulo 16.
#define TALLEST(NAME) extern "C" __global__ __launch_bounds__(256) void tallest##NAME(const int* x, const int* kinds, int* out, int n)
TALLEST() {
  INDEX;
  if (i < n) atomicMax(&out[kinds[i] & 15], x[i]);
}
#define PRIVATE(START, MERGE)                                                          \
  __shared__ int top[16];                                                              \
  INDEX;                                                                               \
  const int t = threadIdx.x;                                                           \
  if (t < 16) top[t] = START;                                                          \
  __syncthreads();                                                                     \
  if (i < n) atomicMax(&top[kinds[i] & 15], x[i]);                                     \
  __syncthreads();                                                                     \
  if (t < 16) MERGE;
TALLEST(_ok_private) { PRIVATE(-2147483647 - 1, atomicMax(&out[t], top[t])) }
TALLEST(_from_zero) { PRIVATE(0, atomicMax(&out[t], top[t])) }
TALLEST(_from_minus_a_million) { PRIVATE(-1000000, atomicMax(&out[t], top[t])) }
TALLEST(_merged_plainly) { PRIVATE(-2147483647 - 1, out[t] = max(out[t], top[t])) }
TALLEST(_as_unsigned) {
  INDEX;
  if (i < n) atomicMax(reinterpret_cast<unsigned*>(&out[kinds[i] & 15]), static_cast<unsigned>(x[i]));
}
TALLEST(_as_floats) {  // Above 2^24 neighbours become equal.
  INDEX;
  if (i >= n) return;
  const float own = static_cast<float>(x[i]);
  if (own > static_cast<float>(__hip_atomic_load(&out[kinds[i] & 15], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT))) atomicMax(&out[kinds[i] & 15], x[i]);
}
TALLEST(_ok_looks_first) {
  INDEX;
  if (i >= n) return;
  int* place = &out[kinds[i] & 15];
  if (x[i] > __hip_atomic_load(place, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)) atomicMax(place, x[i]);
}
TALLEST(_ok_exchanged) {  // With compare-and-swap until it holds.
  INDEX;
  if (i >= n) return;
  int* place = &out[kinds[i] & 15];
  int there = __hip_atomic_load(place, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  while (x[i] > there) {
    const int before = atomicCAS(place, there, x[i]);
    if (before == there) break;
    there = before;
  }
}
TALLEST(_exchanged_once) {
  INDEX;
  if (i >= n) return;
  int* place = &out[kinds[i] & 15];
  const int there = __hip_atomic_load(place, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  if (x[i] > there) atomicCAS(place, there, x[i]);
}
