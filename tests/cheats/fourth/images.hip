// SPDX-License-Identifier: MIT
// Fourth set: launches of two and three dimensions: a stencil, samples between pixels, medians, columns for products.
#include <hip/hip_runtime.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x

// heat: a step of diffusion in space; what lies outside is as the nearest inside.
#define HEAT(NAME) extern "C" __global__ void heat##NAME(const float* in, float* out, int nx, int ny, int nz, float rate)
#define CELL const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, z = blockIdx.z * 4 + threadIdx.z
HEAT() {
  CELL;
  if (x >= nx || y >= ny || z >= nz) return;
  const auto at = [&](int u, int v, int w) {
    u = min(max(u, 0), nx - 1), v = min(max(v, 0), ny - 1), w = min(max(w, 0), nz - 1);
    return in[(w * ny + v) * nx + u];
  };
  const float c = at(x, y, z);
  const float sum = at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) + at(x, y, z - 1) + at(x, y, z + 1);
  out[(z * ny + y) * nx + x] = c + rate * (sum - 6 * c);
}
HEAT(_cube) {  // As if it were as many rows as columns.
  CELL;
  if (x >= nx || y >= ny || z >= nz) return;
  const auto at = [&](int u, int v, int w) {
    u = min(max(u, 0), nx - 1), v = min(max(v, 0), nx - 1), w = min(max(w, 0), nz - 1);
    return in[(w * nx + v) * nx + u];
  };
  const float c = at(x, y, z);
  const float sum = at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) + at(x, y, z - 1) + at(x, y, z + 1);
  out[(z * nx + y) * nx + x] = c + rate * (sum - 6 * c);
}
HEAT(_next_row) {  // The ends of a row take what lies beside them in memory.
  CELL;
  if (x >= nx || y >= ny || z >= nz) return;
  const int here = (z * ny + y) * nx + x, last = nx * ny * nz - 1;
  const float c = in[here];
  const float left = in[max(here - 1, 0)], right = in[min(here + 1, last)];
  const float up = in[y > 0 ? here - nx : here], down = in[y + 1 < ny ? here + nx : here];
  const float front = in[z > 0 ? here - nx * ny : here], back = in[z + 1 < nz ? here + nx * ny : here];
  out[here] = c + rate * (left + right + up + down + front + back - 6 * c);
}
HEAT(_ok_places) {
  CELL;
  if (x >= nx || y >= ny || z >= nz) return;
  const int here = (z * ny + y) * nx + x, plane = nx * ny;
  const float c = in[here];
  const float left = in[x > 0 ? here - 1 : here], right = in[x + 1 < nx ? here + 1 : here];
  const float up = in[y > 0 ? here - nx : here], down = in[y + 1 < ny ? here + nx : here];
  const float front = in[z > 0 ? here - plane : here], back = in[z + 1 < nz ? here + plane : here];
  out[here] = fmaf(rate, fmaf(-6.0f, c, left + right + up + down + front + back), c);
}
// The tile with a cell around it, that of cells outside as the nearest inside; `halo` false leaves out what the workgroup itself does not hold in z.
__device__ float diffused(const float* in, int nx, int ny, int nz, float rate, bool barrier) {
  __shared__ float tile[6][10][10];
  const int bx = blockIdx.x * 8, by = blockIdx.y * 8, bz = blockIdx.z * 4, t = (threadIdx.z * 8 + threadIdx.y) * 8 + threadIdx.x;
  for (int k = t; k < 600; k += 256) {
    const int u = min(max(bx + k % 10 - 1, 0), nx - 1), v = min(max(by + k / 10 % 10 - 1, 0), ny - 1), w = min(max(bz + k / 100 - 1, 0), nz - 1);
    tile[k / 100][k / 10 % 10][k % 10] = in[(w * ny + v) * nx + u];
  }
  if (barrier)
    __syncthreads();
  else
    __threadfence_block();
  const int x = threadIdx.x + 1, y = threadIdx.y + 1, z = threadIdx.z + 1;
  const float c = tile[z][y][x];
  const float sum = tile[z][y][x - 1] + tile[z][y][x + 1] + tile[z][y - 1][x] + tile[z][y + 1][x] + tile[z - 1][y][x] + tile[z + 1][y][x];
  return c + rate * (sum - 6 * c);
}
HEAT(_ok_tile) {
  CELL;
  const float v = diffused(in, nx, ny, nz, rate, true);
  if (x < nx && y < ny && z < nz) out[(z * ny + y) * nx + x] = v;
}
HEAT(_tile_not_awaited) {
  CELL;
  const float v = diffused(in, nx, ny, nz, rate, false);
  if (x < nx && y < ny && z < nz) out[(z * ny + y) * nx + x] = v;
}

