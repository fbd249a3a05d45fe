# Capture folders: listing and removing them, packing and comparing, their memory, and those of other tools.
# modelled
# example softmax: captures/softmax
# example packed.tar.zst: captures/vector_add.tar.zst
# example naive.co: hip/objects/vector_add.gfx942.co
# A capture that arrived as one file.
$ capture unpack packed.tar.zst -o a
c1: vector_add on gfx942, 1024 x 1 x 1 work-items in workgroups of 256 x 1 x 1, 3 regions, 15.62 KiB, post image
unpacked into a

$ capture unpack packed.tar.zst -o a
err: error: a exists already; captures are never overwritten: name another folder, or remove it
? 1

$ capture verify a
id                c1
path              a
files             intact
post_image        matched
differing         0 B
layout            rpl
hidden_arguments  none
null_kernel       fails
copy_kernel       fails
(modelled)

$ capture pack a -o again.tar.zst
packed a into again.tar.zst: 23.52 KiB in 10 files, 5.268 KiB packed

$ capture unpack again.tar.zst -o twin
c1: vector_add on gfx942, 1024 x 1 x 1 work-items in workgroups of 256 x 1 x 1, 3 regions, 15.62 KiB, post image
unpacked into twin

! diff -r a twin && rm -r twin

$ capture pack a -o again.tar.zst
err: error: again.tar.zst exists already; name another file: -o FILE
? 1

! head -c 2000 again.tar.zst >cut.tar.zst; printf nonsense >none.tar.zst

$ capture unpack cut.tar.zst -o b
err: error: cut.tar.zst: ends too early
? 1

$ capture unpack none.tar.zst
err: error: none.tar.zst is not a packed capture; packed captures are made by capture pack
? 1

! ls -d b
err: ls: cannot access 'b': No such file or directory
? 2

# Where two captures differ.
$ kernel run naive.co --grid 1024 --workgroup 256 --arg f32:iota:1000 --arg f32:iota:1000 --arg f32:zero:1000 --arg i32:1000 --capture b | tail -1
(4 rows, modelled)

$ capture diff a b
a                 c1
b                 c2
same              no
arguments_differ  0
regions_differ    2
differing         4567 B

part               a  b  differing B  first_offset
argument 2 before  1  0         2487             2
argument 3 after   1  0         2080             2
(2 rows, recorded)

$ capture diff a a
a                 c1
b                 c1
same              yes
arguments_differ  0
regions_differ    0
differing         0 B

part  a  b  differing B  first_offset
(0 rows, recorded)
err: note: the captures are equal

$ capture diff a softmax
a                 c1
b                 c2
same              no
arguments_differ  3
regions_differ    3
differing         9982 B

part               a                         b                             differing B  first_offset
kernel             vector_add                softmax                                 -             -
grid               1024x1x1                  128x1x1                                 -             -
workgroup          256x1x1                   64x1x1                                  -             -
code               7d9c2995676..4ad470cc71e  d9aeb553e3ff3..8093aace98f14            -             -
argument 2         0x00007f0000011000        0x00007f0000018000                      -             -
argument 3         0x00007f0000022000        128                                     -             -
argument 4         1000                      64                                      -             -
argument 1         4000 B                    32768 B                                 -             -
argument 1 before  0                         0.7735361                            3992             0
argument 2         4000 B                    32768 B                                 -             -
argument 2 before  1                         nan                                  2000             2
argument 2 after   1                         0.024451012                          3990             0
argument 3         4000 B                    none                                    -             -
(13 rows, recorded)

# Memory by address, before the dispatch and after it.
(rpl) capture open a
c1: vector_add on gfx942, 1024 x 1 x 1 work-items in workgroups of 256 x 1 x 1, 3 regions, 15.62 KiB, post image

(rpl) x/4f $arg1+16
0x7f0000000010 <argument 1+16>:  4  5  6  7

(rpl) x
0x7f0000000020 <argument 1+32>:  8

(rpl) x/4f $arg3 --after
0x7f0000022000 <argument 3>:  1  2  3  4

(rpl) x/2xg 0x7f0000022000
0x7f0000022000 <argument 3>:  0x0000000000000000  0x0000000000000000

(rpl) x/s 0x1000
err: error: cannot read 1 bytes at 0x1000; nearest: argument 1, 0x7f0000000000 to 0x7f0000000fa0; 'capture regions' lists them all

(rpl) x/2i $arg1
err: error: instructions are shown of a kernel that is stopped; disassemble a

(rpl) print $arg4
$5 = 1000

$ capture rm softmax
err: error: softmax is a symbolic link, not a capture; name the folder that it points to
? 1

# A capture stands for its code object.
$ object kernel a | head -3
kernel            vector_add
object            o1
vgprs             8

