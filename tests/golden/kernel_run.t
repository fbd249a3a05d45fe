# A kernel of a code object, run on the emulated device.
# modelled
# example add.co: hip/objects/vector_add.gfx942.co
$ kernel run add.co vector_add --grid 512 --workgroup 256 --arg f32:iota:500 --arg f32:one:500 --arg f32:nan:500 --arg i32:500 --dump 3=sum.bin
object                o1
kernel                vector_add
architecture          gfx942
grid                  512x1x1
workgroup             256x1x1
dynamic_lds           0 B
model                 rpl-cycle/0.5 MI300X
cycles                4,226 cycles
time                  2012 ns
time_low              1932 ns
time_high             2978 ns
time_class            launch
simulated_workgroups  1
workgroups            2
waves                 8
instructions          184
by_class              valu 64, salu 24, smem 32, vmem 24, branch 8, wait 24, other 8
lane_share            98.08 %
load                  4000 B
store                 2000 B
transactions          96
lds_accesses          0
lds_conflicts         0 cycles
atomics               0

argument  kind    element  count  size B  first          changed  expected
       1  buffer  f32        500    2000  0, 1, 2, 3, …  no       -
       2  buffer  f32        500    2000  1, 1, 1, 1, …  no       -
       3  buffer  f32        500    2000  1, 2, 3, 4, …  yes      -
       4  value   i32          -       4  500            -        -
(4 rows, modelled)

! python3 -c "import array; a = array.array('f', open('sum.bin', 'rb').read()); print(a[0], a[499], len(a))"
1.0 500.0 500

$ kernel run add.co --grid 512 --workgroup 256 --arg f32:iota:500 --arg f32:one:500 --arg f32:nan:500 --arg i32:500 --counted --json | grep -v emulation_s
{
  "schema": "rpl.kernel.run/1",
  "object": "o1",
  "kernel": "vector_add",
  "architecture": "gfx942",
  "grid": [512, 1, 1],
  "workgroup": [256, 1, 1],
  "dynamic_lds_bytes": 0,
  "model": null,
  "cycles": null,
  "time_ns": null,
  "time_low_ns": null,
  "time_high_ns": null,
  "time_class": null,
  "simulated_workgroups": null,
  "workgroups": 2,
  "waves": 8,
  "sampled": false,
  "instructions": 184,
  "by_class": {"valu": 64, "salu": 24, "smem": 32, "vmem": 24, "branch": 8, "wait": 24, "other": 8},
  "lane_share": 0.9808238636363636,
  "load_bytes": 4000,
  "store_bytes": 2000,
  "transactions": 96,
  "lds_accesses": 0,
  "lds_conflicts": 0,
  "atomics": 0,
  "rows": [
    {"argument": 1, "kind": "buffer", "element": "f32", "count": 500, "size_bytes": 2000, "first": "0, 1, 2, 3, …", "changed": false, "expected": null},
    {"argument": 2, "kind": "buffer", "element": "f32", "count": 500, "size_bytes": 2000, "first": "1, 1, 1, 1, …", "changed": false, "expected": null},
    {"argument": 3, "kind": "buffer", "element": "f32", "count": 500, "size_bytes": 2000, "first": "1, 2, 3, 4, …", "changed": true, "expected": null},
    {"argument": 4, "kind": "value", "element": "i32", "count": null, "size_bytes": 4, "first": "500", "changed": null, "expected": null}
  ],
  "notes": [],
  "provenance": "modelled"
}

# What is expected may differ in the last bits; integers may not.
$ kernel run add.co --grid 512 --workgroup 256 --arg f32:iota:500 --arg f32:one:500 --arg f32:nan:500 --arg i32:500 --functional --expect 3=sum.bin | tail -6
argument  kind    element  count  size B  first          changed  expected
       1  buffer  f32        500    2000  0, 1, 2, 3, …  no       -
       2  buffer  f32        500    2000  1, 1, 1, 1, …  no       -
       3  buffer  f32        500    2000  1, 2, 3, 4, …  yes      matched
       4  value   i32          -       4  500            -        -
