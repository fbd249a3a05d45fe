// SPDX-License-Identifier: MIT
// Median of 5 x 5 pixels of a byte: an insertion sort over an array that is indexed at run time, or a network of minima and maxima.
// fault: register-spills
// launch: --grid 512,256 --workgroup 32,8 --arg u8:random(4):135200 --arg u8:zero:131072
#include <hip/hip_runtime.h>
#define W 512
#define PITCH 520
typedef unsigned char pixel;
extern "C" __global__ void slow(const pixel* in, pixel* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int window[25];
  int n = 0;
#pragma unroll 1
  for (int dy = 0; dy < 5; dy++)
#pragma unroll 1
    for (int dx = 0; dx < 5; dx++) {
      int v = in[(y + dy) * PITCH + x + dx];
      int k = n++;
      while (k > 0 && window[k - 1] > v) { // fault
        window[k] = window[k - 1]; // fault
        k--;
      }
      window[k] = v; // fault
    }
  out[y * W + x] = (pixel)window[12]; // fault
}
extern "C" __global__ void fast(const pixel* in, pixel* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int w[25];
#pragma unroll
  for (int k = 0; k < 25; k++) w[k] = in[(y + k / 5) * PITCH + x + k % 5];
#pragma unroll
  for (int p = 0; p < 13; p++)
#pragma unroll
    for (int k = 0; k < 24 - p; k++) {
      int a = min(w[k], w[k + 1]), b = max(w[k], w[k + 1]);
      w[k] = a;
      w[k + 1] = b;
    }
  out[y * W + x] = (pixel)w[12];
}
