// SPDX-License-Identifier: MIT
// Follows the pointers of a linked list: work-item i starts at the i-th node in memory, goes `steps` nodes on, and leaves the sum of the
// values on its way and where it ended. Each address comes out of the load before, so that nothing but the latency of memory counts.
#include <hip/hip_runtime.h>

struct Node {
  const Node* next;
  unsigned long value;
};

extern "C" __global__ void pointer_chase(const Node* nodes, const Node** ends, unsigned long* sums, int n, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Node* node = nodes + i;
  unsigned long sum = 0;
  for (int step = 0; step < steps; ++step) {
    sum += node->value;
    node = node->next;
  }
  ends[i] = node;
  sums[i] = sum;
}
