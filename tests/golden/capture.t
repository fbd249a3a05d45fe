# Captures and code objects.
# modelled
# example softmax: captures/softmax
# example add.co: hip/objects/vector_add.gfx90a.co
$ open softmax add.co
c1: softmax on gfx942, 128 x 1 x 1 work-items in workgroups of 64 x 1 x 1, 2 regions, 96.00 KiB, post image
o1: gfx90a, 1 kernel: vector_add

$ capture info softmax
id                c1
path              softmax
kernel            softmax
architecture      gfx942
grid              128x1x1
workgroup         64x1x1
dynamic_lds       0 B
kernarg           280 B
regions           2
memory            96.0 KiB
changed_regions   1
code_hash         d9aeb553e3ff3341a85542543dde710f321cf12c50d24a676288093aace98f14
target            emu
model             rpl-cycle/0.5 MI300X
tool              rpl 0.1.0
origin            kernel run examples/hip/objects/softmax... f32:nan:8192 --arg i32:128 --arg i32:64
layout            rpl
hidden_arguments  none

argument  kind    element  count  offset B  size B  value
       1  buffer  f32      8,192         0       8  0x7f0000000000
       2  buffer  f32      8,192         8       8  0x7f0000018000
       3  value   i32          -        16       4  128
       4  value   i32          -        20       4  64
(4 rows, recorded)

$ capture regions softmax
region      base            size KiB  changed KiB  first_offset  kind  owner  flags
argument 1  0x7f0000000000      32.0          0.0             -  -     -      -
argument 2  0x7f0000018000      32.0         31.9             0  -     -      -
(2 rows, recorded)

$ capture verify softmax
id                c1
path              softmax
files             intact
post_image        matched
differing         0 B
layout            rpl
hidden_arguments  none
null_kernel       fails
copy_kernel       fails
(modelled)

$ object meta add.co
id            o1
path          add.co
architecture  gfx90a
size          4976 B
code_hash     1a65c06f35d0f64c55058b2b72205be1c1fc91425e11e1e4c8129a99ff156606

kernel      vgprs  agprs  sgprs  spills  lds B  scratch B  kernarg B  instructions  code B
vector_add      8      0     12       0      0          0        288            29     152
(1 row; no room for parameters, max_workgroup: /v, recorded)

$ object kernel add.co | sed -n 1,24p
kernel            vector_add
object            o1
vgprs             8
agprs             0
sgprs             12
vgpr_spills       0
sgpr_spills       0
lds               0 B
scratch           0 B
kernarg           288 B
max_workgroup     1,024
instructions      29
by_class          valu 14, salu 3, smem 4, vmem 3, branch 1, wait 3, other 1
atomics           0
scratch_accesses  0
code              152 B
code_hash         32167be4550089e71632e6ab0637c4d8ae7c9fbe7aace4533e77c34bda08cf68

argument  offset B  size B  kind                    access  name
       1         0       8  global_buffer           -       -
       2         8       8  global_buffer           -       -
       3        16       8  global_buffer           -       -
       4        24       4  by_value                -       -
       -        32       4  hidden_block_count_x    -       -

(rpl) capture list
id  current  kernel   architecture  regions  memory KiB  path     grid     stored KiB  state
-   no       softmax  gfx942              2        96.0  softmax  128x1x1       104.0  complete
(1 row; no room for post_image: /v, recorded)

(rpl) object list
id  current  architecture  kernels  size B  code_hash  path
(0 rows, recorded)
err: note: no code object is open; open one: open FILE.co

(rpl) capture open softmax
c1: softmax on gfx942, 128 x 1 x 1 work-items in workgroups of 64 x 1 x 1, 2 regions, 96.00 KiB, post image

(rpl) object meta/q add.co
o1

(rpl) capture list
id  current  kernel   architecture  regions  memory KiB  path     grid     stored KiB  state
c1  yes      softmax  gfx942              2        96.0  softmax  128x1x1       104.0  complete
(1 row; no room for post_image: /v, recorded)

(rpl) complete capture verify c
line
capture verify c1
(1 row)

(rpl) object list
id  current  architecture  kernels  size B  code_hash                                         path
o1  yes      gfx90a              1    4976  1a65c06f35d0f64c55058b2..e11e1e4c8129a99ff156606  add.co
(1 row, recorded)

