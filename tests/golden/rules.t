# Kernels of examples/hip that rules change, each change guarded, built, screened, verified, measured and decided.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# example transpose_example.hip: hip/transpose_unpadded.hip
# example softmax_example.hip: hip/softmax.hip
# example row_scale_example.hip: hip/row_scale.hip
! cat transpose_example.hip > transpose.hip

! cat softmax_example.hip > softmax.hip

! cat row_scale_example.hip > row_scale.hip

$ build /q transpose.hip --device-only --arch gfx942 -o transpose.co
transpose.co

$ kernel run /q transpose.co transpose_unpadded --grid 256,64 --workgroup 32,8 --arg 'f32:random(1):65536' --arg f32:zero:65536 --arg i32:256 --arg i32:256 --capture transpose
3947.142857142857

$ build /q softmax.hip --device-only --arch gfx942 -o softmax.co
softmax.co

$ kernel run /q softmax.co softmax --grid 256 --workgroup 64 --arg 'f32:random(1):16640' --arg f32:zero:16640 --arg i32:256 --arg i32:65 --capture softmax
74240.95238095238
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device

$ build /q row_scale.hip --device-only --arch gfx942 -o row_scale.co
row_scale.co

$ kernel run /q row_scale.co row_scale --grid 256 --workgroup 64 --arg 'f32:random(1):16384' --arg 'f32:random(2):256' --arg f32:zero:16384 --arg i32:256 --arg i32:64 --capture row_scale
47152.380952380954

# A tile whose columns lie in one bank. What padding gains is less than the model may be off: only a GPU can tell.
(rpl) iterate --source transpose.hip --capture transpose --to select
profile  o1   baseline built and equal to the capture: 8289 cycles, 29952 wave-instructions
select   o1   transpose_unpadded is the only kernel of this capture; a wave waits 3560 cycles for memory and 960 for LDS
next     o1   propose

(rpl) propose rule lds-padding
optimization  o1
made          1
refused       0

id  origin  title                      state     verdict  ratio x  decided_at  why
p1  rule    pad the rows of tile by 1  proposed  -              -  -           -
(1 row)

(rpl) finish p1
guard    p1   only the body of transpose_unpadded changed
build    p1   compiled for gfx942
screen   p1   lds_bytes 4096 -> 4224, instructions 117 -> 125
verify   p1   left out: 1.079 times as fast on the captured input (modelled)
measure  p1   8289 -> 7682 cycles, 29952 -> 32000 wave-instructions (rpl-cycle/0.5 MI300X)
decide   p1   undecided (modelled): 1.079 times as fast, 0.856 to 1.360 within the model's band; all of it above 1.000 is needed, and a GPU can tell
         p1   rejected: pad the rows of tile by 1
next     o1   propose

# Rows that are walked element by element.
(rpl) iterate --source softmax.hip --capture softmax --to select
profile  o2   baseline built and equal to the capture: 155906 cycles, 15244 wave-instructions
select   o2   softmax is the only kernel of this capture; a wave waits 131324 cycles for memory and 902 for LDS
next     o2   propose

(rpl) propose rule vector-load
optimization  o2
made          3
refused       1

id  origin  title                                         state     verdict  ratio x  decided_at
p2  rule    read 16 bytes at once in 2 loops              proposed  -              -  -
p3  rule    read 16 bytes at once in the loop in line 11  proposed  -              -  -
p4  rule    read 16 bytes at once in the loop in line 13  proposed  -              -  -
(3 rows; no room for why: /v)
err: note: vector-load: line 15: the loop writes memory, which may be what it reads

(rpl) finish p2
guard    p2   only the body of softmax changed
build    p2   compiled for gfx942
screen   p2   vgprs 13 -> 25, sgprs 15 -> 24, instructions 109 -> 221
verify   p2   16640 elements equal bit by bit on 13 input sets
measure  p2   155906 -> 118498 cycles, 15244 -> 12424 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 13 -> 25 VGPRs: 92 % more, 20 % are allowed
decide   p2   improved (modelled): 1.316 times as fast, 1.044 to 1.658 within the model's band, all of it above 1.000
         p2   accepted: read 16 bytes at once in 2 loops
next     p3   propose

