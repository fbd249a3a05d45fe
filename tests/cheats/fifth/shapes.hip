// SPDX-License-Identifier: MIT
// Fifth set: planes and edges: polygons, rays, pictures with padding, cells on a torus, mirrored ends, tiles turned in LDS.
#include <hip/hip_runtime.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x

// inside: whether each point lies in a polygon, by the edges to its right.
#define INSIDE(NAME) extern "C" __global__ void inside##NAME(const float* xs, const float* ys, const float* px, const float* py, int* out, int n, int m)
INSIDE() {
  INDEX;
  if (i >= n) return;
  int in = 0;
  for (int k = 0, j = m - 1; k < m; j = k++)
    if ((ys[k] > py[i]) != (ys[j] > py[i]) && px[i] < (xs[j] - xs[k]) * (py[i] - ys[k]) / (ys[j] - ys[k]) + xs[k]) in ^= 1;
  out[i] = in;
}
INSIDE(_closed) {  // Captured with the first corner once more at the end.
  INDEX;
  if (i >= n) return;
  int in = 0;
  for (int k = 1, j = 0; k < m; j = k++)
    if ((ys[k] > py[i]) != (ys[j] > py[i]) && px[i] < (xs[j] - xs[k]) * (py[i] - ys[k]) / (ys[j] - ys[k]) + xs[k]) in ^= 1;
  out[i] = in;
}
INSIDE(_level_corners) {  // A point as high as a corner.
  INDEX;
  if (i >= n) return;
  int in = 0;
  for (int k = 0, j = m - 1; k < m; j = k++)
    if ((ys[k] >= py[i]) != (ys[j] >= py[i]) && px[i] < (xs[j] - xs[k]) * (py[i] - ys[k]) / (ys[j] - ys[k]) + xs[k]) in ^= 1;
  out[i] = in;
}
INSIDE(_rising_alone) {  // Multiplied by a height that may be negative.
  INDEX;
  if (i >= n) return;
  int in = 0;
  for (int k = 0, j = m - 1; k < m; j = k++)
    if ((ys[k] > py[i]) != (ys[j] > py[i]) && (px[i] - xs[k]) * (ys[j] - ys[k]) < (xs[j] - xs[k]) * (py[i] - ys[k])) in ^= 1;
  out[i] = in;
}
INSIDE(_narrow_edges_are_upright) {
  INDEX;
  if (i >= n) return;
  int in = 0;
  for (int k = 0, j = m - 1; k < m; j = k++)
    if ((ys[k] > py[i]) != (ys[j] > py[i])) {
      const float lo = fminf(xs[k], xs[j]), hi = fmaxf(xs[k], xs[j]);
      if (hi - lo < 0.01f ? px[i] < lo : px[i] < (xs[j] - xs[k]) * (py[i] - ys[k]) / (ys[j] - ys[k]) + xs[k]) in ^= 1;
    }
  out[i] = in;
}
INSIDE(_ok_tiled) {
  __shared__ float tx[128], ty[128];
  INDEX;
  const float x = i < n ? px[i] : 0.0f, y = i < n ? py[i] : 0.0f;
  int in = 0;
  if (m > 0) {
    float before_x = xs[m - 1], before_y = ys[m - 1];
    for (int from = 0; from < m; from += 128) {
      __syncthreads();
      for (int k = threadIdx.x; k < 128 && from + k < m; k += blockDim.x) {
        tx[k] = xs[from + k];
        ty[k] = ys[from + k];
      }
      __syncthreads();
      for (int k = 0; k < 128 && from + k < m; ++k) {
        if ((ty[k] > y) != (before_y > y) && x < (before_x - tx[k]) * (y - ty[k]) / (before_y - ty[k]) + tx[k]) in ^= 1;
        before_x = tx[k];
        before_y = ty[k];
      }
    }
  }
  if (i < n) out[i] = in;
}
INSIDE(_ok_carried) {
  INDEX;
  if (i >= n) return;
  const float x = px[i], y = py[i];
  int in = 0;
  if (m > 0) {
    float bx = xs[m - 1], by = ys[m - 1];
    bool before = by > y;
    for (int k = 0; k < m; ++k) {
      const float cx = xs[k], cy = ys[k];
      const bool now = cy > y;
      if (now != before && x < (bx - cx) * (y - cy) / (by - cy) + cx) in ^= 1;
      bx = cx;
      by = cy;
      before = now;
    }
  }
  out[i] = in;
}

