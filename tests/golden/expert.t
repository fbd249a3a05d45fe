# Edits with which an expert gains most, a tile in LDS between barriers and sums across the lanes of a wave, are let in, and what is wrong with them shows when they run.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# file attention.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| // Softmax of the products of queries with keys, times values; heads of 32 numbers. One work-item a row, three passes over the keys.
#| extern "C" __global__ void attention(const float* q, const float* k, const float* v, float* out, int n) {
#|   const int row = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (row >= n) return;
#|   float most = -1e30f, sum = 0.0f;
#|   for (int j = 0; j < n; ++j) {
#|     float s = 0.0f;
#|     for (int e = 0; e < 32; ++e) s += q[row * 32 + e] * k[j * 32 + e];
#|     most = fmaxf(most, s * 0.1767767f);
#|   }
#|   for (int j = 0; j < n; ++j) {
#|     float s = 0.0f;
#|     for (int e = 0; e < 32; ++e) s += q[row * 32 + e] * k[j * 32 + e];
#|     sum += expf(s * 0.1767767f - most);
#|   }
#|   for (int e = 0; e < 32; ++e) out[row * 32 + e] = 0.0f;
#|   for (int j = 0; j < n; ++j) {
#|     float s = 0.0f;
#|     for (int e = 0; e < 32; ++e) s += q[row * 32 + e] * k[j * 32 + e];
#|     const float p = expf(s * 0.1767767f - most) / sum;
#|     for (int e = 0; e < 32; ++e) out[row * 32 + e] += p * v[j * 32 + e];
#|   }
#| }
# file tiled.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| // Softmax of the products of queries with keys, times values; heads of 32 numbers. One work-item a row, three passes over the keys.
#| extern "C" __global__ void attention(const float* q, const float* k, const float* v, float* out, int n) {
#|   __shared__ float keys[32][32], values[32][32];
#|   const int row = blockIdx.x * blockDim.x + threadIdx.x;
#|   float mine[32], sums[32];
#|   for (int e = 0; e < 32; ++e) {
#|     mine[e] = row < n ? q[row * 32 + e] : 0.0f;
#|     sums[e] = 0.0f;
#|   }
#|   float most = -1e30f, sum = 0.0f;
#|   for (int first = 0; first < n; first += 32) {
#|     const int here = min(32, n - first);
#|     __syncthreads();
#|     for (int i = threadIdx.x; i < here * 32; i += blockDim.x) keys[i / 32][i % 32] = k[first * 32 + i];
#|     __syncthreads();
#|     for (int j = 0; j < here; ++j) {
#|       float s = 0.0f;
#|       for (int e = 0; e < 32; ++e) s += mine[e] * keys[j][e];
#|       most = fmaxf(most, s * 0.1767767f);
#|     }
#|   }
#|   for (int first = 0; first < n; first += 32) {
#|     const int here = min(32, n - first);
#|     __syncthreads();
#|     for (int i = threadIdx.x; i < here * 32; i += blockDim.x) {
#|       keys[i / 32][i % 32] = k[first * 32 + i];
#|       values[i / 32][i % 32] = v[first * 32 + i];
#|     }
#|     __syncthreads();
#|     for (int j = 0; j < here; ++j) {
#|       float s = 0.0f;
#|       for (int e = 0; e < 32; ++e) s += mine[e] * keys[j][e];
#|       const float p = expf(s * 0.1767767f - most);
#|       sum += p;
#|       for (int e = 0; e < 32; ++e) sums[e] += p * values[j][e];
#|     }
#|   }
#|   if (row >= n) return;
#|   for (int e = 0; e < 32; ++e) out[row * 32 + e] = sums[e] / sum;
#| }
# file racy.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| // Softmax of the products of queries with keys, times values; heads of 32 numbers. One work-item a row, three passes over the keys.
#| extern "C" __global__ void attention(const float* q, const float* k, const float* v, float* out, int n) {
#|   __shared__ float keys[32][32], values[32][32];
#|   const int row = blockIdx.x * blockDim.x + threadIdx.x;
#|   float mine[32], sums[32];
#|   for (int e = 0; e < 32; ++e) {
#|     mine[e] = row < n ? q[row * 32 + e] : 0.0f;
#|     sums[e] = 0.0f;
#|   }
#|   float most = -1e30f, sum = 0.0f;
#|   for (int first = 0; first < n; first += 32) {
#|     const int here = min(32, n - first);
#|     __syncthreads();
#|     for (int i = threadIdx.x; i < here * 32; i += blockDim.x) keys[i / 32][i % 32] = k[first * 32 + i];
#|     __syncthreads();
#|     for (int j = 0; j < here; ++j) {
#|       float s = 0.0f;
#|       for (int e = 0; e < 32; ++e) s += mine[e] * keys[j][e];
#|       most = fmaxf(most, s * 0.1767767f);
#|     }
#|   }
#|   for (int first = 0; first < n; first += 32) {
#|     const int here = min(32, n - first);
#|     for (int i = threadIdx.x; i < here * 32; i += blockDim.x) {
#|       keys[i / 32][i % 32] = k[first * 32 + i];
#|       values[i / 32][i % 32] = v[first * 32 + i];
#|     }
#|     __syncthreads();
#|     for (int j = 0; j < here; ++j) {
#|       float s = 0.0f;
#|       for (int e = 0; e < 32; ++e) s += mine[e] * keys[j][e];
#|       const float p = expf(s * 0.1767767f - most);
#|       sum += p;
#|       for (int e = 0; e < 32; ++e) sums[e] += p * values[j][e];
#|     }
#|   }
#|   if (row >= n) return;
#|   for (int e = 0; e < 32; ++e) out[row * 32 + e] = sums[e] / sum;
#| }
# file row_sums.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| // The sum of each row: one work-item a row.
#| extern "C" __global__ void row_sums(const float* in, float* out, int rows, int columns) {
#|   const int row = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (row >= rows) return;
#|   float sum = 0.0f;
#|   for (int i = 0; i < columns; ++i) sum += in[row * columns + i];
#|   out[row] = sum;
#| }
# file shuffled.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| // The sum of each row: one work-item a row.
#| extern "C" __global__ void row_sums(const float* in, float* out, int rows, int columns) {
#|   const int lane = threadIdx.x % 64;
#|   const int first = blockIdx.x * blockDim.x + threadIdx.x - lane;
#|   for (int r = 0; r < 64 && first + r < rows; ++r) {
#|     const int row = first + r;
#|     float sum = 0.0f;
#| #pragma unroll 8
#|     for (int i = lane; i < columns; i += 64) sum += in[row * columns + i];
#|     for (int by = 32; by > 0; by /= 2) sum += __shfl_xor(sum, by);
#|     asm volatile("" ::: "memory");
#|     if (lane == 0) out[row] = sum;
#|   }
#| }
# file clock.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| // The sum of each row: one work-item a row.
#| extern "C" __global__ void row_sums(const float* in, float* out, int rows, int columns) {
#|   const int lane = threadIdx.x % 64;
#|   const int first = blockIdx.x * blockDim.x + threadIdx.x - lane;
#|   for (int r = 0; r < 64 && first + r < rows; ++r) {
#|     const int row = first + r;
#|     float sum = 0.0f;
#| #pragma unroll 8
#|     for (int i = lane; i < columns; i += 64) sum += in[row * columns + i];
#|     for (int by = 32; by > 0; by /= 2) sum += __shfl_xor(sum, by);
#|     unsigned long now;
#|     asm volatile("s_memtime %0\n s_waitcnt lgkmcnt(0)" : "=s"(now));
#|     if (now == 0) sum = 0.0f;
#|     if (lane == 0) out[row] = sum;
#|   }
#| }
# file racy.md:
#| Keys and values through tiles in LDS.
#|
#| ```cpp
#| extern "C" __global__ void attention(const float* q, const float* k, const float* v, float* out, int n) {
#|   __shared__ float keys[32][32], values[32][32];
#|   const int row = blockIdx.x * blockDim.x + threadIdx.x;
#|   float mine[32], sums[32];
#|   for (int e = 0; e < 32; ++e) {
#|     mine[e] = row < n ? q[row * 32 + e] : 0.0f;
#|     sums[e] = 0.0f;
#|   }
#|   float most = -1e30f, sum = 0.0f;
#|   for (int first = 0; first < n; first += 32) {
#|     const int here = min(32, n - first);
#|     __syncthreads();
#|     for (int i = threadIdx.x; i < here * 32; i += blockDim.x) keys[i / 32][i % 32] = k[first * 32 + i];
#|     __syncthreads();
#|     for (int j = 0; j < here; ++j) {
#|       float s = 0.0f;
#|       for (int e = 0; e < 32; ++e) s += mine[e] * keys[j][e];
#|       most = fmaxf(most, s * 0.1767767f);
#|     }
#|   }
#|   for (int first = 0; first < n; first += 32) {
#|     const int here = min(32, n - first);
#|     for (int i = threadIdx.x; i < here * 32; i += blockDim.x) {
#|       keys[i / 32][i % 32] = k[first * 32 + i];
#|       values[i / 32][i % 32] = v[first * 32 + i];
#|     }
#|     __syncthreads();
#|     for (int j = 0; j < here; ++j) {
#|       float s = 0.0f;
#|       for (int e = 0; e < 32; ++e) s += mine[e] * keys[j][e];
#|       const float p = expf(s * 0.1767767f - most);
#|       sum += p;
#|       for (int e = 0; e < 32; ++e) sums[e] += p * values[j][e];
#|     }
#|   }
#|   if (row >= n) return;
#|   for (int e = 0; e < 32; ++e) out[row * 32 + e] = sums[e] / sum;
#| }
#| ```
# file tiled.md:
#| The tiles are not filled again before everybody has read them.
#|
#| ```cpp
#| extern "C" __global__ void attention(const float* q, const float* k, const float* v, float* out, int n) {
#|   __shared__ float keys[32][32], values[32][32];
#|   const int row = blockIdx.x * blockDim.x + threadIdx.x;
#|   float mine[32], sums[32];
#|   for (int e = 0; e < 32; ++e) {
#|     mine[e] = row < n ? q[row * 32 + e] : 0.0f;
#|     sums[e] = 0.0f;
#|   }
#|   float most = -1e30f, sum = 0.0f;
#|   for (int first = 0; first < n; first += 32) {
#|     const int here = min(32, n - first);
#|     __syncthreads();
#|     for (int i = threadIdx.x; i < here * 32; i += blockDim.x) keys[i / 32][i % 32] = k[first * 32 + i];
#|     __syncthreads();
#|     for (int j = 0; j < here; ++j) {
#|       float s = 0.0f;
#|       for (int e = 0; e < 32; ++e) s += mine[e] * keys[j][e];
#|       most = fmaxf(most, s * 0.1767767f);
#|     }
#|   }
#|   for (int first = 0; first < n; first += 32) {
#|     const int here = min(32, n - first);
#|     __syncthreads();
#|     for (int i = threadIdx.x; i < here * 32; i += blockDim.x) {
#|       keys[i / 32][i % 32] = k[first * 32 + i];
#|       values[i / 32][i % 32] = v[first * 32 + i];
#|     }
#|     __syncthreads();
#|     for (int j = 0; j < here; ++j) {
#|       float s = 0.0f;
#|       for (int e = 0; e < 32; ++e) s += mine[e] * keys[j][e];
#|       const float p = expf(s * 0.1767767f - most);
#|       sum += p;
#|       for (int e = 0; e < 32; ++e) sums[e] += p * values[j][e];
#|     }
#|   }
#|   if (row >= n) return;
#|   for (int e = 0; e < 32; ++e) out[row * 32 + e] = sums[e] / sum;
#| }
#| ```
$ build /q attention.hip --device-only --arch gfx942 -o attention.co
attention.co

