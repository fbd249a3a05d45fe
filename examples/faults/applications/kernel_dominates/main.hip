// SPDX-License-Identifier: MIT
// fault: contended-atomics
// Scores of records: each lane of the long kernel counts in one of four places; the fast one counts once a workgroup. Copies and waits around it are small.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

static void ok(hipError_t e) { if (e != hipSuccess) { std::puts(hipGetErrorString(e)); std::exit(1); } }

constexpr int kRecords = 1 << 17, kFields = 16;

__global__ void score_each(const float* table, float* score, unsigned* passed) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int f = 0; f < kFields; ++f) s += table[f * kRecords + r] * (f + 1);
  score[r] = s;
  if (s < 1) atomicAdd(passed + (r & 3), 1u);  // fault
}
__global__ void score_together(const float* table, float* score, unsigned* passed) {
  __shared__ unsigned sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int f = 0; f < kFields; ++f) s += table[f * kRecords + r] * (f + 1);
  score[r] = s;
  const auto votes = __ballot(s < 1);
  if (threadIdx.x % 64 == 0) atomicAdd(&sum, (unsigned)__popcll(votes));
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(passed, sum);
}
__global__ void clip(float* score, float limit) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  score[r] = fminf(score[r], limit);
}

int main(int argc, char** argv) {
  const bool fast = argc > 1 && !std::strcmp(argv[1], "fast");
  float *t, *s, best[4];
  ok(hipMalloc((void**)&t, sizeof(float) * kRecords * kFields));
  ok(hipMalloc((void**)&s, kRecords * sizeof(float)));
  unsigned* passed;
  ok(hipMalloc((void**)&passed, 4 * sizeof(unsigned)));
  ok(hipMemset(passed, 0, 4 * sizeof(unsigned)));
  ok(hipMemset(t, 0, sizeof(float) * kRecords * kFields));
  for (int round = 0; round < 10; ++round) {
    if (fast) score_together<<<kRecords / 256, 256>>>(t, s, passed);
    else score_each<<<kRecords / 256, 256>>>(t, s, passed);
    clip<<<kRecords / 256, 256>>>(s, 100.0f + round);
    if (round % 5 == 4) ok(hipMemcpy(best, s, sizeof best, hipMemcpyDeviceToHost));
  }
  ok(hipDeviceSynchronize());
  std::printf("%g\n", best[0]);
}
