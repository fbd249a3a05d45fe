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
