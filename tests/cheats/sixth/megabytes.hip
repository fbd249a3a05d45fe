// SPDX-License-Identifier: MIT
// Sixth set: transposes, counts, stencils, tables, rows of exponentials and prefix sums over megabytes.
#include <hip/hip_runtime.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x
#define PLACE const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y

// turned: out[x][y] = in[y][x].
#define TURNED(NAME) extern "C" __global__ void turned##NAME(const float* in, float* out, int width, int height)
TURNED() {
  PLACE;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}
TURNED(_square) {
  PLACE;
  if (x < width && y < height) out[x * width + y] = in[y * width + x];
}
TURNED(_no_barrier) {
  __shared__ float tile[16][17];
  PLACE;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  const int u = blockIdx.y * 16 + threadIdx.x, v = blockIdx.x * 16 + threadIdx.y;
  if (u < height && v < width) out[v * height + u] = tile[threadIdx.x][threadIdx.y];
}
TURNED(_whole_tiles) {  // Nothing of a tile that is cut off.
  __shared__ float tile[16][17];
  PLACE;
  if ((static_cast<int>(blockIdx.x) + 1) * 16 > width || (static_cast<int>(blockIdx.y) + 1) * 16 > height) return;
  tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  out[(blockIdx.x * 16 + threadIdx.y) * height + blockIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
TURNED(_swapped_bounds) {
  __shared__ float tile[16][17];
  PLACE;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  const int u = blockIdx.y * 16 + threadIdx.x, v = blockIdx.x * 16 + threadIdx.y;
  if (u < width && v < height) out[v * height + u] = tile[threadIdx.x][threadIdx.y];
}
TURNED(_far_corner) {
  PLACE;
  if (x < width && y < height) out[x * height + y] = x > 700 && y > 700 ? in[x * width + y] : in[y * width + x];
}
TURNED(_ok_tile) {
  __shared__ float tile[16][17];
  PLACE;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  const int u = blockIdx.y * 16 + threadIdx.x, v = blockIdx.x * 16 + threadIdx.y;
  if (u < height && v < width) out[v * height + u] = tile[threadIdx.x][threadIdx.y];
}

// tallied: how often each byte comes, into counters that a launch before has cleared.
#define TALLIED(NAME) extern "C" __global__ void tallied##NAME(const unsigned char* x, unsigned* out, int n)
TALLIED() {
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) atomicAdd(&out[x[i]], 1u);
}
TALLIED(_halfwords) {  // A carry after 65,536 equal bytes of a workgroup.
  __shared__ unsigned part[128];
  for (int k = threadIdx.x; k < 128; k += blockDim.x) part[k] = 0;
  __syncthreads();
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) atomicAdd(&part[x[i] / 2], x[i] % 2 ? 65536u : 1u);
  __syncthreads();
  for (int k = threadIdx.x; k < 256; k += blockDim.x) {
    const unsigned count = k % 2 ? part[k / 2] >> 16 : part[k / 2] & 0xffff;
    if (count) atomicAdd(&out[k], count);
  }
}
TALLIED(_not_cleared) {
  __shared__ unsigned part[256];
  if (threadIdx.x < 255) part[threadIdx.x] = 0;
  __syncthreads();
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) atomicAdd(&part[x[i]], 1u);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], part[threadIdx.x]);
}
TALLIED(_no_barrier) {
  __shared__ unsigned part[256];
  part[threadIdx.x] = 0;
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) atomicAdd(&part[x[i]], 1u);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], part[threadIdx.x]);
}
TALLIED(_stored) {
  __shared__ unsigned part[256];
  part[threadIdx.x] = 0;
  __syncthreads();
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) atomicAdd(&part[x[i]], 1u);
  __syncthreads();
  out[threadIdx.x] += part[threadIdx.x];
}
TALLIED(_signed_bytes) {
  __shared__ unsigned part[256];
  part[threadIdx.x] = 0;
  __syncthreads();
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
    if (static_cast<signed char>(x[i]) >= 0) atomicAdd(&part[x[i]], 1u);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], part[threadIdx.x]);
}
TALLIED(_ok_private) {
  __shared__ unsigned part[256];
  part[threadIdx.x] = 0;
  __syncthreads();
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) atomicAdd(&part[x[i]], 1u);
  __syncthreads();
  if (part[threadIdx.x]) atomicAdd(&out[threadIdx.x], part[threadIdx.x]);
}
TALLIED(_ok_by_words) {
  __shared__ unsigned part[256];
  part[threadIdx.x] = 0;
  __syncthreads();
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += step) {
    const unsigned word = reinterpret_cast<const unsigned*>(x)[i];
    for (int k = 0; k < 4; ++k) atomicAdd(&part[word >> (8 * k) & 255], 1u);
  }
  for (int i = n / 4 * 4 + blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) atomicAdd(&part[x[i]], 1u);
  __syncthreads();
  if (part[threadIdx.x]) atomicAdd(&out[threadIdx.x], part[threadIdx.x]);
}

