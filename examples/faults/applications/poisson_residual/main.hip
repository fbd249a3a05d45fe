// SPDX-License-Identifier: MIT
// fault: host-sync-bound
// Jacobi sweeps of Poisson's equation: the residual is read after every sweep, or after every sixteenth.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace gpu {
inline void check(hipError_t e, const char* what) {
  if (e != hipSuccess) throw std::runtime_error(std::string(what) + ": " + hipGetErrorString(e));
}
template <class T>
class Array {
 public:
  explicit Array(size_t n) : n_(n) {
    check(hipMalloc(reinterpret_cast<void**>(&p_), n * sizeof(T)), "hipMalloc");
    check(hipMemset(p_, 0, n * sizeof(T)), "hipMemset");
  }
  ~Array() { (void)hipFree(p_); }
  Array(const Array&) = delete;
  T* data() { return p_; }
  T front() {
    T out{};
    check(hipMemcpy(&out, p_, sizeof(T), hipMemcpyDeviceToHost), "read");  // fault
    return out;
  }
  void clear() { check(hipMemsetAsync(p_, 0, n_ * sizeof(T), nullptr), "clear"); }

 private:
  T* p_ = nullptr;
  size_t n_;
};
}  // namespace gpu

constexpr int kSide = 512;

__global__ void sweep(const float* u, float* next, float* residual) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float change = 0;
  if (x > 0 && y > 0 && x < kSide - 1 && y < kSide - 1) {
    const int at = y * kSide + x;
    const float v = 0.25f * (u[at - 1] + u[at + 1] + u[at - kSide] + u[at + kSide] + 1.f / (kSide * kSide));
    change = fabsf(v - u[at]);
    next[at] = v;
  }
  for (int d = 32; d; d >>= 1) change += __shfl_down(change, d);
  if (threadIdx.x == 0) unsafeAtomicAdd(residual, change);
}

int main(int argc, char** argv) {
  const int every = argc > 1 && std::string(argv[1]) == "fast" ? 16 : 1;
  gpu::Array<float> a(kSide * kSide), b(kSide * kSide), residual(1);
  float *from = a.data(), *to = b.data();
  int sweeps = 0;
  for (; sweeps < 96; ++sweeps) {
    if (sweeps % every == 0) residual.clear();
    sweep<<<dim3(kSide / 64, kSide / 4), dim3(64, 4)>>>(from, to, residual.data());
    std::swap(from, to);
    if (sweeps % every == every - 1 && residual.front() < 1e-9f) break;  // fault
  }
  std::printf("%d %g\n", sweeps, residual.front());
}
