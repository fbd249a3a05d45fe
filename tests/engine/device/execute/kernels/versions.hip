// SPDX-License-Identifier: MIT
// What code object versions differ in: where a kernel finds the sizes of its workgroup and grid (the dispatch packet in version 4, hidden
// arguments from 5 on), and the metadata that name them. Without device libraries, of which Debian's end at version 5.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))

extern "C" __global__ void versions(const int* in, int* out, int n) {
  extern __shared__ int turned[];
  const int size = __builtin_amdgcn_workgroup_size_x(), thread = __builtin_amdgcn_workitem_id_x();
  const int group = __builtin_amdgcn_workgroup_id_x();
  const int groups = __builtin_amdgcn_grid_size_x() / size;
  for (int first = group * size; first < n; first += groups * size) {
    turned[size - 1 - thread] = first + thread < n ? in[first + thread] : 0;
    __builtin_amdgcn_s_barrier();
    if (first + thread < n) out[first + thread] = turned[thread] + size * 1000;
    __builtin_amdgcn_s_barrier();
  }
}