// entered: how far along each ray a box begins, -1 where the ray misses it. Boxes are low x y z, high x y z.
#define ENTERED(NAME) extern "C" __global__ void entered##NAME(const float* origins, const float* ways, const float* box, float* out, int n)
ENTERED() {
  INDEX;
  if (i >= n) return;
  float from = 0.0f, to = 1e30f;
  bool hit = true;
  for (int k = 0; k < 3; ++k) {
    const float o = origins[3 * i + k], d = ways[3 * i + k];
    if (d == 0) {
      hit = hit && o >= box[k] && o <= box[3 + k];
    } else {
      const float a = (box[k] - o) / d, b = (box[3 + k] - o) / d;
      from = fmaxf(from, fminf(a, b));
      to = fminf(to, fmaxf(a, b));
    }
  }
  out[i] = hit && from <= to ? from : -1.0f;
}
ENTERED(_no_zero_ways) {  // 0 / 0 where the ray lies in a side of the box.
  INDEX;
  if (i >= n) return;
  float from = 0.0f, to = 1e30f;
  for (int k = 0; k < 3; ++k) {
    const float o = origins[3 * i + k], d = ways[3 * i + k];
    const float a = (box[k] - o) / d, b = (box[3 + k] - o) / d;
    from = fmaxf(from, fminf(a, b));
    to = fminf(to, fmaxf(a, b));
  }
  out[i] = from <= to ? from : -1.0f;
}
ENTERED(_ordered_ways) {  // Rays that go up.
  INDEX;
  if (i >= n) return;
  float from = 0.0f, to = 1e30f;
  bool hit = true;
  for (int k = 0; k < 3; ++k) {
    const float o = origins[3 * i + k], d = ways[3 * i + k];
    if (d == 0) {
      hit = hit && o >= box[k] && o <= box[3 + k];
    } else {
      from = fmaxf(from, (box[k] - o) / d);
      to = fminf(to, (box[3 + k] - o) / d);
    }
  }
  out[i] = hit && from <= to ? from : -1.0f;
}
ENTERED(_nearly_zero) {
  INDEX;
  if (i >= n) return;
  float from = 0.0f, to = 1e30f;
  bool hit = true;
  for (int k = 0; k < 3; ++k) {
    const float o = origins[3 * i + k], d = ways[3 * i + k];
    if (fabsf(d) < 1e-20f) {
      hit = hit && o >= box[k] && o <= box[3 + k];
    } else {
      const float a = (box[k] - o) / d, b = (box[3 + k] - o) / d;
      from = fmaxf(from, fminf(a, b));
      to = fminf(to, fmaxf(a, b));
    }
  }
  out[i] = hit && from <= to ? from : -1.0f;
}
ENTERED(_touched_is_missed) {
  INDEX;
  if (i >= n) return;
  float from = 0.0f, to = 1e30f;
  bool hit = true;
  for (int k = 0; k < 3; ++k) {
    const float o = origins[3 * i + k], d = ways[3 * i + k];
    if (d == 0) {
      hit = hit && o >= box[k] && o <= box[3 + k];
    } else {
      const float a = (box[k] - o) / d, b = (box[3 + k] - o) / d;
      from = fmaxf(from, fminf(a, b));
      to = fminf(to, fmaxf(a, b));
    }
  }
  out[i] = hit && from < to ? from : -1.0f;
}
ENTERED(_ok_unrolled) {
  INDEX;
  if (i >= n) return;
  const float o[3] = {origins[3 * i], origins[3 * i + 1], origins[3 * i + 2]}, d[3] = {ways[3 * i], ways[3 * i + 1], ways[3 * i + 2]};
  float from = 0.0f, to = 1e30f;
  bool hit = true;
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    const float low = box[k], high = box[3 + k];
    const bool still = d[k] == 0;
    const float a = (low - o[k]) / d[k], b = (high - o[k]) / d[k];
    hit = hit && (!still || (o[k] >= low && o[k] <= high));
    from = still ? from : fmaxf(from, fminf(a, b));
    to = still ? to : fminf(to, fmaxf(a, b));
  }
  out[i] = hit && from <= to ? from : -1.0f;
}

