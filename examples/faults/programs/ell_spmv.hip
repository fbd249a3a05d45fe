// SPDX-License-Identifier: MIT
// ELLPACK product: values stored row by row, or column by column.
// fault: uncoalesced-load
// launch: --grid 131072 --workgroup 256 --arg f32:random(1):2097152 --arg u8:random(2):2097152 --arg f32:random(3):131200 --arg f32:zero:131072 --arg i32:131072
#include <hip/hip_runtime.h>
namespace ell {
constexpr int kWidth = 16;
enum class Order { kRows, kColumns };
template <Order O>
__device__ __forceinline__ size_t at(int row, int k, int rows) {
  if constexpr (O == Order::kRows) return size_t(row) * kWidth + k;
  else return size_t(k) * rows + row;
}
}
extern "C" __global__ void slow(const float* __restrict__ val, const unsigned char* __restrict__ off, const float* __restrict__ x, float* __restrict__ y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.f;
  for (int k = 0; k < ell::kWidth; ++k) {
    auto p = ell::at<ell::Order::kRows>(row, k, rows);
    sum += val[p] * x[row + (off[p] & 7)]; // fault
  }
  y[row] = sum;
}
extern "C" __global__ void fast(const float* __restrict__ val, const unsigned char* __restrict__ off, const float* __restrict__ x, float* __restrict__ y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.f;
  for (int k = 0; k < ell::kWidth; ++k) {
    auto p = ell::at<ell::Order::kColumns>(row, k, rows);
    sum += val[p] * x[row + (off[p] & 7)];
  }
  y[row] = sum;
}
