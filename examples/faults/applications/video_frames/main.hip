// SPDX-License-Identifier: MIT
// fault: nothing-of-note
// Frames through two buffers: while one is worked on, the next arrives and the last one leaves. Nothing is to be repaired.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>

struct Slot {
  hipStream_t stream;
  hipEvent_t free;
  unsigned char *pinned_in, *pinned_out, *in, *out;
};

static void require(hipError_t e) {
  if (e != hipSuccess) { std::puts(hipGetErrorString(e)); std::exit(1); }
}

__global__ void grade(const uchar4* in, uchar4* out, int pixels, float gain) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  const uchar4 p = in[i];
  float r = p.x, g = p.y, b = p.z;
  for (int k = 0; k < 160; ++k) {
    const float l = 0.3f * r + 0.6f * g + 0.1f * b;
    r += (l - r) * gain;
    g += (l - g) * gain;
    b += (l - b) * gain;
  }
  out[i] = make_uchar4(r, g, b, p.w);
}

int main() {
  constexpr int kPixels = 1280 * 360, kFrames = 16;
  Slot slots[3];
  for (Slot& s : slots) {
    require(hipStreamCreateWithFlags(&s.stream, hipStreamNonBlocking));
    require(hipEventCreateWithFlags(&s.free, hipEventDisableTiming));
    require(hipHostMalloc((void**)&s.pinned_in, kPixels * 4));
    require(hipHostMalloc((void**)&s.pinned_out, kPixels * 4));
    require(hipMalloc((void**)&s.in, kPixels * 4));
    require(hipMalloc((void**)&s.out, kPixels * 4));
  }
  for (int f = 0; f < kFrames; ++f) {
    Slot& s = slots[f % 3];
    if (f >= 3) require(hipEventSynchronize(s.free));
    for (int i = 0; i < kPixels * 4; i += 4096) s.pinned_in[i] = (unsigned char)(f + i / 4096);
    require(hipMemcpyAsync(s.in, s.pinned_in, kPixels * 4, hipMemcpyHostToDevice, s.stream));
    grade<<<kPixels / 256, 256, 0, s.stream>>>((uchar4*)s.in, (uchar4*)s.out, kPixels, 0.01f);
    require(hipMemcpyAsync(s.pinned_out, s.out, kPixels * 4, hipMemcpyDeviceToHost, s.stream));
    require(hipEventRecord(s.free, s.stream));
  }
  require(hipDeviceSynchronize());
  std::printf("%d\n", slots[0].pinned_out[0]);
}
