// SPDX-License-Identifier: MIT
// Dispatches that a capture must freeze with all that they reach: each changes what it reads.
#include "check.h"

#include <vector>

struct Node {
  Node* next;
  int value;
};

__device__ int total = 5;
__device__ Node* head;
__constant__ int factor;

__global__ void in_place(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i] * 3 + 1;
}

__global__ void counts(const int* data, unsigned* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[data[i] & 7], 1u);
}

__global__ void globals() { atomicAdd(&total, factor); }

__global__ void table(int** rows, int count) {
  const int i = threadIdx.x;
  if (i < count) rows[i][i] += rows[(i + 1) % count][0] + 1000;
}

__global__ void chase() {
  int sum = 0;
  for (Node* node = head; node != nullptr; node = node->next) sum += node->value++;
  total += sum;
}

template <class T>
__global__ void scale(T* data, T by) {
  extern __shared__ char room[];
  T* line = reinterpret_cast<T*>(room);
  line[threadIdx.x] = data[threadIdx.x] * by;
  __syncthreads();
  data[threadIdx.x] = line[blockDim.x - 1 - threadIdx.x];
}

template <class T>
T* given(const std::vector<T>& values) {
  T* out = nullptr;
  CHECK(hipMalloc(&out, values.size() * sizeof(T)));
  CHECK(hipMemcpy(out, values.data(), values.size() * sizeof(T), hipMemcpyHostToDevice));
  return out;
}

int main() {
  std::vector<int> numbers(1000);
  for (int i = 0; i < 1000; ++i) numbers[i] = i * 7;
  int* data = given(numbers);
  unsigned* bins = given(std::vector<unsigned>(8));
  in_place<<<4, 256>>>(data, 1000);
  in_place<<<4, 256>>>(data, 500);
  counts<<<4, 256>>>(data, bins, 1000);

  const int by = 4;
  CHECK(hipMemcpyToSymbol(HIP_SYMBOL(factor), &by, sizeof(by)));
  globals<<<2, 64>>>();
  int sum = 0;
  CHECK(hipMemcpyFromSymbol(&sum, HIP_SYMBOL(total), sizeof(sum)));
  EXPECT(sum == 5 + 128 * 4);

  std::vector<int*> rows;
  for (int i = 0; i < 600; ++i) rows.push_back(given(std::vector<int>(600, i)));
  table<<<1, 640>>>(given(rows), 600);

  Node* list = nullptr;
  for (int i = 0; i < 40; ++i) list = given(std::vector<Node>{{list, i}});
  CHECK(hipMemcpyToSymbol(HIP_SYMBOL(head), &list, sizeof(list)));
  chase<<<1, 1>>>();
  CHECK(hipMemcpyFromSymbol(&sum, HIP_SYMBOL(total), sizeof(sum)));
  EXPECT(sum == 5 + 128 * 4 + 780);

  scale<<<1, 64, 64 * sizeof(float)>>>(given(std::vector<float>(64, 1.5f)), 2.0f);
  scale<<<1, 64, 64 * sizeof(double)>>>(given(std::vector<double>(64, 2.5)), 3.0);
  scale<<<1, 64, 64 * sizeof(float)>>>(given(std::vector<float>(64, 4.5f)), 5.0f);
  CHECK(hipDeviceSynchronize());
  int back[2];
  CHECK(hipMemcpy(back, data, sizeof(back), hipMemcpyDeviceToHost));
  EXPECT(back[0] == 4 && back[1] == 67);
  return passed();
}
