# An atomic of the scope of a workgroup where other workgroups add to the same place: the machine code is the same as with the device's scope, and another build shows it.
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

$ finish p1
guard    p1   only the body of amount changed
build    p1   compiled for gfx942
screen   p1   vgprs 4 -> 6, sgprs 11 -> 15, lds_bytes 0 -> 16, instructions 21 -> 36
verify   p1   4 elements within tolerance on 14 input sets
measure  p1   6096 -> 4433 cycles, 5376 -> 8256 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 4 -> 6 VGPRs: 50 % more, 20 % are allowed
              warning: 0 -> 16 bytes of LDS: the baseline uses none
decide   p1   improved (modelled): 1.375 times as fast, 1.091 to 1.733 within the model's band, all of it above 1.000; an atomic is of the scope of a workgroup or less, and other workgroups use the same memory: workgroup 8 writes byte 0 of argument 2 (16 bytes at 0x7f0000020000) at 0x19b0, which workgroup 30 wrote at 0x19b0 with nothing that orders them between (captured input)
         p1   rejected: edit from narrow.hip
next     o1   propose
? 4

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
