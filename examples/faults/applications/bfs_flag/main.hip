// SPDX-License-Identifier: MIT
// fault: host-sync-bound
// Breadth-first search whose host reads a flag after each level; the fast one looks at it after every sixth.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define REQUIRE(call) \
  if (const auto status = (call); status != hipSuccess) { std::fprintf(stderr, "%s\n", hipGetErrorString(status)); std::exit(1); }

struct Csr {
  int *rows, *columns;
  int count;
};

__global__ void expand(Csr g, int* level, int depth, int* changed) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= g.count || level[v] != depth) return;
  for (int e = g.rows[v]; e < g.rows[v + 1]; ++e) {
    const int to = g.columns[e];
    if (level[to] < 0) {
      level[to] = depth + 1;
      *changed = 1;
    }
  }
}

int main(int argc, char** argv) {
  const int every = argc > 1 && std::string(argv[1]) == "fast" ? 6 : 1;
  const int n = 1 << 16, reach = 1500;
  std::vector<int> rows(n + 1), columns(4 * n), start(n, -1);
  for (int v = 0; v <= n; ++v) rows[v] = 4 * v;
  for (int v = 0; v < n; ++v)
    for (int k = 0; k < 4; ++k) columns[4 * v + k] = (v + 1 + (k * 7919 + v * 31) % reach) % n;
  start[0] = 0;
  Csr g{nullptr, nullptr, n};
  int *level, *changed, again = 1;
  REQUIRE(hipMalloc((void**)&g.rows, rows.size() * sizeof(int)));
  REQUIRE(hipMalloc((void**)&g.columns, columns.size() * sizeof(int)));
  REQUIRE(hipMalloc((void**)&level, n * sizeof(int)));
  REQUIRE(hipMalloc((void**)&changed, sizeof(int)));
  REQUIRE(hipMemcpy(g.rows, rows.data(), rows.size() * sizeof(int), hipMemcpyHostToDevice));
  REQUIRE(hipMemcpy(g.columns, columns.data(), columns.size() * sizeof(int), hipMemcpyHostToDevice));
  REQUIRE(hipMemcpy(level, start.data(), n * sizeof(int), hipMemcpyHostToDevice));
  int depth = 0;
  for (; again && depth < 60; ++depth) {
    if (depth % every == 0) REQUIRE(hipMemsetAsync(changed, 0, sizeof(int), nullptr));
    expand<<<(n + 255) / 256, 256>>>(g, level, depth, changed);
    if (depth % every == every - 1)
      REQUIRE(hipMemcpy(&again, changed, sizeof(int), hipMemcpyDeviceToHost));  // fault
  }
  std::printf("%d levels\n", depth);
}