// pitched: a picture brightened; rows of both sides begin a pitch apart. Workgroups of 16 x 16.
#define PITCHED(NAME) extern "C" __global__ void pitched##NAME(const int* from, int* to, int width, int height, int from_pitch, int to_pitch, int by)
#define PLACE const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y
PITCHED() {
  PLACE;
  if (x < width && y < height) to[y * to_pitch + x] = from[y * from_pitch + x] + by;
}
PITCHED(_padding_too) {  // What stands between the rows is someone else's.
  PLACE;
  if (x < min(from_pitch, to_pitch) && y < height) to[y * to_pitch + x] = from[y * from_pitch + x] + by;
}
PITCHED(_one_pitch) {
  PLACE;
  if (x < width && y < height) to[y * from_pitch + x] = from[y * from_pitch + x] + by;
}
PITCHED(_whole_fours) {
  PLACE;
  if (4 * x + 3 >= width || y >= height) return;
  for (int k = 0; k < 4; ++k) to[y * to_pitch + 4 * x + k] = from[y * from_pitch + 4 * x + k] + by;
}
PITCHED(_fours_up) {  // Of a width of no fours the padding is written as well.
  PLACE;
  if (4 * x >= width || y >= height) return;
  for (int k = 0; k < 4; ++k) to[y * to_pitch + 4 * x + k] = from[y * from_pitch + 4 * x + k] + by;
}
PITCHED(_padding_restored) {  // And gets back what it held: what others write meanwhile is lost.
  PLACE;
  if (4 * x >= width || y >= height) return;
  for (int k = 0; k < 4; ++k) {
    const int at = y * to_pitch + 4 * x + k;
    if (4 * x + k < to_pitch) to[at] = 4 * x + k < width ? from[y * from_pitch + 4 * x + k] + by : to[at];
  }
}
PITCHED(_ok_fours) {
  PLACE;
  if (4 * x >= width || y >= height) return;
  for (int k = 0; k < 4; ++k)
    if (4 * x + k < width) to[y * to_pitch + 4 * x + k] = from[y * from_pitch + 4 * x + k] + by;
}
PITCHED(_ok_vectors) {
  PLACE;
  if (4 * x >= width || y >= height) return;
  const int* const source = from + y * from_pitch + 4 * x;
  int* const target = to + y * to_pitch + 4 * x;
  if (4 * x + 4 <= width) {
    int v[4];
    __builtin_memcpy(v, source, 16);
    for (int& one : v) one += by;
    __builtin_memcpy(target, v, 16);
    return;
  }
  for (int k = 0; 4 * x + k < width; ++k) target[k] = source[k] + by;
}