# A factor that is loaded again for each element, and pointers that might alias: what only captured launches prove is asked for.
(rpl) iterate --source row_scale.hip --capture row_scale --to select
profile  o3   baseline built and equal to the capture: 99020 cycles, 2652 wave-instructions
select   o3   row_scale is the only kernel of this capture; a wave waits 90602 cycles for memory and 898 for LDS
next     o3   propose

(rpl) propose rule restrict
optimization  o3
made          0
refused       1

id  origin  title  state  verdict  ratio x  decided_at  why
(0 rows)
err: note: restrict: line 6: could promise that in, factors, out do not alias, but only row_scale shows that they point into different allocations: --assume-captured takes that to hold always

(rpl) propose rule restrict --assume-captured
optimization  o3
made          1
refused       0

id  origin  title                                       state     verdict  ratio x  decided_at  why
p5  rule    promise that in, factors, out do not alias  proposed  -              -  -           -
(1 row)

(rpl) finish p5
guard    p5   only the header of row_scale changed, by 'restrict 0 1 2'
build    p5   compiled for gfx942
screen   p5   vgprs 8 -> 10, sgprs 18 -> 16, instructions 33 -> 59
verify   p5   16384 elements equal bit by bit on 13 input sets
measure  p5   99020 -> 51902 cycles, 2652 -> 1284 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 8 -> 10 VGPRs: 25 % more, 20 % are allowed
decide   p5   improved (modelled): 1.908 times as fast, 1.514 to 2.404 within the model's band, all of it above 1.000
         p5   accepted: promise that in, factors, out do not alias
next     o3   propose

(rpl) info proposal p5
p5  accepted  promise that in, factors, out do not alias
loads need not wait for stores before them, and may be reordered and joined
assumed: only row_scale shows that they point into different allocations
improved (modelled): 1.908 times as fast by rpl-cycle/0.5 MI300X; no silicon took part
the gain: on other inputs, too
resources: 8 -> 10 VGPRs: 25 % more, 20 % are allowed

--- a/row_scale.hip
+++ b/row_scale.hip
@@ -3,7 +3,7 @@
 // before might have changed it for all that the compiler knows. The rules restrict and invariant-hoist find that.
 #include <hip/hip_runtime.h>
 
-extern "C" __global__ void row_scale(const float* in, const float* factors, float* out, int rows, int columns) {
+extern "C" __global__ void row_scale(const float* __restrict__ in, const float* __restrict__ factors, float* __restrict__ out, int rows, int columns) {
   const int row = blockIdx.x * blockDim.x + threadIdx.x;
   if (row >= rows) return;
   const float* x = in + static_cast<long>(row) * columns;

# The whole catalogue, ordered by what the run of the baseline shows; the stage propose asks for it too.
(rpl) set optimize scope extended

(rpl) set optimize assume-captured on

(rpl) iterate --source softmax.hip --capture softmax --to propose
profile  o4   baseline built and equal to the capture: 155906 cycles, 15244 wave-instructions
select   o4   softmax is the only kernel of this capture; a wave waits 131324 cycles for memory and 902 for LDS
propose  o4   31 proposals, p6 to p36
              p6   unroll the loop in line 11 by 2
              p7   unroll the loop in line 11 by 4
              p8   unroll the loop in line 11 by 8
              p9   keep the loop in line 11 rolled
              p10  unroll the loop in line 13 by 2
              p11  unroll the loop in line 13 by 4
              p12  unroll the loop in line 13 by 8
              p13  keep the loop in line 13 rolled
              p14  unroll the loop in line 15 by 2
              p15  unroll the loop in line 15 by 4
              and 21 more; 'info proposals' lists them
              vector-load: line 15: the loop writes memory, which may be what it reads
              split-sums: line 15: its turns store to memory and are apart already
              nontemporal: line 11: 'in' may be read more than once, which caches are for
              nothing by invariant-hoist, register-rows, swap-lanes, lds-tile, lds-transpose, lds-atomics, float-literals, lds-padding; 'propose rule invariant-hoist' says why
next     p6   guard

(rpl) propose rule nothing
err: error: no rule 'nothing'; there are loop-unroll, lds-padding, vector-load, restrict, invariant-hoist, register-rows, wave-per-row, swap-lanes, lds-tile, lds-transpose, workgroup-size, fuse-launches, float-literals, split-sums, lds-atomics, nontemporal, launch-bounds, waves-per-eu, compiler-flags
