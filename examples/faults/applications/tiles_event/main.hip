// SPDX-License-Identifier: MIT
// fault: stream-serialization
// Tiles of a picture in four streams, each of which waits for an event of the tile before, though tiles do not depend on each other; the fast one has no events.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define hipCheck(...)                                                        \
  do {                                                                       \
    hipError_t status__ = (__VA_ARGS__);                                     \
    if (status__ != hipSuccess) {                                            \
      std::fprintf(stderr, "%s failed: %d\n", #__VA_ARGS__, (int)status__);  \
      std::exit(EXIT_FAILURE);                                               \
    }                                                                        \
  } while (0)

enum { kSide = 128, kTiles = 32, kStreams = 4 };

__global__ void julia(float* tile, float cx, float cy) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float zx = x * (2.0f / kSide) - 1, zy = y * (2.0f / kSide) - 1;
  for (int k = 0; k < 400; ++k) {
    const float t = zx * zx - zy * zy + cx;
    zy = 2 * zx * zy + cy;
    zx = fminf(fmaxf(t, -2.0f), 2.0f);
    zy = fminf(fmaxf(zy, -2.0f), 2.0f);
  }
  tile[y * kSide + x] = zx;
}

int main(int argc, char** argv) {
  const bool events = !(argc > 1 && std::strcmp(argv[1], "fast") == 0);
  hipStream_t streams[kStreams];
  hipEvent_t done[kTiles];
  float* tiles;
  hipCheck(hipMalloc((void**)&tiles, sizeof(float) * kSide * kSide * kTiles));
  for (auto& s : streams) hipCheck(hipStreamCreateWithFlags(&s, hipStreamNonBlocking));
  for (auto& e : done) hipCheck(hipEventCreateWithFlags(&e, hipEventDisableTiming));
  for (int t = 0; t < kTiles; ++t) {
    hipStream_t stream = streams[t % kStreams];
    if (events && t > 0) hipCheck(hipStreamWaitEvent(stream, done[t - 1], 0));  // fault
    hipLaunchKernelGGL(julia, dim3(kSide / 16, kSide / 16), dim3(16, 16), 0, stream, tiles + t * kSide * kSide, -0.4f, 0.6f + t * 1e-3f);
    if (events) hipCheck(hipEventRecord(done[t], stream));
  }
  float corner = 0;
  hipCheck(hipDeviceSynchronize());
  hipCheck(hipMemcpy(&corner, tiles, sizeof corner, hipMemcpyDeviceToHost));
  std::printf("%f\n", corner);
  return 0;
}