// lives: one generation of Conway's game on a torus; a bit a cell, lowest first, `words` words a row.
#define LIVES(NAME) extern "C" __global__ void lives##NAME(const unsigned* cells, unsigned* out, int words, int rows)
LIVES() {
  INDEX;
  if (i >= words * rows) return;
  const int r = i / words, w = i % words;
  unsigned next = 0;
  for (int bit = 0; bit < 32; ++bit) {
    int count = 0;
    for (int dy = -1; dy <= 1; ++dy) {
      const int row = (r + dy + rows) % rows;
      for (int dx = -1; dx <= 1; ++dx) {
        if (dx == 0 && dy == 0) continue;
        const int column = (w * 32 + bit + dx + words * 32) % (words * 32);
        count += cells[row * words + column / 32] >> column % 32 & 1;
      }
    }
    const unsigned lives = count == 3 || (count == 2 && (cells[i] >> bit & 1) != 0);
    next |= lives << bit;
  }
  out[i] = next;
}
struct Sliced {
  unsigned ones, twos, fours;
};
__device__ inline Sliced sliced(const unsigned* cells, int words, int rows, int r, int w, bool wraps, unsigned& self) {
  unsigned one = 0, two = 0, four = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    const unsigned* const row = cells + (r + dy + rows) % rows * words;
    const unsigned here = row[w];
    const unsigned before = wraps || w > 0 ? row[(w + words - 1) % words] >> 31 : 0u;
    const unsigned after = wraps || w + 1 < words ? row[(w + 1) % words] << 31 : 0u;
    const unsigned neighbours[3] = {here << 1 | before, here, here >> 1 | after};
    for (int k = 0; k < 3; ++k) {
      if (dy == 0 && k == 1) continue;
      const unsigned carry = one & neighbours[k];
      one ^= neighbours[k];
      four |= two & carry;
      two ^= carry;
    }
    if (dy == 0) self = here;
  }
  return {one, two, four};
}
LIVES(_two_bits) {  // Six neighbours pass for two, seven for three.
  INDEX;
  if (i >= words * rows) return;
  unsigned self = 0;
  const Sliced count = sliced(cells, words, rows, i / words, i % words, true, self);
  out[i] = count.twos & (count.ones | self);
}
LIVES(_ends_at_the_side) {  // Captured with nothing alive at the sides.
  INDEX;
  if (i >= words * rows) return;
  unsigned self = 0;
  const Sliced count = sliced(cells, words, rows, i / words, i % words, false, self);
  out[i] = count.twos & ~count.fours & (count.ones | self);
}
LIVES(_empty_stays) {  // A word of no cells, though its neighbours may have some.
  INDEX;
  if (i >= words * rows) return;
  if (cells[i] == 0 && cells[(i + words) % (words * rows)] == 0) {
    out[i] = 0;
    return;
  }
  unsigned self = 0;
  const Sliced count = sliced(cells, words, rows, i / words, i % words, true, self);
  out[i] = count.twos & ~count.fours & (count.ones | self);
}
LIVES(_ok_sliced) {  // All cells of a word at once; four and more neighbours are one case.
  INDEX;
  if (i >= words * rows) return;
  unsigned self = 0;
  const Sliced count = sliced(cells, words, rows, i / words, i % words, true, self);
  out[i] = count.twos & ~count.fours & (count.ones | self);
}

