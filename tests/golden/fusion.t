# Two kernels that are launched in a row become one: proposed by a rule and by hand, verified against what both leave in memory, measured, written with the launch, taken back.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# example scale_add_example.hip: hip/host/scale_add_main.hip
# file with.awk:
#| { print }
#| /^__global__ void add/ { inside = 1 }
#| inside && /^}/ { inside = 0; while ((getline line < kernel) > 0) print line }
# file one.hip:
#|
#| __global__ void both(const float* x, float* y, const float* z, float* out, int n) {
#|   const int i = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (i >= n) return;
#|   const float scaled = 2.5f * x[i];
#|   y[i] = scaled;
#|   out[i] = scaled + z[i];
#| }
# file neighbour.hip:
#|
#| __global__ void both(const float* x, float* y, const float* z, float* out, int n) {
#|   const int i = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (i >= n) return;
#|   y[i] = 2.5f * x[i];
#|   out[n - 1 - i] = y[n - 1 - i] + z[n - 1 - i];
#| }
! cat scale_add_example.hip > scale_add.hip; rpl build /q scale_add.hip -o scale_add; rpl capture run --slice 1..2 -o slice -- ./scale_add | tail -n 1
scale_add
captured dispatches 1..2 of 2, in slice

$ iterate --source scale_add.hip --capture slice --to select
profile  o1   baseline built and equal to the capture: 7812 cycles, 6811 wave-instructions
select   o1   scale is the first of 2 dispatches of this capture; a wave waits 881 cycles for memory and 203 for LDS
next     o1   propose

$ propose rule fuse-launches
optimization  o1
made          1
refused       0

id  origin  title                                                      state     verdict  ratio x
p1  rule    one launch instead of two: scale with the kernel after it  proposed  -              -
(1 row; no room for decided_at, why: /v)

$ finish p1
guard    p1   scale_add is new and launched in place of two in line 31, nothing else changed
build    p1   compiled for gfx942
screen   p1   vgprs 4 -> 6, sgprs 11 -> 18, instructions 20 -> 27
verify   p1   20000 elements within tolerance on 9 input sets
measure  p1   7812 -> 5139 cycles, 6811 -> 4269 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 4 -> 6 VGPRs: 50 % more, 20 % are allowed
decide   p1   improved (modelled): 1.520 times as fast, 1.206 to 1.915 within the model's band, all of it above 1.000
         p1   accepted: one launch instead of two: scale with the kernel after it
next     o1   propose

$ --allow approve approve p1 --accept-modelled
p1 is in scale_add.hip; 'revert p1' takes it back

! diff scale_add_example.hip scale_add.hip
19a20,34
> __global__ void scale_add(const float *x, float *y, int n, const float *z, float *out) {
>   // What scale does.
>   [](const float* x, float* y, int n) {
>     const int i = blockIdx.x * blockDim.x + threadIdx.x;
>     if (i >= n) return;
>     y[i] = 2.5f * x[i];
>   }(x, y, n);
>   // What add does.
>   [](const float* y, const float* z, float* out, int n) {
>     const int i = blockIdx.x * blockDim.x + threadIdx.x;
>     if (i >= n) return;
>     out[i] = y[i] + z[i];
>   }(y, z, out, n);
> }
> 
31,32c46
<   scale<<<blocks, 256>>>(x, y, n);
<   add<<<blocks, 256>>>(y, z, out, n);
---
>   scale_add<<<blocks, 256>>>(x, y, n, z, out);
? 1

$ replay --proposal p1 | grep -E "^(kernel|median|post_image)"
kernel                name scale_add, hsaco_path .rpl/proposals/p1/candidate.co
median                2447 ns
post_image            matched

# The program as it is now.
! rpl build /q scale_add.hip -o fused; rpl profile --quiet --output after -- ./fused | head -n 3
fused
ran ./fused on 1 x MI300X, emulated: every time below is modelled
t1: 1 dispatch, 1 kernel, 1 stream, gfx942 x1, 2.449 us (rocpd 3)
  ka5193e  scale_add                                 1 x    2.449 us  100.0 %

$ --allow approve revert p1
scale_add.hip is as it was before p1

! cmp scale_add_example.hip scale_add.hip && echo as before
as before

$ export evidence p1 -o p1.tar.zst
wrote p1.tar.zst: the evidence of p1

$ audit p1.tar.zst | grep -E "^(intact|code|patch|verdict)"
intact            yes
verdict           improved
patch.diff        yes     has the hash of the manifest
verdict.json      yes     has the hash of the manifest
verdict           yes     improved again, ratio 1.5201
patch             yes     is the difference of the two sources
code              yes     other machine code of the same interface

