# Kernels of two dimensions: lanes exchanged, tiles and squares in LDS by rules, and a tile by hand, whose loops the compiler unrolls.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# file product.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| extern "C" __global__ void product(const float* a, const float* b, float* c, int n) {
#|   const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
#|   if (row >= n || column >= n) return;
#|   float sum = 0.0f;
#|   for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
#|   c[row * n + column] = sum;
#| }
# file tiled.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| extern "C" __global__ void product(const float* a, const float* b, float* c, int n) {
#|   __shared__ float left[16][17], right[16][16];
#|   const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
#|   float sum = 0.0f;
#|   for (int first = 0; first < n; first += 16) {
#|     __syncthreads();
#|     if (row < n && first + x < n) left[y][x] = a[row * n + first + x];
#|     if (column < n && first + y < n) right[y][x] = b[(first + y) * n + column];
#|     __syncthreads();
#|     const int here = min(16, n - first);
#|     for (int k = 0; k < here; ++k) sum += left[y][k] * right[k][x];
#|   }
#|   if (row < n && column < n) c[row * n + column] = sum;
#| }
# file forgetful.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| extern "C" __global__ void product(const float* a, const float* b, float* c, int n) {
#|   const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
#|   if (row >= n || column >= n) return;
#|   float sum = 0.0f;
#|   for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
#|   for (int k = 0; k < 1 + n / 4096; ++k) sum += 4 * k;
#|   c[row * n + column] = sum;
#| }
# file turned.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| extern "C" __global__ void turned(const float* in, float* out, int n) {
#|   const int x = blockIdx.x * blockDim.x + threadIdx.x;
#|   const int y = blockIdx.y * blockDim.y + threadIdx.y;
#|   if (x < n && y < n) {
#|     out[x * n + y] = in[y * n + x];
#|   }
#| }
# file unbounded.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| extern "C" __global__ void unbounded(const float* in, float* out, int n) {
#|   __shared__ float tile[16][16];
#|   const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
#|   tile[threadIdx.y][threadIdx.x] = in[y * n + x];
#|   __syncthreads();
#|   const int u = blockIdx.y * 16 + threadIdx.x, v = blockIdx.x * 16 + threadIdx.y;
#|   out[v * n + u] = tile[threadIdx.x][threadIdx.y];
#| }
$ build /q product.hip --device-only --arch gfx942 -o product.co
product.co

$ kernel run /q product.co product --grid 64,64 --workgroup 16,16 --arg 'f32:random(1):4096' --arg 'f32:random(2):4096' --arg f32:zero:4096 --arg i32:60 --capture frozen
9620.952380952382

$ step --source product.hip --capture frozen | tail -n 1
next     o1   select

# Without consent the rules say what they would build on.
$ propose rule lds-tile 2>&1 | grep -c 'assume-captured'
1

$ propose rule lds-tile --assume-captured | tail -n 2
p1  a and b go through LDS, 16 turns of the loop in line 8 at a time  proposed  -              -
(1 row; no room for origin, decided_at, why: /v)

$ finish p1 | tail -n 4
              warning: 0 -> 2112 bytes of LDS: the baseline uses none
decide   p1   improved (modelled): 1.664 times as fast, 1.321 to 2.097 within the model's band, all of it above 1.000
         p1   accepted: a and b go through LDS, 16 turns of the loop in line 8 at a time
next     o1   select

# The compiler unrolls the loop over a tile: what is left over never fills its unrolled copy twice, and the other copy goes round.
$ propose edit tiled.hip | tail -n 2
p2  edit    edit from tiled.hip  proposed  -              -  -           -
(1 row)

$ finish p2 | grep -E '^(verify|decide)'
verify   p2   4096 elements within tolerance on 10 input sets
decide   p2   improved (modelled): 1.639 times as fast, 1.301 to 2.065 within the model's band, all of it above 1.000

# A loop of its own that goes round on no input stays unverified.
$ propose edit forgetful.hip | tail -n 2
p3  edit    edit from forgetful.hip  proposed  -              -  -           -
(1 row)

$ finish p3 | grep -E '^verify'
verify   p3   undecided: unverified code: 1 of the candidate's instructions made one of their choices on no input; the first is 's_cbranch_scc0 4' at 0x19d4, line 9

$ build /q turned.hip --device-only --arch gfx942 -o turned.co
turned.co

$ kernel run /q turned.co turned --grid 128,128 --workgroup 16,16 --arg 'f32:random(1):16384' --arg f32:zero:16384 --arg i32:125 --capture square
3820.9523809523807

$ --session turned step --source turned.hip --capture square | tail -n 1
next     o1   select

$ --session turned propose rule lds-transpose --assume-captured | tail -n 2
p1  rule    squares of out go through LDS  proposed  -              -  -           -
(1 row)

$ --session turned finish p1 | grep -E '^(verify|decide)'
verify   p1   16384 elements equal bit by bit on 10 input sets
decide   p1   improved (modelled): 1.808 times as fast, 1.435 to 2.278 within the model's band, all of it above 1.000

$ --session turned propose rule swap-lanes --assume-captured | tail -n 2
p2  rule    neighbouring lanes differ in y instead of x  proposed  -              -  -           -
(1 row)

$ --session turned finish p2 | grep -E '^(verify|decide)'
verify   p2   16384 elements equal bit by bit on 9 input sets
decide   p2   improved (modelled): 1.891 times as fast, 1.501 to 2.383 within the model's band, all of it above 1.000

$ --session turned --allow approve approve p1 --accept-modelled 2>&1 | tail -n 3
p1 is in turned.hip; 'revert p1' takes it back

# Without bounds a shorter pitch makes work-items write to one place: nothing is held against what chance leaves there.
$ build /q unbounded.hip --device-only --arch gfx942 -o unbounded.co
unbounded.co

$ kernel run /q unbounded.co unbounded --grid 64,64 --workgroup 16,16 --arg 'f32:random(1):4096' --arg f32:zero:4096 --arg i32:64 --capture tight
2069.0476190476193

$ --session tight step --source unbounded.hip --capture tight | tail -n 1
next     o1   select

$ --session tight propose rule lds-padding | tail -n 2
p1  rule    pad the rows of tile by 1  proposed  -              -  -           -
(1 row)

$ --session tight verify p1 | grep -E '^verify'
verify   p1   4096 elements equal bit by bit on 6 input sets

$ --session tight info proposal p1 --json | grep -o '[a-z ]*: the baseline has a race there[^"]*'
other scalar arguments: the baseline has a race there alone, so that nothing was compared
