// SPDX-License-Identifier: MIT
// Reads and writes LDS behind what its workgroups have.
#include "check.h"

__global__ void beyond(int* out, int far) {
  extern __shared__ int shared[];
  const int lane = static_cast<int>(threadIdx.x);
  shared[lane] = lane + 1;
  __syncthreads();
  if (lane >= 32) shared[lane + far] = 7;
  __syncthreads();
  out[lane] = shared[lane < 32 ? lane : lane + far];
}

int main() {
  int* out;
  int host[64];
  CHECK(hipMalloc(reinterpret_cast<void**>(&out), sizeof(host)));
  beyond<<<1, 64, sizeof(host)>>>(out, 100000);
  CHECK(hipMemcpy(host, out, sizeof(host), hipMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) EXPECT(host[i] == (i < 32 ? i + 1 : 0));
  return passed();
}