(4 rows, modelled)

! python3 -c "d = bytearray(open('sum.bin', 'rb').read()); d[30] ^= 64; open('other.bin', 'wb').write(d)"

$ kernel run add.co --grid 512 --workgroup 256 --arg f32:iota:500 --arg f32:one:500 --arg f32:nan:500 --arg i32:500 --expect 3=other.bin >table.txt
err: note: argument 3 differs from other.bin in 1 of 500 elements; the first is [7]: 8 instead of 12; the largest difference is 4
? 5

! head -c 100 sum.bin >short.bin

$ kernel run add.co --grid 512 --workgroup 256 --arg f32:iota:500 --arg f32:one:500 --arg f32:nan:500 --arg i32:500 --expect 3=short.bin
err: error: short.bin holds 100 bytes, argument 3 2000; 'object kernel' lists the arguments; expected is a file of the same size
? 2

# Buffers from files.
$ kernel run add.co --grid 512 --workgroup 256 --arg f32:@sum.bin --arg f32:@sum.bin:500 --arg f32:nan:500 --arg i32:500 --functional | grep buffer
       1  buffer  f32        500    2000  1, 2, 3, 4, …  no       -
       2  buffer  f32        500    2000  1, 2, 3, 4, …  no       -
       3  buffer  f32        500    2000  2, 4, 6, 8, …  yes      -

! printf '\364\001\000\000' >count.bin

$ kernel run add.co --grid 512 --workgroup 256 --arg 'f32:random(7):500' --arg f32:random:500 --arg f32:nan:500 --arg u8:@count.bin --functional | tail -6
argument  kind    element  count  size B  first                                    changed  expected
       1  buffer  f32        500    2000  0.7796595, 0.033576..4, -0.8341394, …    no       -
       2  buffer  f32        500    2000  -0.8176205, -0.5017..7, -0.4691617, …    no       -
       3  buffer  f32        500    2000  -0.037961006, -0.46..5, -1.3033011, …    yes      -
       4  value   -            -       4  -                                        -        -
(4 rows, modelled)

# Mistakes say what to write instead.
$ kernel run add.co --grid 512 --workgroup 256 --arg f32:iota:500
err: error: 'vector_add' has 4 parameters, but 1 --arg is given; it takes 1 buffer, 2 buffer, 3 buffer, 4 value of 4 bytes
? 2

$ kernel run add.co nope --grid 512 --workgroup 256
err: error: no kernel named 'nope'; it has vector_add
? 1

$ kernel run nope.co --grid 512 --workgroup 256
err: error: no code object 'nope.co'; open one: open FILE.co, or name it in the command
? 1

$ kernel run add.co --grid 512 --workgroup 256,2,2,2 --arg f32:iota:500
err: error: --workgroup '256,2,2,2' is not X[,Y[,Z]]; write work-items, as in 1024 or 64,16
? 2

$ kernel run add.co --grid 512 --workgroup 256 --arg f32:iota:500 --arg f32:two:4 --arg f32:nan:500 --arg i32:500
err: error: argument 2 'f32:two:4': no initial value 'two'; use zero, one, iota, random[(SEED)], nan, chain[(STRIDE[,SEED])], addresses(ARGUMENT,…) or @FILE
? 2

$ kernel run add.co --grid 512 --workgroup 256 --arg f32:iota:500 --arg f32:one --arg f32:nan:500 --arg i32:500
err: error: argument 2 'f32:one': it is a pointer and needs a number of elements; write TYPE:INIT:COUNT, as in f32:zero:1024
? 2

$ kernel run add.co --grid 512 --workgroup 256 --arg f32:iota:500 --arg f32:one:500 --arg f32:nan:500 --arg i32:zero:4
err: error: argument 4 'i32:zero:4': it is a value, not a pointer; write TYPE:VALUE, as in i32:1024
? 2

