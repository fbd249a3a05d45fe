# Patches that must not get through, each refused by another stage for its own reason. A million elements.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# example vector_add_example.hip: hip/vector_add.hip
! cat vector_add_example.hip > vector_add.hip

# file one_wrong.hip:
#| // SPDX-License-Identifier: MIT
#| // out[i] = a[i] + b[i]: one element for each work-item, the tail guarded.
#| #include <hip/hip_runtime.h>
#| 
#| extern "C" __global__ void vector_add(const float* a, const float* b, float* out, int n) {
#|   const int i = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (i < n) out[i] = a[i] + b[i] + (i == 777777 ? 0.001f : 0.0f);
#| }
# file past_the_end.hip:
#| // SPDX-License-Identifier: MIT
#| // out[i] = a[i] + b[i]: one element for each work-item, the tail guarded.
#| #include <hip/hip_runtime.h>
#| 
#| extern "C" __global__ void vector_add(const float* a, const float* b, float* out, int n) {
#|   const int i = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (i <= n) out[i] = i < n ? a[i] + b[i] : 0.0f;
#| }
# file nothing.hip:
#| // SPDX-License-Identifier: MIT
#| // out[i] = a[i] + b[i]: one element for each work-item, the tail guarded.
#| #include <hip/hip_runtime.h>
#| 
#| extern "C" __global__ void vector_add(const float* a, const float* b, float* out, int n) {
#| }
# file same_code.hip:
#| // SPDX-License-Identifier: MIT
#| // out[i] = a[i] + b[i]: one element for each work-item, the tail guarded.
#| #include <hip/hip_runtime.h>
#| 
#| extern "C" __global__ void vector_add(const float* a, const float* b, float* out, int n) {
#|   const int index = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (index >= n) return;
#|   out[index] = a[index] + b[index];
#| }
# file slower.hip:
#| // SPDX-License-Identifier: MIT
#| // out[i] = a[i] + b[i]: one element for each work-item, the tail guarded.
#| #include <hip/hip_runtime.h>
#| 
#| extern "C" __global__ void vector_add(const float* a, const float* b, float* out, int n) {
#|   const int i = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (i >= n) return;
#|   *static_cast<const volatile float*>(&b[i * 31 % n]);
#|   out[i] = a[i] + b[i];
#| }
# file outside.hip:
#| // SPDX-License-Identifier: MIT
#| // out[i] = a[i] + b[i]: one element for each work-item, the tail guarded.
#| #include <hip/hip_runtime.h>
#| __device__ float cache;
#| 
#| extern "C" __global__ void vector_add(const float* a, const float* b, float* out, int n) {
#|   const int i = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (i < n) out[i] = a[i] + b[i];
#| }
# file broken.hip:
#| // SPDX-License-Identifier: MIT
#| // out[i] = a[i] + b[i]: one element for each work-item, the tail guarded.
#| #include <hip/hip_runtime.h>
#| 
#| extern "C" __global__ void vector_add(const float* a, const float* b, float* out, int n) {
#|   const int i = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (i < n) out[i] = a[i] + c[i];
#| }
$ build /q vector_add.hip --device-only --arch gfx90a -o add.co
add.co

$ kernel run /q add.co vector_add --grid 1000192 --workgroup 256 --arg 'f32:random(3):1000003' --arg 'f32:random(4):1000003' --arg f32:zero:1000003 --arg i32:1000003 --capture million
9605.29411764706

$ --session wrong iterate --source vector_add.hip --capture million --to select
profile  o1   baseline built and equal to the capture: 16329 cycles, 453174 wave-instructions
select   o1   vector_add is the only kernel of this capture; a wave waits 1341 cycles for memory and 89 for LDS
next     o1   propose

$ --session wrong propose edit one_wrong.hip
optimization  o1
made          1
refused       0

id  origin  title                    state     verdict  ratio x  decided_at  why
p1  edit    edit from one_wrong.hip  proposed  -              -  -           -
(1 row)

$ --session wrong finish
guard    p1   only the body of vector_add changed
build    p1   compiled for gfx90a
screen   p1   vgprs 8 -> 6, instructions 29 -> 34
verify   p1   wrong: argument 3: 1 of 1000003 elements differ; the first at 777777: expected -0.29659468, found -0.2955947; largest relative difference 0.00337 (captured input)
         p1   rejected: edit from one_wrong.hip
next     o1   propose
? 5

$ --session wrong info proposal p1
p1  rejected  edit from one_wrong.hip
wrong-values: argument 3: 1 of 1000003 elements differ; the first at 777777: expected -0.29659468, found -0.2955947; largest relative difference 0.00337 (captured input)

--- a/vector_add.hip
+++ b/vector_add.hip
@@ -4,5 +4,5 @@
 
 extern "C" __global__ void vector_add(const float* a, const float* b, float* out, int n) {
   const int i = blockIdx.x * blockDim.x + threadIdx.x;
-  if (i < n) out[i] = a[i] + b[i];
+  if (i < n) out[i] = a[i] + b[i] + (i == 777777 ? 0.001f : 0.0f);
 }

$ --session wrong propose edit past_the_end.hip --title 'one more'
optimization  o1
made          1
refused       0

id  origin  title     state     verdict  ratio x  decided_at  why
p2  edit    one more  proposed  -              -  -           -
(1 row)

$ --session wrong finish
guard    p2   only the body of vector_add changed
build    p2   compiled for gfx90a
screen   p2   sgprs 12 -> 13, instructions 29 -> 35
verify   p2   wrong: vector_add: wave 1 of workgroup 3906 at 0x19a4, global_store_dword v[0:1], v2, off: lane 3 writes 4 bytes at 0x7f0000b9290c: 0 bytes past the end of argument 3 (4000012 bytes at 0x7f00007c2000) (captured input)
         p2   rejected: one more
