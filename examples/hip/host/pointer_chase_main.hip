// SPDX-License-Identifier: MIT
// The nodes point at each other by device addresses, which the host knows before it copies them there.
#include "../pointer_chase.hip"
#include "host.h"

int main() {
  constexpr int kNodes = 4096, kSteps = 100, kWalkers = 200;
  const Array<Node> nodes_d(kNodes);
  std::vector<Node> nodes(kNodes);
  std::vector<int> after(kNodes);
  for (int i = 0; i < kNodes; ++i) {
    after[i] = (i * 1021 + 7) % kNodes;
    nodes[i] = {nodes_d.get() + after[i], static_cast<unsigned long>(i) * 3 + 1};
  }
  CHECK(hipMemcpy(nodes_d.get(), nodes.data(), kNodes * sizeof(Node), hipMemcpyHostToDevice));
  const Array<const Node*> ends(kWalkers);
  const Array<unsigned long> sums(kWalkers);
  pointer_chase<<<(kWalkers + 63) / 64, 64>>>(nodes_d.get(), ends.get(), sums.get(), kWalkers, kSteps);
  CHECK(hipGetLastError());
  const std::vector<const Node*> got = ends.read();
  const std::vector<unsigned long> summed = sums.read();
  std::size_t wrong = 0;
  for (int i = 0; i < kWalkers; ++i) {
    int at = i;
    unsigned long sum = 0;
    for (int step = 0; step < kSteps; ++step) sum += static_cast<unsigned long>(at) * 3 + 1, at = after[at];
    wrong += got[i] != nodes_d.get() + at || summed[i] != sum;
  }
  return verdict("pointer_chase", wrong, kWalkers);
}