(rpl) capture info/q
softmax

# A capture is made in one piece, and never over another one.
$ kernel run add.co --grid 128 --workgroup 64 --arg i32:iota:100 --arg i32:one:100 --arg i32:zero:100 --arg i32:100 --capture add >table.txt

! ls -R add; cat add/capture.json | python3 -c "import json, sys; h = json.load(sys.stdin); print(h['schema'], h['target'], len(h['files']))"
add:
capture.json
dispatch.json
kernarg.bin
kernel.hsaco
memory
memory_regions.json
post
self_check.json

add/memory:
region_7f0000000000.bin
region_7f0000011000.bin
region_7f0000022000.bin

add/post:
region_7f0000022000.bin
rpl.capture/2 emu 8

$ kernel run add.co --grid 128 --workgroup 64 --arg i32:iota:100 --arg i32:one:100 --arg i32:zero:100 --arg i32:100 --capture add
err: error: add exists already; captures are never overwritten: name another folder, or remove it
? 1

$ capture verify add
id                c1
path              add
files             intact
post_image        matched
differing         0 B
layout            rpl
hidden_arguments  none
null_kernel       fails
copy_kernel       fails
(modelled)

# What was changed afterwards is noticed.
! printf x | dd of=add/kernarg.bin bs=1 seek=3 conv=notrunc status=none

$ capture verify add
err: error: add: kernarg.bin: its SHA-256 is not the one in capture.json; the file was changed after the capture
? 1

! rm add/kernarg.bin

$ capture info add
err: error: add: kernarg.bin: No such file or directory; 'capture list' shows the captures that there are
? 1

$ capture info nowhere
err: error: no capture 'nowhere'; open one: capture open DIR, or name it in the command
? 1

# A dispatch of a program, with the variables of its code.
# needs example: rpl-hip-example
$ capture run vector --dispatch 2 -o second -- rpl-hip-example
PASSED
c1: vector_add on gfx942, 4096 x 1 x 1 work-items in workgroups of 256 x 1 x 1, 1 region, 32.00 KiB, post image
captured dispatch 2 of 2 that 'vector' names, in second

(rpl) capture run '/^vec.*add$/' -o first --quiet -- rpl-hip-example
c1: vector_add on gfx942, 4096 x 1 x 1 work-items in workgroups of 256 x 1 x 1, 2 regions, 48.00 KiB, post image
captured dispatch 1 of 2 that '/^vec.*add$/' names, in first

(rpl) capture regions
region      base            size KiB  changed B  first_offset  kind  owner  flags
argument 1  0x100000000000      16.0          0             -  pool  -      -
argument 3  0x100000014000      16.0       8192             2  pool  -      -
(2 rows, recorded)

(rpl) capture verify
id                c1
path              first
files             intact
post_image        matched
differing         0 B
layout            rpl
hidden_arguments  none
null_kernel       fails
copy_kernel       fails
(modelled)
err: note: weak oracle: every element of argument 3 becomes the same: a kernel that stores a constant would pass

(rpl) replay /q
2009.5238095238094

$ capture run nothing -o none -- rpl-hip-example
PASSED
err: error: no dispatch of a kernel that 'nothing' names; there ran vector_add 2 x; name one of these, a part of a name or a /regex/
? 1

$ capture run vector --dispatch 9 -o none -- rpl-hip-example
PASSED
err: error: 2 dispatches of kernels that 'vector' names, not 9; --dispatch counts from 1
? 1

$ capture run vector -o second -- rpl-hip-example
err: error: second exists already; name another folder: -o DIR
? 1

$ capture run '/(/' -o none -- rpl-hip-example
err: error: /(/ is not a regular expression: Unmatched ( or \(; patterns are POSIX extended regular expressions
? 2

$ capture run vector -o none
err: error: no program to run; capture run KERNEL -- ./app ARGS
? 2

$ capture run vector -o none -- ls
err: error: /usr/bin/ls is not a HIP program: it does not use libamdhip64; build one: rpl build SOURCE -o app; the host's time of any program: profile --no-rocprof
? 6

! ls -d none second
second
err: ls: cannot access 'none': No such file or directory
? 2