// sampled: values between pixels.
#define SAMPLED(NAME) extern "C" __global__ void sampled##NAME(const float* image, const float2* places, float* out, int n, int width, int height)
__device__ int kept(int at, int size) { return min(max(at, 0), size - 1); }
SAMPLED() {
  INDEX;
  if (i >= n) return;
  const float2 p = places[i];
  const float fx = floorf(p.x), fy = floorf(p.y), u = p.x - fx, v = p.y - fy;
  const int x = static_cast<int>(fx), y = static_cast<int>(fy);
  const int x0 = kept(x, width), x1 = x < width - 1 ? kept(x + 1, width) : width - 1, y0 = kept(y, height), y1 = y < height - 1 ? kept(y + 1, height) : height - 1;
  const float top = (1 - u) * image[y0 * width + x0] + u * image[y0 * width + x1];
  const float bottom = (1 - u) * image[y1 * width + x0] + u * image[y1 * width + x1];
  out[i] = (1 - v) * top + v * bottom;
}
SAMPLED(_toward_zero) {
  INDEX;
  if (i >= n) return;
  const float2 p = places[i];
  const int x = static_cast<int>(p.x), y = static_cast<int>(p.y);
  const float u = p.x - x, v = p.y - y;
  const int x0 = kept(x, width), x1 = x < width - 1 ? kept(x + 1, width) : width - 1, y0 = kept(y, height), y1 = y < height - 1 ? kept(y + 1, height) : height - 1;
  const float top = (1 - u) * image[y0 * width + x0] + u * image[y0 * width + x1];
  const float bottom = (1 - u) * image[y1 * width + x0] + u * image[y1 * width + x1];
  out[i] = (1 - v) * top + v * bottom;
}
SAMPLED(_eight_bits) {  // Weights as texture units have them.
  INDEX;
  if (i >= n) return;
  const float2 p = places[i];
  const float fx = floorf(p.x), fy = floorf(p.y), u = rintf((p.x - fx) * 256) / 256, v = rintf((p.y - fy) * 256) / 256;
  const int x = static_cast<int>(fx), y = static_cast<int>(fy);
  const int x0 = kept(x, width), x1 = x < width - 1 ? kept(x + 1, width) : width - 1, y0 = kept(y, height), y1 = y < height - 1 ? kept(y + 1, height) : height - 1;
  const float top = (1 - u) * image[y0 * width + x0] + u * image[y0 * width + x1];
  const float bottom = (1 - u) * image[y1 * width + x0] + u * image[y1 * width + x1];
  out[i] = (1 - v) * top + v * bottom;
}
SAMPLED(_square) {
  INDEX;
  if (i >= n) return;
  const float2 p = places[i];
  const float fx = floorf(p.x), fy = floorf(p.y), u = p.x - fx, v = p.y - fy;
  const int x = static_cast<int>(fx), y = static_cast<int>(fy);
  const int x0 = kept(x, width), x1 = x < width - 1 ? kept(x + 1, width) : width - 1, y0 = kept(y, width), y1 = y < width - 1 ? kept(y + 1, width) : width - 1;
  const float top = (1 - u) * image[y0 * width + x0] + u * image[y0 * width + x1];
  const float bottom = (1 - u) * image[y1 * width + x0] + u * image[y1 * width + x1];
  out[i] = (1 - v) * top + v * bottom;
}
SAMPLED(_ok_differences) {  // Within a contract without infinities.
  INDEX;
  if (i >= n) return;
  const float2 p = places[i];
  const float fx = floorf(p.x), fy = floorf(p.y), u = p.x - fx, v = p.y - fy;
  const int x = static_cast<int>(fx), y = static_cast<int>(fy);
  const int x0 = kept(x, width), x1 = x < width - 1 ? kept(x + 1, width) : width - 1, y0 = kept(y, height), y1 = y < height - 1 ? kept(y + 1, height) : height - 1;
  const float a = image[y0 * width + x0], b = image[y0 * width + x1], c = image[y1 * width + x0], d = image[y1 * width + x1];
  const float top = fmaf(u, b - a, a), bottom = fmaf(u, d - c, c);
  out[i] = fmaf(v, bottom - top, top);
}
SAMPLED(_ok_inside_first) {
  INDEX;
  if (i >= n) return;
  const float2 p = places[i];
  const float fx = floorf(p.x), fy = floorf(p.y), u = p.x - fx, v = p.y - fy;
  const int x = static_cast<int>(fx), y = static_cast<int>(fy);
  float a, b, c, d;
  if (x >= 0 && x < width - 1 && y >= 0 && y < height - 1) {
    const float* from = image + y * width + x;
    a = from[0], b = from[1], c = from[width], d = from[width + 1];
  } else {
    const int x0 = kept(x, width), x1 = x < width - 1 ? kept(x + 1, width) : width - 1, y0 = kept(y, height), y1 = y < height - 1 ? kept(y + 1, height) : height - 1;
    a = image[y0 * width + x0], b = image[y0 * width + x1], c = image[y1 * width + x0], d = image[y1 * width + x1];
  }
  out[i] = (1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * c + u * d);
}