$ kernel run add.co --grid 512 --workgroup 256 --arg f32:iota:500 --arg f32:one:500 --arg f32:nan:500 --arg i64:500
err: error: argument 4 takes 4 bytes, not 8; 'object kernel' lists the parameters and their sizes
? 2

$ kernel run add.co --grid 512 --workgroup 256 --arg f32:iota:500 --arg f32:one:500 --arg f32:nan:500 --arg i32:500 --dump 4=n.bin
err: error: --dump: argument 4 is not a buffer; arguments count from 1
? 2

$ kernel run add.co --grid 512 --workgroup 2048 --arg f32:iota:500 --arg f32:one:500 --arg f32:nan:500 --arg i32:500
err: error: a workgroup of 2048 work-items is too large for 'vector_add'; it allows 1024
? 2

# Faults say where, who and what.
$ kernel run add.co --grid 512 --workgroup 256 --arg f32:iota:500 --arg f32:one:400 --arg f32:nan:500 --arg i32:500
err: error: vector_add: wave 2 of workgroup 1 at 0x1968, global_load_dword v7, v[2:3], off: lane 16 reads 4 bytes at 0x7f0000011640: 0 bytes past the end of argument 2 (1600 bytes at 0x7f0000011000); with --debug it stays stopped there; 'build SOURCE --device-only -g' records lines and variables
? 5

$ kernel run add.co --grid 512 --workgroup 256 --arg f32:iota:500 --arg f32:one:500 --arg f32:nan:500 --arg i32:500 --budget 100
err: error: vector_add: stopped after 100 wave-instructions, 1 of 2 workgroups done; wave 0 of workgroup 1 at 0x192c, s_cbranch_execz 22; raise the limit, or look for a loop that does not end
? 1

# A linked list, whose nodes are an address and a number of their own, and pointers to whole arguments.
# example chase.co: hip/objects/pointer_chase.gfx942.co
$ kernel run chase.co --grid 64 --workgroup 64 --arg 'u64:chain(2,7):200' --arg u64:zero:64 --arg u64:zero:64 --arg i32:64 --arg i32:1000 --functional | tail -7
argument  kind    element  count  size B  first                                    changed  expected
       1  buffer  u64        200    1600  139637976728480, 1,..7976727984, 3, …    no       -
       2  buffer  u64         64     512  139637976727552, 13..9637976727600, …    yes      -
       3  buffer  u64         64     512  100000, 100000, 100000, 100000, …        yes      -
       4  value   i32          -       4  64                                       -        -
       5  value   i32          -       4  1000                                     -        -
(5 rows, modelled)

$ kernel run chase.co --grid 64 --workgroup 64 --arg 'u64:addresses(2,1):200' --arg u64:zero:64 --arg u64:zero:64 --arg i32:64 --arg i32:1 --functional | tail -7
argument  kind    element  count  size B  first                                    changed  expected
       1  buffer  u64        200    1600  139637976797184, 13..9637976727552, …    no       -
       2  buffer  u64         64     512  139637976797184, 13..9637976797184, …    yes      -
       3  buffer  u64         64     512  139637976727552, 13..9637976727552, …    yes      -
       4  value   i32          -       4  64                                       -        -
       5  value   i32          -       4  1                                        -        -
(5 rows, modelled)

$ kernel run chase.co --grid 64 --workgroup 64 --arg 'f64:chain(2):200' --arg u64:zero:64 --arg u64:zero:64 --arg i32:64 --arg i32:1
err: error: argument 1: f64 holds no pointers; pointers are u64
? 2

$ kernel run chase.co --grid 64 --workgroup 64 --arg 'u64:chain(3):200' --arg u64:zero:64 --arg u64:zero:64 --arg i32:64 --arg i32:1
err: error: argument 1: 200 elements are not a whole number of nodes of 3; give a multiple
? 2

$ kernel run chase.co --grid 64 --workgroup 64 --arg 'u64:addresses(9):200' --arg u64:zero:64 --arg u64:zero:64 --arg i32:64 --arg i32:1
err: error: argument 1: argument 9 is not a buffer that could be pointed to; arguments count from 1
? 2