$ disassemble a | sed -n 1,6p
kernel        vector_add
object        o1
architecture  gfx942
instructions  23

address  label  instruction                               target  source  encoding
err: note: no source lines: built without -gline-tables-only, which leaves the code as it is

(rpl) capture open a
c1: vector_add on gfx942, 1024 x 1 x 1 work-items in workgroups of 256 x 1 x 1, 3 regions, 15.62 KiB, post image

(rpl) disassemble c1 --limit 2
kernel        vector_add
object        o1
architecture  gfx942
instructions  23

address  label  instruction                    target  source  encoding
0x1900   -      s_load_dword s3, s[0:1], 0x2c  -       -       c00200c0 0000002c
0x1908   -      s_load_dword s4, s[0:1], 0x18  -       -       c0020100 00000018
(2 of 23 rows; --limit 0 shows all, recorded)
err: note: no source lines: built without -gline-tables-only, which leaves the code as it is

# A process that dies while it writes leaves what can be listed and removed; so does one that gives up.
! mkdir dead.4194305.part; printf '{"schema":"rpl.capture.partial/1","state":"writing","reason":"","kernel":"scale","pid":4194305,"process_start":7,"host":"%s","started":"2026-01-31T23:59:59Z"}' $(uname -n) >dead.4194305.part/capture.partial.json

! mkdir gave_up.17.part gave_up.17.part/memory; printf x >gave_up.17.part/memory/region_1000.bin; printf '{"schema":"rpl.capture.partial/1","state":"failed","reason":"the queue did not become idle within 30 s","kernel":"scale","pid":17,"process_start":7,"host":"here","started":"2026-01-31T23:59:59Z"}' >gave_up.17.part/capture.partial.json

! cp -r a damaged; printf '{' >damaged/dispatch.json; mkdir notes; printf x >notes/todo

$ capture list
id  current  kernel      memory KiB  path               grid      stored KiB  state
-   no       vector_add        15.6  a                  1024x1x1        19.6  complete
-   no       vector_add        15.6  b                  1024x1x1        15.7  complete
-   no       -                    -  damaged            -               19.4  damaged
-   no       scale                -  dead.4194305.part  -                0.2  interrupted
-   no       scale                -  gave_up.17.part    -                0.2  failed
-   no       softmax           96.0  softmax            128x1x1        104.0  complete
(6 rows; no room for architecture, regions, post_image: /v, recorded)
err: note: damaged: damaged: dispatch.json: bad JSON in line 1, column 2: expected a key
err: note: dead.4194305.part: interrupted: process 4194305 began 2026-01-31T23:59:59Z and is gone
err: note: gave_up.17.part: failed: the queue did not become idle within 30 s

$ capture list b --json
{
  "schema": "rpl.capture.list/1",
  "rows": [
    {"id": null, "current": false, "kernel": "vector_add", "architecture": "gfx942", "regions": 3, "memory_bytes": 16000, "post_image": true, "dispatches": 1, "path": "b", "grid": [1024, 1, 1], "stored_bytes": 16038, "state": "complete", "reason": null, "self_check": "strong"}
  ],
  "notes": [],
  "provenance": "recorded"
}

$ capture list nowhere
err: error: nowhere: No such file or directory; 'capture list FOLDER' takes a folder of captures
? 1

$ capture rm a notes
err: error: notes is not a capture; 'capture rm' removes folders of captures only
? 1

$ capture rm dead.4194305.part gave_up.17.part damaged
removed dead.4194305.part (interrupted, 158 B)
removed gave_up.17.part (failed, 196 B)
removed damaged (damaged, 19.36 KiB)

! printf x >b/todo

$ capture rm b
err: error: b holds todo, which is not part of a capture; move it elsewhere first
? 1

(rpl) capture open a
c1: vector_add on gfx942, 1024 x 1 x 1 work-items in workgroups of 256 x 1 x 1, 3 regions, 15.62 KiB, post image

(rpl) capture rm c1
removed a (complete, 19.61 KiB)

(rpl) capture list
id  current  kernel      architecture  regions  memory KiB  path     grid      stored KiB  state
-   no       vector_add  gfx942              3        15.6  b        1024x1x1        15.7  complete
-   no       softmax     gfx942              2        96.0  softmax  128x1x1        104.0  complete
(2 rows; no room for post_image: /v, recorded)

# The layout of the isolate tool of the older rocm-perf-lab: no hashes, no memory from after the dispatch.
! cp -rL softmax older; rm -r older/capture.json older/post; sed -i 's/, "name": "[^"]*", "variable": "", "changed": [a-z]*//g' older/memory_regions.json

