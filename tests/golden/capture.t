# Captures and code objects.
# example softmax: captures/softmax
# example add.co: hip/objects/vector_add.gfx90a.co
$ open softmax add.co
c1: softmax on gfx942, 128 x 1 x 1 work-items in workgroups of 64 x 1 x 1, 2 regions, 96.00 KiB, post image
o1: gfx90a, 1 kernel: vector_add

$ capture info softmax
id               c1
path             softmax
kernel           softmax
architecture     gfx942
grid             128x1x1
workgroup        64x1x1
dynamic_lds      0 B
kernarg          280 B
regions          2
memory           96.0 KiB
changed_regions  1
code_hash        d9aeb553e3ff3341a85542543dde710f321cf12c50d24a676288093aace98f14
target           emu
model            rpl-cycle/0.3 MI300X
tool             rpl 0.1.0
origin           kernel run examples/hip/objects/softmax.g.. f32:nan:8192 --arg i32:128 --arg i32:64

argument  kind    element  count  offset B  size B  value
       1  buffer  f32      8,192         0       8  0x7f0000000000
       2  buffer  f32      8,192         8       8  0x7f0000018000
       3  value   i32          -        16       4  128
       4  value   i32          -        20       4  64
(4 rows, recorded)

$ capture regions softmax
region      base            size KiB  changed KiB  first_offset
argument 1  0x7f0000000000      32.0          0.0             -
argument 2  0x7f0000018000      32.0         31.9             0
(2 rows, recorded)

$ capture verify softmax
id          c1
path        softmax
files       intact
post_image  matched
differing   0 B
(modelled)

$ object meta add.co
id            o1
path          add.co
architecture  gfx90a
size          4976 B
code_hash     1a65c06f35d0f64c55058b2b72205be1c1fc91425e11e1e4c8129a99ff156606

kernel      vgprs  agprs  sgprs  spills  lds B  scratch B  parameters  instructions  code B
vector_add      8      0     12       0      0          0           4            29     152
(1 row; no room for kernarg_bytes, max_workgroup: /v, recorded)

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
id  current  kernel  architecture  regions  memory B  post_image  path
(0 rows, recorded)
err: note: no capture is open; open one: capture open DIR

(rpl) object list
id  current  architecture  kernels  size B  code_hash  path
(0 rows, recorded)
err: note: no code object is open; open one: open FILE.co

(rpl) capture open softmax
c1: softmax on gfx942, 128 x 1 x 1 work-items in workgroups of 64 x 1 x 1, 2 regions, 96.00 KiB, post image

(rpl) object meta/q add.co
o1

(rpl) capture list
id  current  kernel   architecture  regions  memory KiB  post_image  path
c1  yes      softmax  gfx942              2        96.0  yes         softmax
(1 row, recorded)

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

add/memory:
region_7f0000000000.bin
region_7f0000011000.bin
region_7f0000022000.bin

add/post:
region_7f0000022000.bin
rpl.capture/1 emu 8

$ kernel run add.co --grid 128 --workgroup 64 --arg i32:iota:100 --arg i32:one:100 --arg i32:zero:100 --arg i32:100 --capture add
err: error: add exists already; captures are never overwritten: name another folder, or remove it
? 1

$ capture verify add
id          c1
path        add
files       intact
post_image  matched
differing   0 B
(modelled)

# What was changed afterwards is noticed.
! printf x | dd of=add/kernarg.bin bs=1 seek=3 conv=notrunc status=none

$ capture verify add
err: error: add: kernarg.bin: its SHA-256 is not the one in capture.json; the file was changed after the capture
? 1

! rm add/kernarg.bin

$ capture info add
err: error: add: kernarg.bin: No such file or directory
? 1

$ capture info nowhere
err: error: no capture 'nowhere'; open one: capture open DIR, or name it in the command
? 1
