# The last profile again, and with other arguments for its program.
# modelled
# needs example: rpl-hip-example
# example vector_add.co: hip/objects/vector_add.gfx942.co
(rpl) profile --quiet --output first -- rpl-hip-example
ran rpl-hip-example on 1 x MI300X, emulated: every time below is modelled
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
wrote first: profile.json roofline.json dag.json analysis.json, and the database

(rpl) run -- --dispatches 3
ran rpl-hip-example --dispatches 3 on 1 x MI300X, emulated: every time below is modelled
t2: 5 dispatches, 1 kernel, 3 streams, gfx942 x1, 37.28 us (rocpd 3)
  k5e4c39  vector_add                                5 x    7.552 us  100.0 %
wrote DIR/.rpl/profiles/1: profile.json roofline.json dag.json analysis.json, and the database

(rpl) run
ran rpl-hip-example --dispatches 3 on 1 x MI300X, emulated: every time below is modelled
t3: 5 dispatches, 1 kernel, 3 streams, gfx942 x1, 37.28 us (rocpd 3)
  k5e4c39  vector_add                                5 x    7.552 us  100.0 %
wrote DIR/.rpl/profiles/2: profile.json roofline.json dag.json analysis.json, and the database

(rpl) run 1 2
ran rpl-hip-example 1 2 on 1 x MI300X, emulated: every time below is modelled
t4: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
wrote DIR/.rpl/profiles/3: profile.json roofline.json dag.json analysis.json, and the database

# A launch has no arguments of that kind.
(rpl) break vector_add
Breakpoint 1 at vector_add

(rpl) kernel run vector_add.co --grid 64 --workgroup 64 --arg f32:iota:64 --arg f32:iota:64 --arg f32:zero:64 --arg i32:64
Breakpoint 1
wave 0 of workgroup 0, lane 0, 0 wave-instructions so far
=> 0x1900 <+0x0>  s_load_dword s3, s[0:1], 0x2c
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) run 5
err: error: a kernel is being debugged, and a launch has its arguments already; 'kernel run OBJECT KERNEL … --arg …' launches it with others; kill, then run ARGS repeats the last profile with these