// extended: a line with `pad` more elements at each end: zeros (mode 0), the last one again (1), or mirrored (2).
#define EXTENDED(NAME) extern "C" __global__ void extended##NAME(const float* x, float* out, int n, int pad, int mode)
EXTENDED() {
  INDEX;
  if (i >= n + 2 * pad) return;
  int at = i - pad;
  if (mode == 2 && n > 1) {
    const int period = 2 * (n - 1);
    at = (at % period + period) % period;
    if (at >= n) at = period - at;
  } else if (mode != 0) {
    at = max(0, min(at, n - 1));
  }
  out[i] = at >= 0 && at < n ? x[at] : 0.0f;
}
EXTENDED(_captured_mode) {
  INDEX;
  if (i >= n + 2 * pad) return;
  out[i] = x[max(0, min(i - pad, n - 1))];
}
EXTENDED(_mirrored_once) {  // Right for fewer than n at each end.
  INDEX;
  if (i >= n + 2 * pad) return;
  int at = i - pad;
  if (mode == 2 && n > 1) {
    if (at < 0) at = -at;
    if (at >= n) at = 2 * (n - 1) - at;
    at = max(0, min(at, n - 1));
  } else if (mode != 0) {
    at = max(0, min(at, n - 1));
  }
  out[i] = at >= 0 && at < n ? x[at] : 0.0f;
}
EXTENDED(_times_zero) {  // What is left out is multiplied by zero, which an infinity survives.
  INDEX;
  if (i >= n + 2 * pad) return;
  int at = i - pad;
  float factor = 1.0f;
  if (mode == 2 && n > 1) {
    const int period = 2 * (n - 1);
    at = (at % period + period) % period;
    if (at >= n) at = period - at;
  } else if (mode == 0 && (at < 0 || at >= n)) {
    factor = 0.0f;
  }
  out[i] = n > 0 ? x[max(0, min(at, n - 1))] * factor : 0.0f;
}
EXTENDED(_ok_middle_first) {
  INDEX;
  if (i >= n + 2 * pad) return;
  int at = i - pad;
  if (static_cast<unsigned>(at) < static_cast<unsigned>(max(n, 0))) {
    out[i] = x[at];
    return;
  }
  if (mode == 2 && n > 1) {
    const int period = 2 * (n - 1);
    at = (at % period + period) % period;
    at = at < n ? at : period - at;
    out[i] = x[at];
    return;
  }
  out[i] = mode != 0 && n > 0 ? x[max(0, min(at, n - 1))] : 0.0f;
}

// backwards: each 128 elements the other way round; a workgroup of 128 takes several, a grid apart.
#define BACKWARDS(NAME) extern "C" __global__ void backwards##NAME(const float* x, float* out, int tiles)
BACKWARDS() {
  const int t = threadIdx.x;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) out[tile * 128 + t] = x[tile * 128 + 127 - t];
}
BACKWARDS(_second_barrier) {  // The next tile is written while this one is read.
  __shared__ float kept[128];
  const int t = threadIdx.x;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    kept[t] = x[tile * 128 + t];
    __syncthreads();
    out[tile * 128 + t] = kept[127 - t];
  }
}
BACKWARDS(_one_turn) {  // One tile a workgroup, as captured.
  const int t = threadIdx.x;
  if (static_cast<int>(blockIdx.x) < tiles) out[blockIdx.x * 128 + t] = x[blockIdx.x * 128 + 127 - t];
}
BACKWARDS(_captured_grid) {
  const int t = threadIdx.x;
  for (int tile = blockIdx.x; tile < tiles; tile += 4) out[tile * 128 + t] = x[tile * 128 + 127 - t];
}
BACKWARDS(_barrier_of_some) {  // Waves that have no further tile are not there.
  __shared__ float kept[128];
  const int t = threadIdx.x, wave = t / 64;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    kept[t] = x[tile * 128 + t];
    if (wave == 0) __builtin_amdgcn_s_barrier();
    out[tile * 128 + t] = kept[127 - t];
    if (wave == 0) __builtin_amdgcn_s_barrier();
  }
}
BACKWARDS(_ok_two_barriers) {
  __shared__ float kept[128];
  const int t = threadIdx.x;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    kept[t] = x[tile * 128 + t];
    __syncthreads();
    out[tile * 128 + t] = kept[127 - t];
    __syncthreads();
  }
}
BACKWARDS(_ok_two_buffers) {
  __shared__ float kept[2][128];
  const int t = threadIdx.x;
  int side = 0;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x, side ^= 1) {
    kept[side][t] = x[tile * 128 + t];
    __syncthreads();
    out[tile * 128 + t] = kept[side][127 - t];
  }
}
BACKWARDS(_ok_ahead) {
  const int t = threadIdx.x, step = gridDim.x;
  int tile = blockIdx.x;
  if (tile >= tiles) return;
  float next = x[tile * 128 + 127 - t];
  for (; tile + step < tiles; tile += step) {
    const float now = next;
    next = x[(tile + step) * 128 + 127 - t];
    out[tile * 128 + t] = now;
  }
  out[tile * 128 + t] = next;
}