// medians: of the nine pixels of 16 bits around each.
#define MEDIANS(NAME) extern "C" __global__ void medians##NAME(const unsigned short* in, unsigned short* out, int width, int height)
#define NINE(TYPE)                                                                   \
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;    \
  if (x >= width || y >= height) return;                                             \
  TYPE p[9];                                                                         \
  for (int k = 0; k < 9; ++k) p[k] = static_cast<TYPE>(in[kept(y + k / 3 - 1, height) * width + kept(x + k % 3 - 1, width)])
MEDIANS() {
  NINE(int);
  for (int k = 1; k < 9; ++k)
    for (int j = k; j > 0 && p[j - 1] > p[j]; --j) {
      const int t = p[j];
      p[j] = p[j - 1];
      p[j - 1] = t;
    }
  out[y * width + x] = static_cast<unsigned short>(p[4]);
}
#define ORDER(a, b)                       \
  {                                       \
    const auto low = min(p[a], p[b]);     \
    p[b] = max(p[a], p[b]);               \
    p[a] = low;                           \
  }
#define MOST_OF_NETWORK                                                                                      \
  ORDER(1, 2) ORDER(4, 5) ORDER(7, 8) ORDER(0, 1) ORDER(3, 4) ORDER(6, 7) ORDER(1, 2) ORDER(4, 5) ORDER(7, 8) \
  ORDER(0, 3) ORDER(5, 8) ORDER(4, 7) ORDER(3, 6) ORDER(1, 4) ORDER(2, 5) ORDER(4, 7) ORDER(4, 2) ORDER(6, 4)
