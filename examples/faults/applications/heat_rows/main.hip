// SPDX-License-Identifier: MIT
// fault: launch-bound
// An explicit time-stepping scheme on a short rod, a kernel for each term; the fast one does a step in one kernel.
#include <hip/hip_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 6000
#define STEPS 60

static void die(hipError_t e, int line) {
  if (e == hipSuccess) return;
  fprintf(stderr, "line %d: %s\n", line, hipGetErrorString(e));
  exit(1);
}
#define OK(x) die((x), __LINE__)

__global__ void flux(const double* u, double* f) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < N - 1) f[i] = 0.25 * (u[i + 1] - u[i]);
}
__global__ void advance(const double* u, const double* f, double* v) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i > 0 && i < N - 1) v[i] = u[i] + f[i] - f[i - 1];
}
__global__ void source(double* v, double t) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < N) v[i] += t * 1e-3;
}
__global__ void edges(double* v) {
  if (threadIdx.x == 0) v[0] = v[1];
  if (threadIdx.x == 1) v[N - 1] = v[N - 2];
}
__global__ void step(const double* u, double* v, double t) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= N) return;
  int j = i == 0 ? 1 : i == N - 1 ? N - 2 : i;
  v[i] = u[j] + 0.25 * (u[j + 1] - u[j]) - 0.25 * (u[j] - u[j - 1]) + t * 1e-3;
}

int main(int argc, char** argv) {
  int fast = argc > 1 && !strcmp(argv[1], "fast");
  double *u, *v, *f;
  OK(hipMalloc((void**)&u, N * sizeof(double)));
  OK(hipMalloc((void**)&v, N * sizeof(double)));
  OK(hipMalloc((void**)&f, N * sizeof(double)));
  double* start = (double*)malloc(N * sizeof(double));
  for (int i = 0; i < N; i++) start[i] = i % 50;
  OK(hipMemcpy(u, start, N * sizeof(double), hipMemcpyHostToDevice));
  OK(hipMemset(v, 0, N * sizeof(double)));
  const int blocks = (N + 127) / 128;
  for (int s = 0; s < STEPS; s++) {
    double t = s * 0.1;
    if (fast) {
      step<<<blocks, 128>>>(u, v, t);
    } else {
      flux<<<blocks, 128>>>(u, f);  // fault
      advance<<<blocks, 128>>>(u, f, v);  // fault
      source<<<blocks, 128>>>(v, t);  // fault
      edges<<<1, 64>>>(v);  // fault
    }
    double* w = u;
    u = v;
    v = w;
  }
  OK(hipMemcpy(start, u, N * sizeof(double), hipMemcpyDeviceToHost));
  printf("%g\n", start[N / 2]);
  return 0;
}
