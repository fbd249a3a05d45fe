// SPDX-License-Identifier: MIT
// Kernels that are hard to find: each line with a mark KERNEL name, symbol is where one's name stands.
#include <hip/hip_runtime.h>

#define BOUNDS(n) __launch_bounds__(n)
#define BODY(x) { x[0] = 1; }
// __global__ void in_a_comment(float* x) { x[0] = 1; }
/* __global__ void in_another(float* x) { } } */
static const char* const kText = R"hip(__global__ void in_a_string(float* x) { )hip" "} // {";
constexpr char kBrace = '{';

__global__ void forward(float* x);

namespace outer::inner {
template <typename T, int N = 4>
__global__ void BOUNDS(64)
tall(const T* __restrict__ in, T* out) {  // KERNEL outer::inner::tall
  const auto twice = [=] __device__(T x) { return x + x; };
  for (int i = 0; i < N; ++i) { out[i] = twice(in[i]); }
}
namespace {
__global__ void hidden(int* x) { x[0] = '}'; }  // KERNEL outer::inner::(anonymous namespace)::hidden
}  // namespace
template <>
__global__ void tall<double, 2>(const double* __restrict__ in, double* out) {  // KERNEL outer::inner::tall
  out[0] = in[0]; /* } */
}
}  // namespace outer::inner

__global__ void overloaded(float* x) { x[0] = 1; }            // KERNEL overloaded
__global__ void overloaded(int* x) { x[0] = 1; }              // KERNEL overloaded
__global__ void overloaded(float* x, int n) { x[n] = 1; }     // KERNEL overloaded
extern "C" __global__ __launch_bounds__(256, 2) void plain(float* x, int n = (1 + 2)) {  // KERNEL plain
#pragma unroll 2
  for (int i = 0; i < n; ++i) x[i] = "}{"[i % 2];
}
#if 0
__global__ void dead(float* x) { }
#endif
__global__ void forward(float* x) { x[0] = kBrace; }  // KERNEL forward
static __global__ __attribute__((amdgpu_waves_per_eu(2, 4))) void attributed(float (&x)[4], float* y) {  // KERNEL attributed
  y[0] = x[0];
}
struct Thing {
  float member;
  __device__ void operator()(float* x) const { x[0] = member; }
};
template <class F>
__global__ void calls(F f, float* x) { f(x); }  // KERNEL calls

int main() {
  calls<<<1, 64>>>(Thing{1}, static_cast<float*>(nullptr));
  outer::inner::tall<float><<<1, 64>>>(nullptr, nullptr);
  outer::inner::hidden<<<1, 1>>>(nullptr);
  return kText[0];
}