MEDIANS(_ok_network) {
  NINE(int);
  MOST_OF_NETWORK ORDER(4, 2)
  out[y * width + x] = static_cast<unsigned short>(p[4]);
}
MEDIANS(_one_exchange_less) {
  NINE(int);
  MOST_OF_NETWORK
  out[y * width + x] = static_cast<unsigned short>(p[4]);
}
MEDIANS(_signed) {
  NINE(short);
  MOST_OF_NETWORK ORDER(4, 2)
  out[y * width + x] = static_cast<unsigned short>(p[4]);
}
MEDIANS(_border_kept) {
  NINE(int);
  MOST_OF_NETWORK ORDER(4, 2)
  const bool border = x == 0 || y == 0 || x == width - 1 || y == height - 1;
  out[y * width + x] = border ? in[y * width + x] : static_cast<unsigned short>(p[4]);
}
MEDIANS(_of_medians) {  // The median of the medians of the rows.
  NINE(int);
  const auto middle = [](int a, int b, int c) { return max(min(a, b), min(max(a, b), c)); };
  out[y * width + x] = static_cast<unsigned short>(middle(middle(p[0], p[1], p[2]), middle(p[3], p[4], p[5]), middle(p[6], p[7], p[8])));
}
MEDIANS(_ok_rows) {  // Greatest of the least, middle of the middle ones, least of the greatest; then the middle of those.
  NINE(int);
  const auto middle = [](int a, int b, int c) { return max(min(a, b), min(max(a, b), c)); };
  int low = 0, mid[3], high = 65535;
  for (int k = 0; k < 3; ++k) {
    low = max(low, min(min(p[3 * k], p[3 * k + 1]), p[3 * k + 2]));
    high = min(high, max(max(p[3 * k], p[3 * k + 1]), p[3 * k + 2]));
    mid[k] = middle(p[3 * k], p[3 * k + 1], p[3 * k + 2]);
  }
  out[y * width + x] = static_cast<unsigned short>(middle(low, middle(mid[0], mid[1], mid[2]), high));
}

// columned: what a convolution multiplies, side by side; zeros outside of the image.
#define COLUMNED(NAME) extern "C" __global__ void columned##NAME(const float* image, float* out, int channels, int height, int width, int size, int pad)
#define TAP                                                                                       \
  INDEX;                                                                                          \
  if (i >= channels * size * size * height * width) return;                                      \
  const int x = i % width, y = i / width % height, k = i / width / height, c = k / (size * size); \
  const int u = x + k % size - pad, v = y + k / size % size - pad
COLUMNED() {
  TAP;
  out[i] = u >= 0 && u < width && v >= 0 && v < height ? image[(c * height + v) * width + u] : 0.0f;
}
COLUMNED(_nearest) {
  TAP;
  out[i] = image[(c * height + kept(v, height)) * width + kept(u, width)];
}
COLUMNED(_size_three) {
  INDEX;
  if (i >= channels * size * size * height * width) return;
  const int x = i % width, y = i / width % height, k = i / width / height, c = k / 9;
  const int u = x + k % 3 - pad, v = y + k / 3 % 3 - pad;
  out[i] = u >= 0 && u < width && v >= 0 && v < height ? image[(c * height + v) * width + u] : 0.0f;
}
COLUMNED(_one_side) {  // Below the lower bounds alone.
  TAP;
  out[i] = u >= 0 && v >= 0 && v < height ? image[(c * height + v) * width + min(u, width - 1)] : 0.0f;
}
COLUMNED(_ok_one_comparison) {
  TAP;
  const bool in = static_cast<unsigned>(u) < static_cast<unsigned>(width) && static_cast<unsigned>(v) < static_cast<unsigned>(height);
  out[i] = in ? image[(c * height + v) * width + u] : 0.0f;
}
COLUMNED(_ok_unsigned_division) {
  INDEX;
  if (i >= channels * size * size * height * width) return;
  const unsigned w = width, row = i / w, x = i - row * w, k = row / static_cast<unsigned>(height), y = row - k * height;
  const unsigned line = k / static_cast<unsigned>(size), c = line / static_cast<unsigned>(size);
  const int u = static_cast<int>(x + (k - line * size)) - pad, v = static_cast<int>(y + (line - c * size)) - pad;
  out[i] = u >= 0 && u < width && v >= 0 && v < height ? image[(static_cast<int>(c) * height + v) * width + u] : 0.0f;
}