# The other examples: every type of number, and LDS that the launch sizes.
# example attention.co: hip/objects/attention.gfx942.co
# example norm.co: hip/objects/layer_norm.gfx942.co
# example stencil.co: hip/objects/stencil.gfx942.co
# example divergent.co: hip/objects/divergent.gfx942.co
# example newton.co: hip/objects/newton_f64.gfx942.co
$ kernel run attention.co --grid 128 --workgroup 64 --arg f32:random:4096 --arg f32:random:3072 --arg f32:iota:3072 --arg f32:nan:4096 --arg i32:128 --arg i32:96 --functional | tail -8
argument  kind    element  count  size KiB  first                                  changed  expected
       1  buffer  f32      4,096      16.0  -0.86687684, -0.50..2, 0.8887184, …    no       -
       2  buffer  f32      3,072      12.0  -0.8176205, -0.501.., -0.4691617, …    no       -
       3  buffer  f32      3,072      12.0  0, 1, 2, 3, …                          no       -
       4  buffer  f32      4,096      16.0  1505.7842, 1506.78..4, 1508.7844, …    yes      -
       5  value   i32          -       0.0  128                                    -        -
       6  value   i32          -       0.0  96                                     -        -
(6 rows, modelled)

$ kernel run norm.co --grid 1024 --workgroup 256 --arg f16:random:4096 --arg f16:one:1024 --arg f16:zero:1024 --arg f16:nan:4096 --arg i32:1024 --arg f32:1e-5 --functional | tail -8
argument  kind    element  count  size B  first                                    changed  expected
       1  buffer  f16      4,096    8192  -0.8666992, -0.5083..34, 0.8886719, …    no       -
       2  buffer  f16      1,024    2048  1, 1, 1, 1, …                            no       -
       3  buffer  f16      1,024    2048  0, 0, 0, 0, …                            no       -
       4  buffer  f16      4,096    8192  -1.5546875, -0.9355..49, 1.4794922, …    yes      -
       5  value   i32          -       4  1024                                     -        -
       6  value   f32          -       4  1e-05                                    -        -
(6 rows, modelled)

$ kernel run stencil.co --grid 64,64 --workgroup 32,8 --dynamic-lds 1824 --arg f32:iota:4096 --arg f32:one:3 --arg f32:nan:4096 --arg i32:64 --arg i32:64 --arg i32:2 --functional | tail -8
argument  kind    element  count  size KiB  first                  changed  expected
       1  buffer  f32      4,096      16.0  0, 1, 2, 3, …          no       -
       2  buffer  f32          3       0.0  1, 1, 1                no       -
       3  buffer  f32      4,096      16.0  195, 202, 210, 219, …  yes      -
       4  value   i32          -       0.0  64                     -        -
       5  value   i32          -       0.0  64                     -        -
       6  value   i32          -       0.0  2                      -        -
(6 rows, modelled)

$ kernel run divergent.co --grid 1024 --workgroup 256 --arg u32:iota:1000 --arg u32:zero:1000 --arg i32:1000 | tail -5
argument  kind    element  count  size B  first          changed  expected
       1  buffer  u32      1,000    4000  0, 1, 2, 3, …  no       -
       2  buffer  u32      1,000    4000  1, 2, 7, 4, …  yes      -
       3  value   i32          -       4  1000           -        -
(3 rows, modelled)
err: note: the last bits of v_rcp_iflag_f32 may differ from a real device

$ kernel run newton.co --grid 1024 --workgroup 256 --arg f64:iota:1000 --arg f64:nan:1000 --arg i32:zero:1000 --arg i32:1000 --functional | tail -6
argument  kind    element  count  size B  first                                    changed  expected
       1  buffer  f64      1,000    8000  0, 1, 2, 3, …                            no       -
       2  buffer  f64      1,000    8000  0, 1, 1.25992104989..2495703074083, …    yes      -
       3  buffer  i32      1,000    4000  0, 1, 5, 6, …                            yes      -
       4  value   i32          -       4  1000                                     -        -
(4 rows, modelled)
