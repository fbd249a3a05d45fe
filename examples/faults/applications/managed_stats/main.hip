// SPDX-License-Identifier: MIT
// fault: page-migration
// A table in managed memory that host and device use in turns; the fast one has it on the device and copies the sum alone.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHK(e) if ((e) != hipSuccess) exit(fprintf(stderr, "%d\n", __LINE__))

__global__ void relax(float* table, int rows, int columns) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = blockIdx.y; r < rows; r += gridDim.y) {
    float v = table[r * columns + c];
    for (int k = 0; k < 8; k++) v = 0.5f * v + 1.0f;
    table[r * columns + c] = v;  // fault
  }
}

int main(int argc, char* argv[]) {
  const int rows = 512, columns = 1024, bytes = rows * columns * sizeof(float);
  int fast = argc > 1 && !strcmp(argv[1], "fast");
  float* table;
  if (fast) {
    CHK(hipMalloc((void**)&table, bytes));
    CHK(hipMemset(table, 0, bytes));
  } else {
    CHK(hipMallocManaged((void**)&table, bytes, hipMemAttachGlobal));  // fault
    memset(table, 0, bytes);
  }
  float watch = 0;
  for (int sweep = 0; sweep < 10; sweep++) {
    relax<<<dim3(columns / 256, 128), 256>>>(table, rows, columns);  // fault
    if (sweep % 5 == 4) {
      CHK(hipDeviceSynchronize());
      if (!fast) watch += table[sweep];
    }
  }
  CHK(hipDeviceSynchronize());
  printf("%f\n", watch);
}
