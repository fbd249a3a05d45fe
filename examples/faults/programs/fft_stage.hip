// SPDX-License-Identifier: MIT
// FFT of 256 points in LDS with bit-reversed columns of 32: complex numbers as pairs a power of two apart, or padded.
// fault: lds-bank-conflicts
// launch: --grid 262144 --workgroup 128 --arg f32:random(1):524288 --arg f32:zero:1048576
#include <hip/hip_runtime.h>
template <int PAD> __device__ inline int slot(int k) { return k + PAD * (k >> 4); }
template <int PAD> __device__ void fft(const float2* in, float2* out) {
  __shared__ float re[256 + PAD * 16], im[256 + PAD * 16];
  const int t = threadIdx.x;
  for (int k = t; k < 256; k += 128) {
    const float2 v = in[(blockIdx.x & 1023) * 256 + k];
    const int r = (k & 15) * 16 + (k >> 4);
    re[slot<PAD>(r)] = v.x; // fault
    im[slot<PAD>(r)] = v.y; // fault
  }
  __syncthreads();
  for (int rep = 0; rep < 48; ++rep) {
    const int a = (t & 15) * 16 + ((t >> 4) & 7), b = a + 8; 
    const float ar = re[slot<PAD>(a)], ai = im[slot<PAD>(a)], br = re[slot<PAD>(b)], bi = im[slot<PAD>(b)]; // fault
    re[slot<PAD>(a)] = ar + br; // fault
    im[slot<PAD>(a)] = ai + bi; // fault
    re[slot<PAD>(b)] = (ar - br) * 0.9f; // fault
    im[slot<PAD>(b)] = (ai - bi) * 0.9f; // fault
  }
  __syncthreads();
  for (int k = t; k < 256; k += 128) out[blockIdx.x * 256 + k] = make_float2(re[slot<PAD>(k)], im[slot<PAD>(k)]);
}
extern "C" __global__ void slow(const float2* in, float2* out) { fft<0>(in, out); }
extern "C" __global__ void fast(const float2* in, float2* out) { fft<1>(in, out); }
