// SPDX-License-Identifier: MIT
// fault: nothing-of-note
// Bodies that attract each other, by tiles in LDS; the energy is looked at every eighth step. Nothing is to be repaired.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define T(x) if (hipError_t r = (x)) { std::fprintf(stderr, "%s\n", hipGetErrorString(r)); std::exit(1); }

constexpr int kBodies = 131072, kTile = 256;

__global__ __launch_bounds__(kTile) void accelerate(const float4* __restrict__ at, float4* __restrict__ next, float4* __restrict__ speed, int part) {
  __shared__ float4 tile[kTile];
  const int i = blockIdx.x * kTile + threadIdx.x;
  const float4 me = at[i];
  float ax = 0, ay = 0, az = 0;
  for (int t = 0; t < part; t += kTile) {
    tile[threadIdx.x] = at[t + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < kTile; ++k) {
      const float4 o = tile[k];
      const float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
      const float inverse = __frsqrt_rn(dx * dx + dy * dy + dz * dz + 1e-3f), f = o.w * inverse * inverse * inverse;
      ax += dx * f;
      ay += dy * f;
      az += dz * f;
    }
    __syncthreads();
  }
  float4 v = speed[i];
  v = make_float4(v.x + ax * 0.01f, v.y + ay * 0.01f, v.z + az * 0.01f, 0);
  speed[i] = v;
  next[i] = make_float4(me.x + v.x * 0.01f, me.y + v.y * 0.01f, me.z + v.z * 0.01f, me.w);
}

int main() {
  std::vector<float4> start(kBodies);
  for (int i = 0; i < kBodies; ++i) start[i] = make_float4(i % 32, i / 32 % 32, i / 1024, 1);
  float4 *a, *b, *v;
  T(hipMalloc((void**)&a, sizeof(float4) * kBodies));
  T(hipMalloc((void**)&b, sizeof(float4) * kBodies));
  T(hipMalloc((void**)&v, sizeof(float4) * kBodies));
  T(hipMemcpy(a, start.data(), sizeof(float4) * kBodies, hipMemcpyHostToDevice));
  T(hipMemset(v, 0, sizeof(float4) * kBodies));
  float4 probe[16];
  for (int step = 0; step < 8; ++step) {
    accelerate<<<kBodies / kTile, kTile>>>(a, b, v, 512);
    std::swap(a, b);
    if (step % 8 == 7) T(hipMemcpy(probe, a, sizeof probe, hipMemcpyDeviceToHost));
  }
  T(hipDeviceSynchronize());
  std::printf("%g\n", probe[3].x);
}
