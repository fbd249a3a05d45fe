// SPDX-License-Identifier: MIT
// fault: copies-not-overlapped
// Volumes in pinned memory are copied, filtered and measured one after the other; the fast one has three streams.
#include <hip/hip_runtime.h>

#include <cstdlib>
#include <cstring>
#include <iostream>

static void good(hipError_t e) { if (e) { std::cerr << hipGetErrorString(e); std::exit(1); } }

__global__ void smooth(const float* in, float* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  float before = 0, here = in[y * nx + x];
  for (int z = 0; z < nz; ++z) {
    const float after = z + 1 < nz ? in[((z + 1) * ny + y) * nx + x] : 0;
    float v = 0.5f * here + 0.25f * (before + after);
    for (int k = 0; k < 24; ++k) v = v * 0.98f + 0.01f;
    out[(z * ny + y) * nx + x] = v;
    before = here;
    here = after;
  }
}

int main(int argc, char** argv) {
  const int nx = 256, ny = 256, nz = 8, cells = nx * ny * nz, volumes = 9;
  const bool fast = argc > 1 && !std::strcmp(argv[1], "fast");
  const int lanes = fast ? 3 : 1;
  float* store;
  good(hipHostMalloc((void**)&store, sizeof(float) * cells * volumes, 0));
  for (int i = 0; i < cells * volumes; i += 13) store[i] = i % 31;
  float *in[3], *out[3];
  hipStream_t stream[3];
  for (int l = 0; l < lanes; ++l) {
    good(hipMalloc((void**)&in[l], sizeof(float) * cells));
    good(hipMalloc((void**)&out[l], sizeof(float) * cells));
    good(hipStreamCreate(&stream[l]));
  }
  const dim3 grid(nx / 64, ny / 4), block(64, 4);
  for (int v = 0; v < volumes; ++v) {
    const int l = v % lanes;
    if (fast) {
      good(hipMemcpyAsync(in[l], store + v * cells, sizeof(float) * cells, hipMemcpyHostToDevice, stream[l]));
      smooth<<<grid, block, 0, stream[l]>>>(in[l], out[l], nx, ny, nz);
      good(hipMemcpyAsync(store + v * cells, out[l], sizeof(float) * cells, hipMemcpyDeviceToHost, stream[l]));
    } else {
      good(hipMemcpy(in[l], store + v * cells, sizeof(float) * cells, hipMemcpyHostToDevice));  // fault
      smooth<<<grid, block>>>(in[l], out[l], nx, ny, nz);
      good(hipMemcpy(store + v * cells, out[l], sizeof(float) * cells, hipMemcpyDeviceToHost));  // fault
    }
  }
  good(hipDeviceSynchronize());
  std::cout << store[cells] << "\n";
}