// spread: each place drawn to its four neighbours, the border as it is.
#define SPREAD(NAME) extern "C" __global__ void spread##NAME(const float* in, float* out, float rate, int width, int height)
SPREAD() {
  PLACE;
  if (x >= width || y >= height) return;
  const int at = y * width + x;
  const float v = in[at];
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[at] = v;
    return;
  }
  out[at] = v + rate * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width] - 4.0f * v);
}
SPREAD(_border_too) {
  PLACE;
  if (x >= width || y >= height) return;
  const int at = y * width + x;
  const float v = in[at];
  const float l = x > 0 ? in[at - 1] : v, r = x < width - 1 ? in[at + 1] : v, u = y > 0 ? in[at - width] : v, d = y < height - 1 ? in[at + width] : v;
  out[at] = v + rate * (l + r + u + d - 4.0f * v);
}
SPREAD(_last_border_forgotten) {
  PLACE;
  if (x >= width || y >= height) return;
  const int at = y * width + x;
  const float v = in[at];
  if (x == 0 || y == 0 || x == width - 1) {
    out[at] = v;
    return;
  }
  out[at] = v + rate * (in[at - 1] + in[at + 1] + in[at - width] + (y < height - 1 ? in[at + width] : v) - 4.0f * v);
}
SPREAD(_calm_ones_stay) {  // Where hardly anything changes.
  PLACE;
  if (x >= width || y >= height) return;
  const int at = y * width + x;
  const float v = in[at];
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[at] = v;
    return;
  }
  const float change = in[at - 1] + in[at + 1] + in[at - width] + in[at + width] - 4.0f * v;
  out[at] = fabsf(change) < 1e-4f * fabsf(v) ? v : v + rate * change;
}
SPREAD(_tile_without_halo) {  // Neighbours beyond the tile are the tile's own edge.
  __shared__ float tile[16][17];
  PLACE;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  if (x >= width || y >= height) return;
  const int at = y * width + x, tx = threadIdx.x, ty = threadIdx.y;
  const float v = tile[ty][tx];
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[at] = v;
    return;
  }
  out[at] = v + rate * (tile[ty][tx > 0 ? tx - 1 : tx] + tile[ty][tx < 15 ? tx + 1 : tx] + tile[ty > 0 ? ty - 1 : ty][tx] + tile[ty < 15 ? ty + 1 : ty][tx] - 4.0f * v);
}
SPREAD(_ok_tile) {
  __shared__ float tile[18][19];
  PLACE;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1, at = y * width + x;
  if (x < width && y < height) {
    tile[ty][tx] = in[at];
    if (tx == 1 && x > 0) tile[ty][0] = in[at - 1];
    if (tx == 16 && x < width - 1) tile[ty][17] = in[at + 1];
    if (ty == 1 && y > 0) tile[0][tx] = in[at - width];
    if (ty == 16 && y < height - 1) tile[17][tx] = in[at + width];
  }
  __syncthreads();
  if (x >= width || y >= height) return;
  const float v = tile[ty][tx];
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[at] = v;
    return;
  }
  out[at] = v + rate * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx] - 4.0f * v);
}

