# At least three of the example kernels become faster by rules alone: guarded, built, verified, measured, approved, and their programs run again.
# needs clang: /usr/lib/llvm-19/bin/clang
# example hip: hip
# example improve.lua: ../scripts/improve.lua
$ -batch -x improve.lua -- hip work --rounds 1 --kernels transpose_unpadded
kernel              approved  before us  after us  ratio x
transpose_unpadded  p1          246.786   246.786    1.084
(1 row)

$ -batch -x improve.lua -- hip work2 --rounds 1 --kernels row_scale
kernel     approved  before us  after us  ratio x
row_scale  p26         282.082   274.357    1.721
(1 row)

$ -batch -x improve.lua -- hip work3 --rounds 1 --kernels softmax
kernel   approved  before us  after us  ratio x
softmax  p51         252.357   245.911    1.395
(1 row)

! diff hip/transpose_unpadded.hip work/transpose_unpadded.hip; diff hip/row_scale.hip work2/row_scale.hip; diff hip/softmax.hip work3/softmax.hip
10c10
<   __shared__ float tile[kTile][kTile];
---
>   __shared__ float tile[kTile][kTile + 1];
6c6
< extern "C" __global__ void row_scale(const float* in, const float* factors, float* out, int rows, int columns) {
---
> extern "C" __global__ void row_scale(const float* __restrict__ in, const float* __restrict__ factors, float* __restrict__ out, int rows, int columns) {
11c11,22
<   for (int i = 1; i < columns; ++i) highest = fmaxf(highest, x[i]);
---
>   {
>     int i_base = 1;
>     for (; i_base < (columns) && (columns) - i_base >= 4; i_base += 4) {
>       float x_read[4];
>       __builtin_memcpy(x_read, &x[i_base], sizeof x_read);
>       #pragma unroll
>       for (int i_lane = 0; i_lane < 4; ++i_lane) {
>         highest = fmaxf(highest, x_read[i_lane]);
>       }
>     }
>     for (int i = i_base; i < columns; ++i) highest = fmaxf(highest, x[i]);
>   }
13c24,35
<   for (int i = 0; i < columns; ++i) sum += expf(x[i] - highest);
---
>   {
>     int i_base = 0;
>     for (; i_base < (columns) && (columns) - i_base >= 4; i_base += 4) {
>       float x_read[4];
>       __builtin_memcpy(x_read, &x[i_base], sizeof x_read);
>       #pragma unroll
>       for (int i_lane = 0; i_lane < 4; ++i_lane) {
>         sum += expf(x_read[i_lane] - highest);
>       }
>     }
>     for (int i = i_base; i < columns; ++i) sum += expf(x[i] - highest);
>   }
? 1

! rpl info proposals /c | cut -d, -f3,4,5,6 | sort | uniq -c | sort -rn | head -3
      3 rule,store to out past the caches,rejected,equivalent
      3 rule,limit occupancy to 2 waves per SIMD,rejected,
      3 rule,compile with -mllvm -amdgpu-schedule-metric-bias=100,rejected,
