# A program that opens libamdhip64 by itself, as Python does.
# modelled
# example triton: triton
# needs program: rpl-opens-hip
$ profile --output out -- rpl-opens-hip
PASSED
ran rpl-opens-hip on 1 x MI300X, emulated: every time below is modelled
t1: 1 dispatch, 1 kernel, 1 stream, gfx942 x1, 2.790 us (rocpd 3)
  k9a5fd6  softmax                                   1 x    2.790 us  100.0 %
wrote out: profile.json roofline.json dag.json analysis.json, and the database

$ profile --output none -- rpl-opens-hip --elsewhere
err: error: rpl-opens-hip made no HIP call; check that this run of it uses a GPU at all, and that it opens libamdhip64.so by its name: a path of its own leads past the emulated devices
? 5

$ capture run softmax -o frozen -- rpl-opens-hip
PASSED
c1: softmax on gfx942, 2048 x 1 x 1 work-items in workgroups of 256 x 1 x 1, 2 regions, 94.50 KiB, post image
captured dispatch 1 of 1 that 'softmax' names, in frozen

$ replay frozen
capture               c1
kernel                name softmax, hsaco_path frozen/kernel.hsaco
execution             iterations 1, mode stateless
timing                unit microseconds, average 2.79, min 2.79, max 2.79, median 2.79, p5 2.79, p95 2.79, stdev 0
target                emu
median                2790 ns
time_source           modelled
post_image            matched
model                 rpl-cycle/0.5 MI300X
cycles                5,859 cycles
time                  2790 ns
time_low              2232 ns
time_high             3934 ns
time_class            mixed
simulated_workgroups  1
workgroups            8
waves                 32
instructions          7,232
by_class              valu 4,512, transcendental 256, salu 800, smem 96, vmem 64, lds 256, branch 96, wait 320, barrier 160, other 672
lane_share            92.05 %
load                  31.5 KiB
store                 31.5 KiB
transactions          1,008
lds_accesses          160
lds_conflicts         0 cycles
atomics               0

region      base            size KiB  post_image  differing B  first_offset
argument 2  0x100000000000      31.5  matched               -             -
argument 1  0x100000018000      31.5  matched               -             -
(2 rows, modelled)
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device

# The types of the arguments are in the metadata of the example.
$ regress triton/objects/softmax.gfx942.hsaco triton/later/softmax.gfx942.hsaco --capture frozen
compiler_a         triton/objects/softmax.gfx942.hsaco
flags_a            -
compiler_b         triton/later/softmax.gfx942.hsaco
flags_b            -
kernels            1
same_code          0
within_band        1
a_slower           0
b_slower           0
different_results  0
not_compared       0

source                kernel   verdict          results  time_a ns  time_b ns  ratio x  band %
softmax.gfx942.hsaco  softmax  within the band  close         2790       2607    0.934   26.00
(1 row; no room for vgprs_a, vgprs_b: /v, modelled)
err: note: softmax: results close: argument 1: 1938 of 8064 elements differ, the first at 3024: 0.0010885799 and 0.0010885798

$ autotune --variants triton/cache/softmax --capture frozen --confirm 0 --csv
evaluation,configuration,state,time_ns,best_ns,stage,reason,requeued
1,num_warps=2,ok,2936.190476190476,2936.190476190476,,,0
2,num_warps=16,ok,3088.095238095238,2936.190476190476,,,0
3,num_warps=8,ok,2820.4761904761904,2820.4761904761904,,,0
4,num_warps=1,ok,3088.5714285714284,2820.4761904761904,,,0
5,num_warps=4,ok,2790.0,2790.0,,,0
err: note: chosen: num_warps=4, 2.790 us; what costs it most: small-grid at softmax.py:13:21 in softmax, 56 to 72 % of its time
err: note: next: num_warps=8, 2.820 us; what costs it most: small-grid at softmax.py:13:21 in softmax, 55 to 71 % of its time
err: note: the next one takes 1.1 % longer, within the model's band of 26 %: measure both on a GPU