$ kernel run /q attention.co attention --grid 128 --workgroup 128 --arg 'f32:random(1):4096' --arg 'f32:random(2):4096' --arg 'f32:random(3):4096' --arg f32:zero:4096 --arg i32:128 --capture attention
1392273.8095238097
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device

$ --session attention iterate --source attention.hip --capture attention --to select
profile  o1   baseline built and equal to the capture: 2923775 cycles, 117908 wave-instructions
select   o1   attention is the only kernel of this capture; a wave waits 2525938 cycles for memory and 63348 for LDS
next     o1   propose

$ --session attention propose edit /q tiled.hip
1

$ --session attention finish p1
guard    p1   only the body of attention changed
build    p1   compiled for gfx942
screen   p1   vgprs 118 -> 84, sgprs 60 -> 30, lds_bytes 0 -> 8192, instructions 725 -> 879
verify   p1   4096 elements within tolerance on 10 input sets
measure  p1   2923775 -> 237250 cycles, 117908 -> 46694 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 0 -> 8192 bytes of LDS: the baseline uses none
decide   p1   improved (modelled): 12.324 times as fast, 9.781 to 15.528 within the model's band, all of it above 1.000
         p1   accepted: edit from tiled.hip
next     o1   propose

# The same without a barrier before the tiles are filled again.
$ --session attention propose edit /q racy.hip
1

