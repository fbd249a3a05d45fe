# What is right as machine code and not as source: an atomic of the scope of a workgroup where other workgroups add to the same place, and lanes that hand each other something without a barrier.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# file amount.hip:
#| #include <hip/hip_runtime.h>
#|
#| extern "C" __global__ void amount(const int* x, int* out, int n) {
#|   const int i = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (i < n) atomicAdd(out + (i & 3), x[i]);
#| }
# file narrow.hip:
#| #include <hip/hip_runtime.h>
#|
#| extern "C" __global__ void amount(const int* x, int* out, int n) {
#|   __shared__ int sums[4];
#|   const int i = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (threadIdx.x < 4) sums[threadIdx.x] = 0;
#|   __syncthreads();
#|   if (i < n) atomicAdd(sums + (i & 3), x[i]);
#|   __syncthreads();
#|   if (threadIdx.x < 4) __hip_atomic_fetch_add(out + threadIdx.x, sums[threadIdx.x], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
#| }
# file rows.hip:
#| #include <hip/hip_runtime.h>
#|
#| extern "C" __global__ void rows(const float* x, float* out, int columns) {
#|   if (threadIdx.x != 0) return;
#|   float sum = 0.0f;
#|   for (int c = 0; c < columns; ++c) sum += x[blockIdx.x * columns + c];
#|   out[blockIdx.x] = sum;
#| }
# file step.hip:
#| #include <hip/hip_runtime.h>
#|
#| extern "C" __global__ void rows(const float* x, float* out, int columns) {
#|   __shared__ float part[64];
#|   const int t = threadIdx.x;
#|   float sum = 0.0f;
#|   for (int c = t; c < columns; c += 64) sum += x[blockIdx.x * columns + c];
#|   part[t] = sum;
#|   for (int step = 32; step > 0; step /= 2) {
#|     if (t < step) part[t] += part[t + step];
#|   }
#|   if (t == 0) out[blockIdx.x] = part[0];
#| }
! sed 's/SCOPE_WORKGROUP/SCOPE_AGENT/' narrow.hip > wide.hip

$ build /q amount.hip --device-only --arch gfx942 -o amount.co
amount.co

$ kernel run /q amount.co amount --grid 16384 --workgroup 256 --arg 'i32:random(1):16384' --arg i32:zero:4 --arg i32:16384 --capture frozen
2902.857142857143

$ iterate /q --source amount.hip --capture frozen --to select
null

$ propose edit narrow.hip
optimization  o1
made          1
refused       0

id  origin  title                 state     verdict  ratio x  decided_at  why
p1  edit    edit from narrow.hip  proposed  -              -  -           -
(1 row)

# Which of the workgroups, and where in the code, follows from the headers.
$ finish p1 --seed 7 | sed "s/: workgroup .*/: .../"
guard    p1   only the body of amount changed
build    p1   compiled for gfx942
screen   p1   vgprs 4 -> 6, sgprs 11 -> 15, lds_bytes 0 -> 16, instructions 21 -> 36
verify   p1   4 elements within tolerance on 14 input sets
measure  p1   6096 -> 4433 cycles, 5376 -> 8256 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 4 -> 6 VGPRs: 50 % more, 20 % are allowed
              warning: 0 -> 16 bytes of LDS: the baseline uses none
decide   p1   improved (modelled): 1.375 times as fast, 1.091 to 1.733 within the model's band, all of it above 1.000; right as machine code and not as source, where an atomic has the scope of a workgroup and needs that of the device, or lanes of a wave hand each other something in LDS without a barrier or fence: ...
         p1   rejected: edit from narrow.hip
next     o1   propose

$ propose edit wide.hip
optimization  o1
made          1
refused       0

id  origin  title               state     verdict  ratio x  decided_at  why
p2  edit    edit from wide.hip  proposed  -              -  -           -
(1 row)

$ finish p2
guard    p2   only the body of amount changed
build    p2   compiled for gfx942
screen   p2   vgprs 4 -> 6, sgprs 11 -> 15, lds_bytes 0 -> 16, instructions 21 -> 36
verify   p2   4 elements within tolerance on 14 input sets
measure  p2   6096 -> 4433 cycles, 5376 -> 8256 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 4 -> 6 VGPRs: 50 % more, 20 % are allowed
              warning: 0 -> 16 bytes of LDS: the baseline uses none
decide   p2   improved (modelled): 1.375 times as fast, 1.091 to 1.733 within the model's band, all of it above 1.000
         p2   accepted: edit from wide.hip
next     o1   propose

# Lanes of the only wave go in step; the source needs a barrier all the same.
! sed 's/part\[t\] = sum;/&\n  __syncthreads();/; s/+= part\[t + step\];/&\n    __syncthreads();/' step.hip > ordered.hip

$ build /q rows.hip --device-only --arch gfx942 -o rows.co
rows.co

$ kernel run /q rows.co rows --grid 4096 --workgroup 64 --arg 'f32:random(1):32000' --arg f32:zero:64 --arg i32:500 --capture held
28392.85714285714

$ iterate /q --source rows.hip --capture held --to select
null

$ propose edit step.hip
optimization  o2
made          1
refused       0

id  origin  title               state     verdict  ratio x  decided_at  why
p3  edit    edit from step.hip  proposed  -              -  -           -
(1 row)

$ finish p3 --seed 7
guard    p3   only the body of rows changed
build    p3   compiled for gfx942
screen   p3   vgprs 2 -> 8, sgprs 16 -> 17, lds_bytes 0 -> 256, instructions 30 -> 66
verify   p3   64 elements within tolerance on 12 input sets
measure  p3   59625 -> 11631 cycles, 321216 -> 9728 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 2 -> 8 VGPRs: 300 % more, 20 % are allowed
              warning: 0 -> 256 bytes of LDS: the baseline uses none
decide   p3   improved (modelled): 5.126 times as fast, 4.069 to 6.459 within the model's band, all of it above 1.000; right as machine code and not as source, where an atomic has the scope of a workgroup and needs that of the device, or lanes of a wave hand each other something in LDS without a barrier or fence: a lane of wave 0 reads LDS byte 128 at 0x1734, which another lane of it wrote at 0x1678 with no barrier between (captured input)
         p3   rejected: edit from step.hip
next     o2   propose
? 4

$ propose edit ordered.hip
optimization  o2
made          1
refused       0

id  origin  title                  state     verdict  ratio x  decided_at  why
p4  edit    edit from ordered.hip  proposed  -              -  -           -
(1 row)

$ finish p4
guard    p4   only the body of rows changed
build    p4   compiled for gfx942
screen   p4   vgprs 2 -> 8, sgprs 16 -> 17, lds_bytes 0 -> 256, instructions 30 -> 101
verify   p4   64 elements within tolerance on 12 input sets
measure  p4   59625 -> 11967 cycles, 321216 -> 10944 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 2 -> 8 VGPRs: 300 % more, 20 % are allowed
              warning: 0 -> 256 bytes of LDS: the baseline uses none
decide   p4   improved (modelled): 4.982 times as fast, 3.954 to 6.278 within the model's band, all of it above 1.000
         p4   accepted: edit from ordered.hip
next     o2   propose