$ capture info older
id                c1
path              older
kernel            softmax
architecture      gfx942
grid              128x1x1
workgroup         64x1x1
dynamic_lds       0 B
kernarg           280 B
regions           2
memory            64.0 KiB
changed_regions   -
code_hash         d9aeb553e3ff3341a85542543dde710f321cf12c50d24a676288093aace98f14
target            -
model             -
tool              -
origin            -
layout            older
hidden_arguments  none

argument  kind    element  count  offset B  size B  value
       1  buffer  -            -         0       8  0x7f0000000000
       2  buffer  -            -         8       8  0x7f0000018000
       3  value   -            -        16       4  0x80 (128)
       4  value   -            -        20       4  0x40 (64)
(4 rows, recorded)
err: note: the folder has no hashes and no memory from after the dispatch: what was changed since is not noticed

$ capture verify older
id                c1
path              older
files             no hashes
post_image        not-captured
differing         0 B
layout            older
hidden_arguments  none
null_kernel       fails
copy_kernel       fails
(modelled)
err: note: the folder has no hashes and no memory from after the dispatch: what was changed since is not noticed

$ replay older | grep post_image
post_image            not-captured
region      base            size KiB  post_image    differing B  first_offset
err: note: the folder has no hashes and no memory from after the dispatch: what was changed since is not noticed
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device

# The layout of kerncap: names without ".kd", variables apart.
! cp -r older kerncap; sed -i 's/softmax.kd/softmax/' kerncap/dispatch.json; cp kerncap/kernarg.bin kerncap/kernarg_raw.bin; mkdir kerncap/module_variables; printf '\007' >kerncap/module_variables/0123456789abcdef_cuid.bin

! printf '{"kernel_name":"softmax","gpu_arch":"gfx942","hsaco_sha256":"%s"}' $(sha256sum <kerncap/kernel.hsaco | cut -d' ' -f1) >kerncap/metadata.json; printf '{"variables":[{"executable_sha256":"%s","name":"__hip_cuid_","size":1,"blob":"module_variables/0123456789abcdef_cuid.bin"}]}' $(sha256sum <kerncap/kernel.hsaco | cut -d' ' -f1) >kerncap/module_variables.json

$ capture info kerncap
id                c1
path              kerncap
kernel            softmax
architecture      gfx942
grid              128x1x1
workgroup         64x1x1
dynamic_lds       0 B
kernarg           280 B
regions           3
memory            64.0 KiB
changed_regions   -
code_hash         d9aeb553e3ff3341a85542543dde710f321cf12c50d24a676288093aace98f14
target            -
model             -
tool              -
origin            -
layout            kerncap
hidden_arguments  none

argument  kind    element  count  offset B  size B  value
       1  buffer  -            -         0       8  0x7f0000000000
       2  buffer  -            -         8       8  0x7f0000018000
       3  value   -            -        16       4  0x80 (128)
       4  value   -            -        20       4  0x40 (64)
(4 rows, recorded)
err: note: the folder has no hashes and no memory from after the dispatch: what was changed since is not noticed
err: note: kerncap keeps memory as it is after the dispatch: a kernel that changes what it reads starts from other input than it had

$ capture regions kerncap
region                base            size KiB  changed B  first_offset  kind      owner  flags
variable __hip_cuid_  0x100003ff0          0.0          -             -  variable  -      -
argument 1            0x7f0000000000      32.0          -             -  -         -      -
argument 2            0x7f0000018000      32.0          -             -  -         -      -
(3 rows, recorded)

$ capture verify kerncap
id                c1
path              kerncap
files             no hashes
post_image        not-captured
differing         0 B
layout            kerncap
hidden_arguments  none
null_kernel       fails
copy_kernel       fails
(modelled)
err: note: the folder has no hashes and no memory from after the dispatch: what was changed since is not noticed
err: note: kerncap keeps memory as it is after the dispatch: a kernel that changes what it reads starts from other input than it had

$ replay kerncap | grep post_image
post_image            not-captured
region                base            size KiB  post_image    differing B  first_offset
err: note: the folder has no hashes and no memory from after the dispatch: what was changed since is not noticed
err: note: kerncap keeps memory as it is after the dispatch: a kernel that changes what it reads starts from other input than it had
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device

$ capture diff kerncap softmax
a                 c1
b                 c2
same              no
arguments_differ  0
regions_differ    1
differing         0 B

part                  a    b     differing B  first_offset
variable __hip_cuid_  1 B  none            -             -
(1 row, recorded)
err: note: memory after the dispatch was not captured by both, and not compared

! printf '{"variables":[{"name":"__hip_cuid_","size":1,"blob":"../../etc/passwd"}]}' >kerncap/module_variables.json

$ capture verify kerncap
err: error: kerncap: module_variables.json: variables[0].blob: expected a file of module_variables/; the capture is damaged or was changed: copy it again, or capture the dispatch again
? 1
