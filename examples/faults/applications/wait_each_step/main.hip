// SPDX-License-Identifier: MIT
// fault: host-sync-bound
// A time loop that waits for its stream after each step; the fast one waits at the end.
#include "../program.h"
class Solver {
 public:
  explicit Solver(int n) : n_(n), field_(device_array<float>(n)) { CHECK(hipStreamCreate(&stream_)); CHECK(hipMemsetAsync(field_, 0, n * 4, stream_)); }
  void step() { work<<<blocks(n_), 256, 0, stream_>>>(field_, n_, 30); }
  void wait() { CHECK(hipStreamSynchronize(stream_)); }
 private:
  int n_;
  float* field_;
  hipStream_t stream_;
};
int main(int count, char** words) {
  Solver solver(1 << 16);
  for (int t = 0; t < 60; ++t) {
    solver.step();
    if (!is_fast(count, words)) solver.wait();
  }
  solver.wait();
}