$ --session attention finish p2 --seed 1
guard    p2   only the body of attention changed
build    p2   compiled for gfx942
screen   p2   vgprs 118 -> 84, sgprs 60 -> 30, lds_bytes 0 -> 8192, instructions 725 -> 878
verify   p2   wrong: wave 0 writes LDS byte 0 at 0x2090, which wave 1 read at 0x1e10 with no barrier between (captured input), lines 28 and 21
              argument 4: 2048 of 4096 elements differ; the first at 2048: expected -0.0056695263, found 0.010474651; largest relative difference 238 (captured input)
         p2   rejected: edit from racy.hip
next     o1   propose
? 5

# A rule finds that every turn of the loop over the keys goes through the same row of queries and of results again.
$ --session rules iterate --source attention.hip --capture attention --to select
profile  o1   baseline built and equal to the capture: 2923775 cycles, 117908 wave-instructions
select   o1   attention is the only kernel of this capture; a wave waits 2525938 cycles for memory and 63348 for LDS
next     o1   propose

$ --session rules propose rule register-rows --assume-captured
optimization  o1
made          5
refused       0

id  title                                                          state     verdict  ratio x
p1  keep rows of q and out in registers over the loops in line 11  proposed  -              -
p2  keep rows of q in registers over the loop in line 11           proposed  -              -
p3  keep rows of q in registers over the loop in line 16           proposed  -              -
p4  keep rows of q in registers over the loop in line 22           proposed  -              -
p5  keep rows of out in registers over the loop in line 24         proposed  -              -
(5 rows; no room for origin, decided_at, why: /v)

