# At least three of the example kernels become faster by rules alone: guarded, built, verified, measured, approved, and their programs run again.
# needs clang: /usr/lib/llvm-19/bin/clang
# example hip: hip
# example improve.lua: ../scripts/improve.lua
$ -batch -x improve.lua --allow approve -- hip work --rounds 1 --kernels row_features
kernel        approved  before us  after us  ratio x
row_features  p3          339.044   309.278    3.218
(1 row)

$ -batch -x improve.lua --allow approve -- hip work2 --rounds 1 --kernels row_scale
kernel     approved  before us  after us  ratio x
row_scale  p20         309.296   286.859    1.908
(1 row)

$ -batch -x improve.lua --allow approve -- hip work3 --rounds 1 --kernels softmax
kernel   approved  before us  after us  ratio x
softmax  p48         265.655   252.835    1.518
(1 row)

! diff hip/host/row_features_main.hip work/host/row_features_main.hip; diff hip/row_scale.hip work2/row_scale.hip; diff hip/softmax.hip work3/softmax.hip
8a9
>   #pragma unroll 8
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
