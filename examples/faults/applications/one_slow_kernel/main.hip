// fault: nothing-of-note
// One kernel is nearly all of the time; a copy before it and a wait behind it are not worth a word.
#include "../program.h"

__global__ void columns(const float* from, float* sums, int rows, int pitch) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < rows; ++k) sum += from[column * pitch + k];
  sums[column] = sum;
}

int main() {
  constexpr int kColumns = 2048, kRows = 1024;
  std::vector<float> host(kColumns * kRows / 64, 1.0f);
  float *from = device_array<float>(kColumns * kRows), *sums = device_array<float>(kColumns);
  CHECK(hipMemcpy(from, host.data(), host.size() * sizeof(float), hipMemcpyHostToDevice));
  columns<<<kColumns / 256, 256>>>(from, sums, kRows, kRows);
  std::vector<float> out(kColumns);
  CHECK(hipMemcpy(out.data(), sums, kColumns * sizeof(float), hipMemcpyDeviceToHost));
}
