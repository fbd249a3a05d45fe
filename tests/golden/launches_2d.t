# A candidate with workgroups of another shape, and with fewer work-items along y: verified on every input like other launches, and for the person to write where the file launches the kernel.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# file added.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| extern "C" __global__ void added(const float* a, const float* b, float* out, int width, int height) {
#|   const int x = blockIdx.x * blockDim.x + threadIdx.x;
#|   const int y = blockIdx.y * blockDim.y + threadIdx.y;
#|   if (x >= width || y >= height) return;
#|   out[y * width + x] = a[y * width + x] + b[y * width + x];
#| }
# file four.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| extern "C" __global__ void added(const float* a, const float* b, float* out, int width, int height) {
#|   const int x = blockIdx.x * blockDim.x + threadIdx.x;
#|   const int y = 4 * (blockIdx.y * blockDim.y + threadIdx.y);
#|   if (x >= width) return;
#|   for (int k = y; k < min(y + 4, height); ++k) out[k * width + x] = a[k * width + x] + b[k * width + x];
#| }
# file square.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| extern "C" __global__ void added(const float* a, const float* b, float* out, int width, int height) {
#|   const int x = blockIdx.x * 8 + threadIdx.x;
#|   const int y = blockIdx.y * 8 + threadIdx.y;
#|   if (x >= width || y >= height) return;
#|   out[y * width + x] = a[y * width + x] + b[y * width + x];
#| }
$ build /q added.hip --device-only --arch gfx942 -o added.co
added.co

$ kernel run /q added.co added --grid 200,104 --workgroup 8,8 --arg 'f32:random(1):20000' --arg 'f32:random(2):20000' --arg f32:zero:20000 --arg i32:200 --arg i32:100 --capture frozen
2157.142857142857

$ step --source added.hip --capture frozen
profile  o1   baseline built and equal to the capture: 4530 cycles, 10075 wave-instructions
next     o1   select

# Rows of 64 work-items in place of 8.
$ propose edit added.hip --workgroup 64,4
optimization  o1
made          1
refused       0

id  origin  title                       state     verdict  ratio x  decided_at  why
p1  edit    launch with workgroup 64x4  proposed  -              -  -           -
(1 row)

$ finish --seed 3
guard    p1   nothing of added changed; its launch does too, and cannot be written: its workgroups have more than one dimension
build    p1   compiled for gfx942
screen   p1   the same code, launched otherwise
verify   p1   20000 elements within tolerance on 17 input sets
measure  p1   4530 -> 4264 cycles, 10075 -> 12672 wave-instructions (rpl-cycle/0.5 MI300X)
decide   p1   undecided (modelled): 1.062 times as fast, 0.843 to 1.339 within the model's band; all of it above 1.000 is needed, and a GPU can tell
         p1   rejected: launch with workgroup 64x4
next     o1   select
? 4

# Each work-item takes four rows.
$ propose edit four.hip --workgroup 64,1 --items 1,1/4
optimization  o1
made          1
refused       0

id  origin  title                                                 state     verdict  ratio x
p2  edit    launch with workgroup 64x1, work-items along y x 1/4  proposed  -              -
(1 row; no room for decided_at, why: /v)

$ finish --seed 3
guard    p2   only the body of added changed; its launch does too, and cannot be written: its workgroups have more than one dimension
build    p2   compiled for gfx942
screen   p2   vgprs 5 -> 8, sgprs 18 -> 17, instructions 31 -> 48
verify   p2   20000 elements within tolerance on 18 input sets
measure  p2   4530 -> 7313 cycles, 10075 -> 9992 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 5 -> 8 VGPRs: 60 % more, 20 % are allowed
decide   p2   regression (modelled): 0.619 times as fast, 0.492 to 0.781 within the model's band; all of it above 1.000 is needed
              2157 -> 3482 ns: 61 % more, 5 % are allowed
         p2   rejected: launch with workgroup 64x1, work-items along y x 1/4
next     o1   select
? 4

# The old shape is in the text.
$ propose edit square.hip --workgroup 16,16
optimization  o1
made          1
refused       0

id  origin  title                        state     verdict  ratio x  decided_at  why
p3  edit    launch with workgroup 16x16  proposed  -              -  -           -
(1 row)

$ finish --seed 3
guard    p3   only the body of added changed; its launch does too, and cannot be written: its workgroups have more than one dimension
build    p3   compiled for gfx942
screen   p3   instructions 31 -> 26
verify   p3   wrong: argument 3: 12832 elements that the baseline writes are not written; the first at 112 (captured input)
         p3   rejected: launch with workgroup 16x16
next     o1   select
? 5

$ info proposal p2
p2  rejected  launch with workgroup 64x1, work-items along y x 1/4
launch: workgroups of 64 work-items instead of 8x8, 104 instead of 325 for the captured launch
regression: regression (modelled): 0.619 times as fast, 0.492 to 0.781 within the model's band; all of it above 1.000 is needed
resource-runtime: 2157 -> 3482 ns: 61 % more, 5 % are allowed
regression (modelled): 0.619 times as fast by rpl-cycle/0.5 MI300X; no silicon took part
resources: 2157 -> 3482 ns: 61 % more, 5 % are allowed
resources: 5 -> 8 VGPRs: 60 % more, 20 % are allowed

--- a/added.hip
+++ b/added.hip
@@ -3,7 +3,7 @@
 
 extern "C" __global__ void added(const float* a, const float* b, float* out, int width, int height) {
   const int x = blockIdx.x * blockDim.x + threadIdx.x;
-  const int y = blockIdx.y * blockDim.y + threadIdx.y;
-  if (x >= width || y >= height) return;
-  out[y * width + x] = a[y * width + x] + b[y * width + x];
+  const int y = 4 * (blockIdx.y * blockDim.y + threadIdx.y);
+  if (x >= width) return;
+  for (int k = y; k < min(y + 4, height); ++k) out[k * width + x] = a[k * width + x] + b[k * width + x];
 }

# What is no workgroup.
$ propose edit added.hip --workgroup 64,64
err: error: '64,64' is no workgroup; --workgroup 256, or --workgroup 32,8; 1024 work-items at most
? 2

$ propose edit added.hip --workgroup 8,8,8,8
err: error: '8,8,8,8' is no workgroup; --workgroup 256, or --workgroup 32,8; 1024 work-items at most
? 2

$ propose edit added.hip --workgroup 8x8
err: error: '8x8' is no workgroup; --workgroup 256, or --workgroup 32,8; 1024 work-items at most
? 2

$ propose edit added.hip --items 1,2,3,4
err: error: '1,2,3,4' is no number of work-items; --items 64 for 64 instead of each one, --items 1/4 for one instead of four, --items 1,1/4 for that along y
? 2