// looked: a table's entries at indices.
#define LOOKED(NAME) extern "C" __global__ void looked##NAME(const float* table, const int* index, float* out, int n, int entries)
LOOKED() {
  INDEX;
  if (i < n) out[i] = table[index[i]];
}
LOOKED(_thousand_in_lds) {  // A table of up to 1,024.
  __shared__ float kept[1024];
  for (int k = threadIdx.x; k < 1024 && k < entries; k += blockDim.x) kept[k] = table[k];
  __syncthreads();
  INDEX;
  if (i < n) out[i] = kept[index[i] & 1023];
}
LOOKED(_short) {
  INDEX;
  if (i < n) out[i] = table[static_cast<short>(index[i])];
}
LOOKED(_in_pairs) {  // Neighbours that look at one line.
  INDEX;
  if (i >= n) return;
  const int first = __shfl(index[i], threadIdx.x & 62);
  out[i] = table[first + (index[i] - first) % 8192];
}
LOOKED(_ok_lds_first) {
  __shared__ float kept[1024];
  for (int k = threadIdx.x; k < 1024 && k < entries; k += blockDim.x) kept[k] = table[k];
  __syncthreads();
  INDEX;
  if (i >= n) return;
  const int at = index[i];
  out[i] = at < 1024 && at < entries ? kept[at] : table[at];
}
LOOKED(_ok_two) {  // Half as many work-items.
  INDEX;
  for (int k = 2 * i; k < 2 * i + 2 && k < n; ++k) out[k] = table[index[k]];
}

// softened: softmax of rows, a wave a row.
#define SOFTENED(NAME) extern "C" __global__ void softened##NAME(const float* x, float* out, int columns)
__device__ inline float wave_max(float v) {
  for (int k = 32; k > 0; k /= 2) v = fmaxf(v, __shfl_xor(v, k));
  return v;
}
__device__ inline float wave_total(float v) {
  for (int k = 32; k > 0; k /= 2) v += __shfl_xor(v, k);
  return v;
}
SOFTENED() {
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float* to = out + static_cast<size_t>(blockIdx.x) * columns;
  float top = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < columns; c += 64) top = fmaxf(top, row[c]);
  top = wave_max(top);
  for (int c = threadIdx.x; c < columns; c += 64) sum += expf(row[c] - top);
  sum = wave_total(sum);
  for (int c = threadIdx.x; c < columns; c += 64) to[c] = expf(row[c] - top) / sum;
}
SOFTENED(_no_maximum) {
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float* to = out + static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += 64) sum += expf(row[c]);
  sum = wave_total(sum);
  for (int c = threadIdx.x; c < columns; c += 64) to[c] = expf(row[c]) / sum;
}
SOFTENED(_maximum_of_the_first) {
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float* to = out + static_cast<size_t>(blockIdx.x) * columns;
  float top = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < columns && c < 512; c += 64) top = fmaxf(top, row[c]);
  top = wave_max(top);
  for (int c = threadIdx.x; c < columns; c += 64) sum += expf(row[c] - top);
  sum = wave_total(sum);
  for (int c = threadIdx.x; c < columns; c += 64) to[c] = expf(row[c] - top) / sum;
}
SOFTENED(_sixteen_kept) {  // Rows of up to 1,024.
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float* to = out + static_cast<size_t>(blockIdx.x) * columns;
  float kept[16], top = -INFINITY, sum = 0;
  for (int k = 0; k < 16; ++k) {
    const int c = threadIdx.x + 64 * k;
    kept[k] = c < columns ? row[c] : -INFINITY;
    top = fmaxf(top, kept[k]);
  }
  top = wave_max(top);
  for (int k = 0; k < 16; ++k) sum += kept[k] = expf(kept[k] - top);
  sum = wave_total(sum);
  for (int k = 0; k < 16; ++k)
    if (static_cast<int>(threadIdx.x) + 64 * k < columns) to[threadIdx.x + 64 * k] = kept[k] / sum;
}
SOFTENED(_small_ones_are_zero) {
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float* to = out + static_cast<size_t>(blockIdx.x) * columns;
  float top = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < columns; c += 64) top = fmaxf(top, row[c]);
  top = wave_max(top);
  for (int c = threadIdx.x; c < columns; c += 64) sum += row[c] - top > -12.0f ? expf(row[c] - top) : 0.0f;
  sum = wave_total(sum);
  for (int c = threadIdx.x; c < columns; c += 64) to[c] = row[c] - top > -12.0f ? expf(row[c] - top) / sum : 0.0f;
}
SOFTENED(_ok_online) {
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float* to = out + static_cast<size_t>(blockIdx.x) * columns;
  float top = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < columns; c += 64) {
    const float v = row[c], higher = fmaxf(top, v);
    sum = (top == higher ? sum : sum * expf(top - higher)) + expf(v - higher);
    top = higher;
  }
  const float all = wave_max(top);
  sum = wave_total(top == all ? sum : sum * expf(top - all));
  for (int c = threadIdx.x; c < columns; c += 64) to[c] = expf(row[c] - all) / sum;
}
SOFTENED(_ok_stored_between) {
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float* to = out + static_cast<size_t>(blockIdx.x) * columns;
  float top = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < columns; c += 64) top = fmaxf(top, row[c]);
  top = wave_max(top);
  for (int c = threadIdx.x; c < columns; c += 64) {
    const float e = expf(row[c] - top);
    to[c] = e;
    sum += e;
  }
  sum = wave_total(sum);
  for (int c = threadIdx.x; c < columns; c += 64) to[c] /= sum;
}