# By hand: the copy has one kernel more, and its launches are left alone. What the first stores must be there, as others may read it.
! awk -v kernel=one.hip -f with.awk scale_add.hip > edited.hip

$ propose edit edited.hip | tail -n 3
id  origin  title                         state     verdict  ratio x  decided_at  why
p2  edit    both instead of two launches  proposed  -              -  -           -
(1 row)

$ finish p2
guard    p2   both is new and launched in place of two in line 31, nothing else changed
build    p2   compiled for gfx942
screen   p2   vgprs 4 -> 8, sgprs 11 -> 18, instructions 20 -> 26
verify   p2   20000 elements within tolerance on 9 input sets
measure  p2   7812 -> 5131 cycles, 6811 -> 4112 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 4 -> 8 VGPRs: 100 % more, 20 % are allowed
decide   p2   improved (modelled): 1.523 times as fast, 1.208 to 1.918 within the model's band, all of it above 1.000
         p2   accepted: both instead of two launches
next     o1   propose

# The slice holds both kernels still: what follows is captured anew.
$ iterate --from p2 --to propose
err: error: p2 made one kernel of two, and the capture holds both; approve it, and capture the new kernel: 'capture run KERNEL -- ./app'
? 1

# Without what lies between them the memory is another.
! grep -v 'y\[i\] = scaled' one.hip > less.hip; awk -v kernel=less.hip -f with.awk scale_add.hip > edited.hip; rpl propose edit /q edited.hip; rpl finish p3 | grep -E "^verify"
1
verify   p3   wrong: argument 2: 10000 elements that the baseline writes are not written; the first at 0 (captured input)

# A work-item that reads what another one stored needs the end of the first kernel.
! awk -v kernel=neighbour.hip -f with.awk scale_add.hip > edited.hip; rpl propose edit /q edited.hip; rpl finish p4 | grep -oE "^verify +p4 +wrong: wave|with no barrier between"
1
verify   p4   wrong: wave
with no barrier between

# Lengths are drawn for both at once: one that is written down is found.
! sed 's/i >= n/i >= 10000/' one.hip > fixed.hip; awk -v kernel=fixed.hip -f with.awk scale_add.hip > edited.hip; rpl propose edit /q edited.hip; rpl finish p5 | grep -E "^verify"
1
verify   p5   wrong: argument 2: 1 elements are written that the baseline leaves alone; the first at 9999 (other scalar arguments)

# Nothing else may differ, and every parameter is one of theirs.
! sed 's/float\* z, float\* out/float* w, float* out/; s/z\[i\]/w[i]/' one.hip > other.hip; awk -v kernel=other.hip -f with.awk scale_add.hip > edited.hip

$ propose edit edited.hip
err: error: neither scale nor add has a parameter 'w'; name each parameter as one of theirs, or 'add_NAME' for the one of add
? 1

! awk -v kernel=one.hip -f with.awk scale_add.hip | sed 's/n = 10000/n = 20000/' > edited.hip

$ propose edit edited.hip
err: error: the edited file differs outside both; leave the file as it is, launches included, and write one more kernel beside the two
? 1

# Other kernels of the slice are not changed.
$ --session second iterate --source scale_add.hip --kernel add --capture slice --to profile
err: error: add is not the first dispatch of this slice, and only that one can be changed; 'capture run KERNEL' or 'capture run --slice FROM..TO' captures one that begins with it
? 1

# Where the launches are apart the kernel is judged all the same, and who approves it has to change them.
! sed 's/^  add<<</  if (blocks == 0) return 2;\n  add<<</' scale_add_example.hip > apart.hip; awk -v kernel=one.hip -f with.awk apart.hip > edited.hip

$ --session apart iterate /q --source apart.hip --capture slice --to select
null

$ --session apart propose rule fuse-launches
optimization  o1
made          0
refused       1

id  origin  title  state  verdict  ratio x  decided_at  why
(0 rows)
err: note: fuse-launches: line 8: add is nowhere in this file launched directly after scale

$ --session apart propose edit /q edited.hip
1

# With this seed the buffer that the second kernel writes holds already what it writes there.
$ --session apart finish p1 --seed 154555048260 | grep -E "^(guard|decide)"
guard    p1   both is new, and nothing else changed; its launch cannot be written: add is nowhere in this file launched directly after scale
decide   p1   improved (modelled): 1.523 times as fast, 1.208 to 1.918 within the model's band, all of it above 1.000

$ --session apart --allow approve approve p1 --accept-modelled
err: error: p1 is right with another launch alone (both in place of two kernels), which is not written in DIR/apart.hip: add is nowhere in this file launched directly after scale; change the launch where it is, and type 'approve p1 --launch-elsewhere'
? 1
