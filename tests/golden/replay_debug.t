# A replayed kernel, stopped, looked at, stepped and let go: on the memory that was captured.
# example frozen: captures/softmax
# example same.co: hip/objects/softmax.gfx942.co
(rpl) break softmax
Breakpoint 1 at softmax

(rpl) replay frozen
Breakpoint 1
wave 0 of workgroup 0, lane 0, 0 wave-instructions so far
=> 0x1900 <+0x0>  s_load_dword s3, s[0:1], 0x24
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) x/4wf $arg1
0x7f0000000000 <argument 1>:  0.7735361  -0.49538597  0.46541834  0.19867882

(rpl) stepi 5
wave 0 of workgroup 0, lane 0, 5 wave-instructions so far
=> 0x1920 <+0x20>  v_add_u32_e32 v0, s2, v0
exec 0xffffffffffffffff, 64 of 64 lanes
changed: s[3:5] = …; scc = 1

(rpl) info registers exec s[0:3] | head -6
wave 0 of workgroup 0, lane 0

register  lane  active  value               integer      float
exec         -  -       0xffffffffffffffff        -          -
s0           -  -       0x00044000           278528  3.903e-40
s1           -  -       0x00007f00            32512  4.556e-41

(rpl) print $capture
$4 = c1

(rpl) continue
Breakpoint 1
wave 0 of workgroup 1, lane 0, 3753 wave-instructions so far
=> 0x1900 <+0x0>  s_load_dword s3, s[0:1], 0x24
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) continue
softmax ran to its end: 7506 wave-instructions
  argument 1 f32 x 8192: 0.7735361, -0.49538597, 0.46541834, 0.19867882, …
  argument 2 f32 x 8192: 0.024451012, 0.006874023, 0.017967308, 0.013760667, …
post image matched

(rpl) x/4wf $arg2
0x7f0000018000 <argument 2>:  0.024451012  0.006874023  0.017967308  0.013760667

(rpl) reverse-continue
Breakpoint 1
wave 0 of workgroup 1, lane 0, 3753 wave-instructions so far
=> 0x1900 <+0x0>  s_load_dword s3, s[0:1], 0x24
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) delete

(rpl) continue
softmax ran to its end: 7506 wave-instructions
  argument 1 f32 x 8192: 0.7735361, -0.49538597, 0.46541834, 0.19867882, …
  argument 2 f32 x 8192: 0.024451012, 0.006874023, 0.017967308, 0.013760667, …
post image matched

# From the first instruction, and again from the beginning.
(rpl) replay frozen --stop
softmax stands before its first instruction
wave 0 of workgroup 0, lane 0, 0 wave-instructions so far
=> 0x1900 <+0x0>  s_load_dword s3, s[0:1], 0x24
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) watch $arg2[3]
Watchpoint 1: $arg2[3]

(rpl) continue
Watchpoint 1: $arg2[3]
  0x7fc00000 (nan) -> 0x3c61746c (0.0137607)
wave 0 of workgroup 0, lane 0, 2250 wave-instructions so far
=> 0x1b48 <+0x248>  v_lshl_add_u64 v[2:3], v[2:3], 0, 4
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v0[0] = 0x00000010; v1[0] = 0x00007f00; v2[0] = 0x0001800c; v3[0] = 0x00007f00; 12 more

(rpl) delete

(rpl) run
softmax ran to its end: 7506 wave-instructions
  argument 1 f32 x 8192: 0.7735361, -0.49538597, 0.46541834, 0.19867882, …
  argument 2 f32 x 8192: 0.024451012, 0.006874023, 0.017967308, 0.013760667, …
post image matched

# Another build of it.
(rpl) break softmax if workgroup == 1
Breakpoint 1 at softmax, if workgroup == 1

(rpl) replay frozen --hsaco same.co
Breakpoint 1
wave 0 of workgroup 1, lane 0, 3753 wave-instructions so far
=> 0x1900 <+0x0>  s_load_dword s3, s[0:1], 0x24
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) delete

(rpl) continue
softmax ran to its end: 7506 wave-instructions
  argument 1 f32 x 8192: 0.7735361, -0.49538597, 0.46541834, 0.19867882, …
  argument 2 f32 x 8192: 0.024451012, 0.006874023, 0.017967308, 0.013760667, …
post image matched

# What does not go together.
$ replay frozen --stop --iterations 2
err: error: --iterations, --warmup and --no-recopy do not go with the debugger; 'disable' the breakpoints, or leave them out
? 2

$ replay frozen --stop --target local
err: error: the debugger stops kernels on the emulated device; --target emu, or leave --stop out
? 2

# The memory that is compared is that at the end: here the post image is another.
! cp -rL frozen changed; python3 -c "import hashlib, json; p = 'changed/post/region_7f0000018000.bin'; d = bytearray(open(p, 'rb').read()); d[40] ^= 1; open(p, 'wb').write(d); h = json.load(open('changed/capture.json')); [f.update(sha256=hashlib.sha256(d).hexdigest()) for f in h['files'] if f['path'] == p[8:]]; json.dump(h, open('changed/capture.json', 'w'))"

(rpl) replay changed --stop
softmax stands before its first instruction
wave 0 of workgroup 0, lane 0, 0 wave-instructions so far
=> 0x1900 <+0x0>  s_load_dword s3, s[0:1], 0x24
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) continue
softmax ran to its end: 7506 wave-instructions
  argument 1 f32 x 8192: 0.7735361, -0.49538597, 0.46541834, 0.19867882, …
  argument 2 f32 x 8192: 0.024451012, 0.006874023, 0.017967308, 0.013760667, …
post image differs
  argument 2: 1 bytes differ, the first at offset 40