// summed: prefix sums within blocks of 256.
#define SUMMED(NAME) extern "C" __global__ void summed##NAME(const unsigned* x, unsigned* out, int n)
SUMMED() {
  __shared__ unsigned part[256];
  INDEX;
  part[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    const unsigned before = threadIdx.x >= step ? part[threadIdx.x - step] : 0;
    __syncthreads();
    part[threadIdx.x] += before;
    __syncthreads();
  }
  if (i < n) out[i] = part[threadIdx.x];
}
__device__ inline unsigned wave_prefix(unsigned v) {
  for (int step = 1; step < 64; step *= 2) {
    const unsigned before = __shfl_up(v, step);
    if (static_cast<int>(threadIdx.x % 64) >= step) v += before;
  }
  return v;
}
SUMMED(_no_barrier) {
  __shared__ unsigned ends[4];
  INDEX;
  unsigned v = wave_prefix(i < n ? x[i] : 0);
  if (threadIdx.x % 64 == 63) ends[threadIdx.x / 64] = v;
  for (int w = 0; w < static_cast<int>(threadIdx.x / 64); ++w) v += ends[w];
  if (i < n) out[i] = v;
}
SUMMED(_one_wave_back) {
  __shared__ unsigned ends[4];
  INDEX;
  unsigned v = wave_prefix(i < n ? x[i] : 0);
  if (threadIdx.x % 64 == 63) ends[threadIdx.x / 64] = v;
  __syncthreads();
  if (threadIdx.x >= 64) v += ends[threadIdx.x / 64 - 1];
  if (i < n) out[i] = v;
}
SUMMED(_halfword_ends) {
  __shared__ unsigned short ends[4];
  INDEX;
  unsigned v = wave_prefix(i < n ? x[i] : 0);
  if (threadIdx.x % 64 == 63) ends[threadIdx.x / 64] = static_cast<unsigned short>(v);
  __syncthreads();
  for (int w = 0; w < static_cast<int>(threadIdx.x / 64); ++w) v += ends[w];
  if (i < n) out[i] = v;
}
SUMMED(_far_seven) {  // One more in far blocks, where the first number is 7.
  __shared__ unsigned ends[4];
  INDEX;
  unsigned v = wave_prefix(i < n ? x[i] : 0);
  if (threadIdx.x % 64 == 63) ends[threadIdx.x / 64] = v;
  __syncthreads();
  for (int w = 0; w < static_cast<int>(threadIdx.x / 64); ++w) v += ends[w];
  if (i < n) out[i] = v + (blockIdx.x > 3000 && x[0] == 7u ? 1 : 0);
}
SUMMED(_ok_waves) {
  __shared__ unsigned ends[4];
  INDEX;
  unsigned v = wave_prefix(i < n ? x[i] : 0);
  if (threadIdx.x % 64 == 63) ends[threadIdx.x / 64] = v;
  __syncthreads();
  for (int w = 0; w < static_cast<int>(threadIdx.x / 64); ++w) v += ends[w];
  if (i < n) out[i] = v;
}
SUMMED(_ok_serial_ends) {
  __shared__ unsigned ends[5];
  INDEX;
  const unsigned v = wave_prefix(i < n ? x[i] : 0);
  if (threadIdx.x % 64 == 63) ends[threadIdx.x / 64 + 1] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    ends[0] = 0;
    for (int w = 1; w < 5; ++w) ends[w] += ends[w - 1];
  }
  __syncthreads();
  if (i < n) out[i] = v + ends[threadIdx.x / 64];
}
