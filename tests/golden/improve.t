# At least three of the example kernels become faster by rules alone: guarded, built, verified, measured, approved, and their programs run again.
# long
# needs clang: /usr/lib/llvm-19/bin/clang
# example hip: hip
# example improve.lua: ../scripts/improve.lua
$ -batch -x improve.lua --allow approve -- hip work --rounds 1 --kernels row_features
kernel        approved  before us  after us  ratio x
row_features  p6          339.044   302.198    8.996
(1 row)

$ -batch -x improve.lua --allow approve -- hip work2 --rounds 1 --kernels row_scale
kernel     approved  before us  after us  ratio x
row_scale  p24         309.296   286.859    1.908
(1 row)

$ -batch -x improve.lua --allow approve -- hip work3 --rounds 1 --kernels softmax
kernel   approved  before us  after us  ratio x
softmax  p55         265.655   252.835    1.518
(1 row)

! diff hip/host/row_features_main.hip work/host/row_features_main.hip; diff hip/row_scale.hip work2/row_scale.hip; diff hip/softmax.hip work3/softmax.hip
6c6,7
<   const int row = blockIdx.x * blockDim.x + threadIdx.x;
---
>   const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 64;
>   const int lane = threadIdx.x % 64;
9,10c10,14
<   for (int i = 0; i < columns; ++i) sum += x[row * columns + i] * x[row * columns + i];
<   norms[row] = sum;
---
>   decltype(sum) sum_part = 0;
>   for (int i = lane; i < columns; i += 64) sum_part += x[row * columns + i] * x[row * columns + i];
>   for (int mask = 32; mask > 0; mask /= 2) sum_part += __shfl_xor(sum_part, mask);
>   sum += sum_part;
>   if (lane == 0) norms[row] = sum;
26c30
<   row_norms<<<dim3(kRows / 64), dim3(64)>>>(x_d.get(), norms.get(), kRows, kColumns);
---
>   row_norms<<<dim3((kRows / 64) * 64), dim3(64)>>>(x_d.get(), norms.get(), kRows, kColumns);
6c6
< extern "C" __global__ void row_scale(const float* in, const float* factors, float* out, int rows, int columns) {
---
> extern "C" __global__ void row_scale(const float* __restrict__ in, const float* __restrict__ factors, float* __restrict__ out, int rows, int columns) {
5c5
< extern "C" __global__ void softmax(const float* in, float* out, int rows, int columns) {
---
> extern "C" __global__ void softmax(const float* __restrict__ in, float* __restrict__ out, int rows, int columns) {
? 1

! rpl info proposals /c | cut -d, -f3,4,5,6 | sort | uniq -c | sort -rn | head -3
      3 rule,limit occupancy to 2 waves per SIMD,rejected,
      3 rule,compile with -mllvm -amdgpu-schedule-metric-bias=100,rejected,
      3 rule,compile with -mllvm -amdgpu-disable-unclustered-high-rp-reschedule,rejected,