next     o1   propose
? 5

$ --session wrong propose edit nothing.hip
optimization  o1
made          1
refused       0

id  origin  title                  state     verdict  ratio x  decided_at  why
p3  edit    edit from nothing.hip  proposed  -              -  -           -
(1 row)

$ --session wrong finish
guard    p3   only the body of vector_add changed
build    p3   compiled for gfx90a
screen   p3   vgprs 8 -> 0, sgprs 12 -> 4, instructions 29 -> 1
verify   p3   wrong: argument 3: 1000003 elements that the baseline writes are not written; the first at 0 (captured input)
         p3   rejected: edit from nothing.hip
next     o1   propose
? 5

$ --session wrong propose edit same_code.hip
optimization  o1
made          1
refused       0

id  origin  title                    state     verdict  ratio x  decided_at  why
p4  edit    edit from same_code.hip  proposed  -              -  -           -
(1 row)

$ --session wrong finish
guard    p4   only the body of vector_add changed
build    p4   compiled for gfx90a
screen   p4   not worth running: the compiler made the same 29 instructions of both sources
         p4   rejected: edit from same_code.hip
next     o1   propose
? 4

$ --session wrong propose edit slower.hip
optimization  o1
made          1
refused       0

id  origin  title                 state     verdict  ratio x  decided_at  why
p5  edit    edit from slower.hip  proposed  -              -  -           -
(1 row)

$ --session wrong finish
guard    p5   only the body of vector_add changed
build    p5   compiled for gfx90a
screen   p5   vgprs 8 -> 5, sgprs 12 -> 13, instructions 29 -> 60
verify   p5   1000003 elements within tolerance on 8 input sets
measure  p5   16329 -> 32675 cycles, 453174 -> 937580 wave-instructions (rpl-cycle/0.5 MI250X)
decide   p5   regression (modelled): 0.500 times as fast, 0.379 to 0.660 within the model's band; all of it above 1.000 is needed
              9605 -> 19221 ns: 100 % more, 5 % are allowed
         p5   rejected: edit from slower.hip
next     o1   propose
? 4

$ --session wrong propose edit outside.hip
optimization  o1
made          1
refused       0

id  origin  title                  state     verdict  ratio x  decided_at  why
p6  edit    edit from outside.hip  proposed  -              -  -           -
(1 row)

$ --session wrong finish
guard    p6   the guard refuses it: the file differs before the body of vector_add
         p6   rejected: edit from outside.hip
next     o1   propose
? 4

$ --session wrong propose edit broken.hip
optimization  o1
made          1
refused       0

id  origin  title                 state     verdict  ratio x  decided_at  why
p7  edit    edit from broken.hip  proposed  -              -  -           -
(1 row)

$ --session wrong finish
guard    p7   only the body of vector_add changed
build    p7   it does not compile: DIR/wrong/proposals/p7/candidate.hip:7:30: use of undeclared identifier 'c'
         p7   rejected: edit from broken.hip
next     o1   propose
? 4

$ --session wrong propose edit vector_add.hip
err: error: vector_add.hip is the source as it stands: nothing is changed; edit the copy, then 'propose edit FILE'
? 2

$ --session wrong info proposals --json
{
  "schema": "rpl.info.proposals/1",
  "open": 0,
  "accepted": 0,
  "rejected": 7,
  "rows": [
    {"id": "p1", "optimization": "o1", "origin": "edit", "title": "edit from one_wrong.hip", "state": "rejected", "verdict": null, "ratio": null, "decided_at": "verify", "why": "argument 3: 1 of 1000003 elements differ; the first at 777777: expected -0.29659468, found -0.2955947; largest relative difference 0.00337 (captured input)"},
    {"id": "p2", "optimization": "o1", "origin": "edit", "title": "one more", "state": "rejected", "verdict": null, "ratio": null, "decided_at": "verify", "why": "vector_add: wave 1 of workgroup 3906 at 0x19a4, global_store_dword v[0:1], v2, off: lane 3 writes 4 bytes at 0x7f0000b9290c: 0 bytes past the end of argument 3 (4000012 bytes at 0x7f00007c2000) (captured input)"},
    {"id": "p3", "optimization": "o1", "origin": "edit", "title": "edit from nothing.hip", "state": "rejected", "verdict": null, "ratio": null, "decided_at": "verify", "why": "argument 3: 1000003 elements that the baseline writes are not written; the first at 0 (captured input)"},
    {"id": "p4", "optimization": "o1", "origin": "edit", "title": "edit from same_code.hip", "state": "rejected", "verdict": null, "ratio": null, "decided_at": "screen", "why": "the compiler made the same 29 instructions of both sources"},
    {"id": "p5", "optimization": "o1", "origin": "edit", "title": "edit from slower.hip", "state": "rejected", "verdict": "regression", "ratio": 0.4997398622800307, "decided_at": "decide", "why": "regression (modelled): 0.500 times as fast, 0.379 to 0.660 within the model's band; all of it above 1.000 is needed"},
    {"id": "p6", "optimization": "o1", "origin": "edit", "title": "edit from outside.hip", "state": "rejected", "verdict": null, "ratio": null, "decided_at": "guard", "why": "the file differs before the body of vector_add"},
    {"id": "p7", "optimization": "o1", "origin": "edit", "title": "edit from broken.hip", "state": "rejected", "verdict": null, "ratio": null, "decided_at": "build", "why": "use of undeclared identifier 'c'"}
  ],
  "notes": [],
  "provenance": "none"
}