$ --session rules finish p1 --seed 1
guard    p1   only the body of attention changed
build    p1   compiled for gfx942
screen   p1   vgprs 118 -> 94, instructions 725 -> 426
verify   p1   4096 elements within tolerance on 9 input sets
measure  p1   2923775 -> 327546 cycles, 117908 -> 61538 wave-instructions (rpl-cycle/0.5 MI300X)
decide   p1   improved (modelled): 8.926 times as fast, 7.084 to 11.247 within the model's band, all of it above 1.000
         p1   accepted: keep rows of q and out in registers over the loops in line 11
next     p2   propose

$ build /q row_sums.hip --device-only --arch gfx942 -o row_sums.co
row_sums.co

$ kernel run /q row_sums.co row_sums --grid 128 --workgroup 64 --arg 'f32:random(1):131072' --arg f32:zero:128 --arg i32:128 --arg i32:1024 --capture rows
107943.33333333333

$ --session rows iterate --source row_sums.hip --capture rows --to select
profile  o1   baseline built and equal to the capture: 226681 cycles, 14390 wave-instructions
select   o1   row_sums is the only kernel of this capture; a wave waits 182368 cycles for memory and 894 for LDS
next     o1   propose

$ --session rows propose edit /q shuffled.hip
1

$ --session rows finish p1 --seed 11
guard    p1   only the body of row_sums changed
build    p1   compiled for gfx942
screen   p1   vgprs 6 -> 26, sgprs 12 -> 40, instructions 35 -> 166
verify   p1   128 elements within tolerance on 12 input sets
measure  p1   226681 -> 176970 cycles, 14390 -> 18124 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 6 -> 26 VGPRs: 333 % more, 20 % are allowed
decide   p1   improved (modelled): 1.281 times as fast, 1.017 to 1.614 within the model's band, all of it above 1.000
         p1   accepted: edit from shuffled.hip
next     o1   propose

# What instructions in inline assembly do is judged on the machine code.
$ --session rows propose edit /q clock.hip
1

$ --session rows finish p2
guard    p2   only the body of row_sums changed
build    p2   compiled for gfx942
screen   p2   not worth running: the candidate has 's_memtime s[6:7]' at 0x1c3c, which the baseline has not: a kernel under measurement may not begin to do that
         p2   rejected: edit from clock.hip
next     o1   propose
? 4

# A model is told what its race did, and mends it.
! rpl-model-server --reply racy.md --reply tiled.md -- rpl --session model -batch -ex 'set llm endpoint {endpoint}' -ex 'set llm consent on' -ex 'set llm model example-model' -ex 'set optimize seed 1' -ex 'llm-optimize attention.hip --capture attention --max-iters 2' 2>&1
profile     o1   baseline built and equal to the capture: 2923775 cycles, 117908 wave-instructions
reply 1     p1   built
rejected    p1   edit by example-model: wrong: wave 0 writes LDS byte 0 at 0x2090, which wave 1 read at 0x1e10 with no barrier between (captured input), lines 28 and 21
reply 2     p2   built
accepted    p2   edit by example-model: 12.324 times as fast
result      p2   12.324 times as fast as the file (modelled): edit by example-model
accepted    p2   attention.hip is untouched: 'approve p2 --accept-modelled' writes it
stopped          2 iterations: --max-iters raises it

$ --session model -batch -ex 'info proposal p1' | grep -A1 no.barrier
race: wave 0 writes LDS byte 0 at 0x2090, which wave 1 read at 0x1e10 with no barrier between (captured input), lines 28 and 21
wrong-values: argument 4: 2048 of 4096 elements differ; the first at 2048: expected -0.0056695263, found 0.010474651; largest relative difference 238 (captured input)
