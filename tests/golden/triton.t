# Kernels of Triton: what lies beside a code object says how it was compiled, and how it is launched.
# modelled
# example triton: triton
$ open triton/objects/attention.gfx942.hsaco
o1: gfx942, 1 kernel: attention, compiled by Triton 3.4.0: num_warps 4, num_stages 1, 8.000 KiB of LDS

$ object meta triton/objects/attention.gfx942.hsaco
id            o1
path          triton/objects/attention.gfx942.hsaco
architecture  gfx942
size          10408 B
code_hash     3f2abcf61c360126e596281e4f1a00766d2fb5b4ab30476e142523b6d6257091
triton        version 3.4.0, num_warps 4, warp_size 64, num_stages 1, waves_per_eu 2, matrix_instr_nonkdim 16, num_ctas 1, shared_bytes 8192, global_scratch_bytes -, profile_scratch_bytes -, constants WIDTH 64, BLOCK_Q 64, BLOCK_K 32, signature result *fp16, queries *fp16, keys *fp16, values *fp16, length i32, scale fp32

kernel     vgprs  agprs  sgprs  spills  lds B  scratch B  kernarg B  instructions  code B
attention     91      0     52       0      0          0         48           711    4180
(1 row; no room for parameters, max_workgroup: /v, recorded)

$ object kernel triton/later/softmax.gfx950.hsaco
kernel            softmax
object            o1
vgprs             23
agprs             0
sgprs             21
vgpr_spills       0
sgpr_spills       0
lds               0 B
scratch           0 B
kernarg           40 B
max_workgroup     256
instructions      248
by_class          valu 128, transcendental 8, salu 17, smem 2, vmem 2, lds 4, branch 1, wait 6, barrier 3, other 77
atomics           0
scratch_accesses  0
code              1324 B
code_hash         2b5603e904b29c0c6e46bf12f6d22033aab03fb5cf781c855c430e9552aec70a
triton            version 3.9.0, num_warps 4, warp_size 64, num_stages 2, waves_per_eu 0, matrix_instr_nonkdim 0, num_ctas 1, shared_bytes 16, global_scratch_bytes 0, profile_scratch_bytes 0, constants BLOCK 1024, signature result *fp32, values *fp32, row_stride i32, columns i32

argument  offset B  size B  kind           access  name
       1         0       8  global_buffer  -       -
       2         8       8  global_buffer  -       -
       3        16       4  by_value       -       -
       4        20       4  by_value       -       -
       5        24       8  global_buffer  -       -
       6        32       8  global_buffer  -       -
(6 rows, recorded)

# A program of Triton is a workgroup. Its size and LDS are in the metadata, and so is what it takes for scratch.
(rpl) kernel run triton/objects/matmul.gfx942.hsaco --programs 4 --arg f16:nan:16384 --arg f16:random:8192 --arg f16:random:8192 --arg i32:128 --arg i32:128 --arg i32:64 --capture frozen
object                o1
kernel                matmul
architecture          gfx942
grid                  1024x1x1
workgroup             256x1x1
dynamic_lds           8192 B
model                 rpl-cycle/0.5 MI300X
cycles                19,190 cycles
time                  9.138 us
time_low              6.762 us
time_high             16.631 us
time_class            vl1d
simulated_workgroups  1
workgroups            4
waves                 16
instructions          6,736
by_class              valu 3,424, transcendental 32, matrix 128, salu 1,600, smem 48, vmem 128, lds 736, branch 192, wait 288, barrier 48, other 112
lane_share            100.00 %
load                  64.0 KiB
store                 32.0 KiB
transactions          3,072
lds_accesses          736
lds_conflicts         0 cycles
atomics               0
capture               c1
capture_path          frozen

argument  kind    element   count  size KiB  first                                 changed  expected
       1  buffer  f16      16,384      32.0  -0.44750977, 2.89.., -1.6738281, …    yes      -
       2  buffer  f16       8,192      16.0  -0.8173828, -0.50.. -0.46923828, …    no       -
       3  buffer  f16       8,192      16.0  0.22692871, -0.59.., 0.14575195, …    no       -
       4  value   i32           -       0.0  128                                   -        -
       5  value   i32           -       0.0  128                                   -        -
       6  value   i32           -       0.0  64                                    -        -
       7  null    -             -       0.0  -                                     -        -
(7 rows, modelled)
err: note: argument 7 is Triton's global_scratch: null
err: note: the last bits of v_rcp_iflag_f32 may differ from a real device

(rpl) findings run
1   uncoalesced-store            54 to 70 %   matmul.py:31:59 in matmul
    neighbouring lanes store to different lines
    8 times as many lines as the bytes of its stores fill
    -> have neighbouring work-items of matmul.py:31:59 in matmul store neighbouring elements: swap
    the indices, or collect the results in LDS first
2   small-grid                   80 to 96 %   matmul.py:27:36 in matmul
    the grid leaves most of the device without work
    16 waves
    1,216 SIMDs
    -> launch more waves: divide the work of matmul.py:27:36 in matmul among more work-items

(rpl) headroom run
id   kernel  low %  high %  critical_share %  priority %  cause              roof_share %  waits %
run  matmul  54.42   70.42                 -           -  uncoalesced-store          0.14    13.34
(1 row; no room for step, physical: /v, modelled)

(rpl) kernel counts --by line
kernel        matmul
run           o1
architecture  gfx942
waves         16
instructions  6,736
by            line

place           instruction  executed  share %  lane_share %  global KiB  transactions
matmul.py:27    matmul          1,424    21.14        100.00         0.0             0
matmul.py:25    matmul            960    14.25        100.00        32.0           512
matmul.py:26    matmul            960    14.25        100.00        32.0           512
matmul.py:31    matmul            672     9.98        100.00        32.0         2,048
matmul.py:14    matmul            432     6.41        100.00         0.0             0
matmul.py:17    matmul            416     6.18        100.00         0.0             0
matmul.py:24    matmul            416     6.18        100.00         0.0             0
matmul.py:0     matmul            320     4.75        100.00         0.0             0
matmul.py:18    matmul            224     3.33        100.00         0.0             0
standard.py:40  matmul            160     2.38        100.00         0.0             0
matmul.py:30    matmul            144     2.14        100.00         0.0             0
matmul.py:21    matmul            112     1.66        100.00         0.0             0
matmul.py:22    matmul            112     1.66        100.00         0.0             0
matmul.py:19    matmul             96     1.43        100.00         0.0             0
matmul.py:8     matmul             80     1.19        100.00         0.0             0
matmul.py:16    matmul             80     1.19        100.00         0.0             0
matmul.py:29    matmul             80     1.19        100.00         0.0             0
matmul.py:15    matmul             32     0.48        100.00         0.0             0
matmul.py:13    matmul             16     0.24        100.00         0.0             0
(19 rows; no room for lds_conflicts, stall_caused, fidelity: /v, modelled)
err: note: the last bits of v_rcp_iflag_f32 may differ from a real device

(rpl) replay frozen
capture               c1
kernel                name matmul, hsaco_path frozen/kernel.hsaco
execution             iterations 1, mode stateless
timing                unit microseconds, average 9.138, min 9.138, max 9.138, median 9.138, p5 9.138, p95 9.138, stdev 0
target                emu
median                9.138 us
time_source           modelled
post_image            matched
model                 rpl-cycle/0.5 MI300X
cycles                19,190 cycles
time                  9.138 us
time_low              6.762 us
time_high             16.631 us
time_class            vl1d
simulated_workgroups  1
workgroups            4
waves                 16
instructions          6,736
by_class              valu 3,424, transcendental 32, matrix 128, salu 1,600, smem 48, vmem 128, lds 736, branch 192, wait 288, barrier 48, other 112
lane_share            100.00 %
load                  64.0 KiB
store                 32.0 KiB
transactions          3,072
lds_accesses          736
lds_conflicts         0 cycles
atomics               0

region      base            size KiB  post_image  differing B  first_offset
argument 1  0x7f0000000000      32.0  matched               -             -
argument 2  0x7f0000018000      16.0  matched               -             -
argument 3  0x7f000002c000      16.0  matched               -             -
(3 rows, modelled)
err: note: the last bits of v_rcp_iflag_f32 may differ from a real device

$ kernel run triton/later/matmul.gfx950.hsaco --programs 4 --arg f16:nan:16384 --arg f16:random:8192 --arg f16:random:8192 --arg i32:128 --arg i32:128 --arg i32:64 --counted
object                o1
kernel                matmul
architecture          gfx950
grid                  1024x1x1
workgroup             256x1x1
dynamic_lds           16.5 KiB
model                 -
cycles                -
time                  -
time_low              -
time_high             -
time_class            -
simulated_workgroups  -
workgroups            4
waves                 16
instructions          5,488
by_class              valu 2,144, transcendental 32, matrix 64, salu 2,368, smem 32, vmem 96, lds 224, branch 240, wait 160, barrier 32, other 96
lane_share            97.50 %
load                  64.0 KiB
store                 32.0 KiB
transactions          2,048
lds_accesses          192
lds_conflicts         0 cycles
atomics               0

argument  kind    element   count  size KiB  first                                 changed  expected
       1  buffer  f16      16,384      32.0  -0.44750977, 2.89.., -1.6738281, …    yes      -
       2  buffer  f16       8,192      16.0  -0.8173828, -0.50.. -0.46923828, …    no       -
       3  buffer  f16       8,192      16.0  0.22692871, -0.59.., 0.14575195, …    no       -
       4  value   i32           -       0.0  128                                   -        -
       5  value   i32           -       0.0  128                                   -        -
       6  value   i32           -       0.0  64                                    -        -
       7  null    -             -       0.0  -                                     -        -
       8  null    -             -       0.0  -                                     -        -
(8 rows, modelled)
err: note: argument 7 is Triton's global_scratch: null, argument 8 is Triton's profile_scratch: null
err: note: the last bits of v_mfma_f32_32x32x16_f16, v_rcp_f32 may differ from a real device

# Without the file, all of it must be said.
! cp triton/objects/softmax.gfx942.hsaco alone.hsaco

$ kernel run alone.hsaco --programs 8 --arg f32:zero:8064 --arg f32:random:8064 --arg i32:1008 --arg i32:1008
err: error: no size of a workgroup; give --workgroup in work-items, as in 256 or 16,16
? 2

$ kernel run alone.hsaco --programs 8 --workgroup 256 --dynamic-lds 16 --arg f32:zero:8064 --arg f32:random:8064 --arg i32:1008 --arg i32:1008 --arg null --functional
object                o1
kernel                softmax
architecture          gfx942
grid                  2048x1x1
workgroup             256x1x1
dynamic_lds           16 B
model                 -
cycles                -
time                  -
time_low              -
time_high             -
time_class            -
simulated_workgroups  -
workgroups            8
waves                 32
instructions          7,232
by_class              -
lane_share            -
load                  -
store                 -
transactions          -
lds_accesses          -
lds_conflicts         -
atomics               -

argument  kind    element  count  size KiB  first                                  changed  expected
       1  buffer  f32      8,064      31.5  0.0003739143, 0.00...00052979245, …    yes      -
       2  buffer  f32      8,064      31.5  -0.8176205, -0.501.., -0.4691617, …    no       -
       3  value   i32          -       0.0  1008                                   -        -
       4  value   i32          -       0.0  1008                                   -        -
       5  null    -            -       0.0  -                                      -        -
(5 rows, modelled)

$ kernel run alone.hsaco --programs 8 --grid 8 --workgroup 256 --arg f32:zero:8064 --arg f32:random:8064 --arg i32:1008 --arg i32:1008 --arg null
err: error: --grid and --programs are one thing; give --grid in work-items, or --programs in workgroups
? 2

# One that is not right is not taken.
! sed 's/"num_warps": 4/"num_warps": 99/' triton/objects/softmax.gfx942.json >alone.json

$ kernel run alone.hsaco --programs 8 --arg f32:zero:8064 --arg f32:random:8064 --arg i32:1008 --arg i32:1008
err: error: alone.json: 'num_warps' is not a number from 1 to 32; it is not as Triton writes it: copy the .json that lies beside the .hsaco
? 1

$ object meta alone.hsaco
id            o1
path          alone.hsaco
architecture  gfx942
size          7296 B
code_hash     dc682c13fa56ce4a2ee0aa0bfc83ca72843e31db958fb2d750d48f0e87f1b8cf

kernel   vgprs  agprs  sgprs  spills  lds B  scratch B  kernarg B  parameters  instructions  code B
softmax     13      0     20       0      0          0         32           5           282    1504
(1 row; no room for max_workgroup: /v, recorded)
err: note: alone.json: 'num_warps' is not a number from 1 to 32

! sed 's/"triton_version": "3.4.0"/"triton_version": "3.4\\u001b[31m\\n"/' triton/objects/softmax.gfx942.json >alone.json

$ open alone.hsaco
o1: gfx942, 1 kernel: softmax

$ object meta alone.hsaco /q
o1
err: note: alone.json: 'triton_version' is not a version

! cp triton/objects/top_k.gfx942.json alone.json

$ kernel run alone.hsaco --programs 8 --arg f32:zero:8064 --arg f32:random:8064 --arg i32:1008 --arg i32:1008
err: error: alone.json: it describes 'top_k', but the code object has softmax; copy the .json that Triton wrote for this .hsaco, or remove it
? 1

# The source beside what it cost.
! cp triton/softmax.py .

(rpl) kernel run triton/objects/softmax.gfx942.hsaco --programs 8 --arg f32:zero:8064 --arg f32:random:8064 --arg i32:1008 --arg i32:1008 --att trace
object                o1
kernel                softmax
architecture          gfx942
grid                  2048x1x1
workgroup             256x1x1
dynamic_lds           16 B
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
att                   att1
att_path              trace/ui_output_agent_1_dispatch_1

argument  kind    element  count  size KiB  first                                  changed  expected
       1  buffer  f32      8,064      31.5  0.0003739143, 0.00...00052979245, …    yes      -
       2  buffer  f32      8,064      31.5  -0.8176205, -0.501.., -0.4691617, …    no       -
       3  value   i32          -       0.0  1008                                   -        -
       4  value   i32          -       0.0  1008                                   -        -
       5  null    -            -       0.0  -                                      -        -
(5 rows, modelled)
err: note: argument 5 is Triton's global_scratch: null
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device
err: note: thread trace: 1 of 8 workgroups simulated, on one compute unit of 304

(rpl) list
  line      executed stall %
  8               32    11.0 def softmax(result, values, row_stride, columns, BLOCK: tl.constexpr):
  9                              row = tl.program_id(0)
  10              32     0.0     column = tl.arange(0, BLOCK)
  11              32     0.0     inside = column < columns
  12              32    62.5     value = tl.load(values + row * row_stride + column, mask=inside, other=float("-inf"))
  13              32    11.5     largest = tl.max(value, axis=0)   <- small-grid
  14              32     1.2     power = tl.exp(value - largest)   <- transcendentals
  15              32    13.8     total = tl.sum(power, axis=0)   <- small-grid
  16              32     0.0     tl.store(result + row * row_stride + column, power / total, mask=inside)   <- small-grid

# Two versions of Triton: each side is launched as its own file says. The later one stores a tile in twice as many lines.
$ regress triton/objects/softmax.gfx942.hsaco triton/later/softmax.gfx942.hsaco --launch '--programs 64 --arg f32:zero:64512 --arg f32:random:64512 --arg i32:1008 --arg i32:1008'
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
softmax.gfx942.hsaco  softmax  within the band  close         2794       2611    0.935   26.00
(1 row; no room for vgprs_a, vgprs_b: /v, modelled)
err: note: softmax: results close: argument 1: 6756 of 64512 elements differ, the first at 4033: 0.0009928087 and 0.0009928086

$ regress triton/objects/matmul.gfx950.hsaco triton/later/matmul.gfx950.hsaco --launch '--programs 4 --arg f16:zero:16384 --arg f16:random:8192 --arg f16:random:8192 --arg i32:128 --arg i32:128 --arg i32:64'
compiler_a         triton/objects/matmul.gfx950.hsaco
flags_a            -
compiler_b         triton/later/matmul.gfx950.hsaco
flags_b            -
kernels            1
same_code          0
within_band        1
a_slower           0
b_slower           0
different_results  0
not_compared       0

source               kernel  verdict          results  time_a ns  time_b ns  ratio x  band %
matmul.gfx950.hsaco  matmul  within the band  equal         5682       5565    0.980   26.00
(1 row; no room for vgprs_a, vgprs_b: /v, modelled)

$ regress triton/objects/matmul_fp8.gfx942.hsaco triton/later/matmul_fp8.gfx942.hsaco --report pages --launch '--programs 8,8 --arg f32:zero:65536 --arg u8:one:49152 --arg u8:one:49152 --arg f32:random:256 --arg f32:random:256 --arg i32:256 --arg i32:192'
compiler_a         triton/objects/matmul_fp8.gfx942.hsaco
flags_a            -
compiler_b         triton/later/matmul_fp8.gfx942.hsaco
flags_b            -
kernels            1
same_code          0
within_band        0
a_slower           0
b_slower           1
different_results  0
not_compared       0

source                   kernel      verdict      results  time_a ns  time_b ns  ratio x  band %
matmul_fp8.gfx942.hsaco  matmul_fp8  B is slower  equal         3876       5683    1.466   26.00
(1 row; no room for vgprs_a, vgprs_b: /v, modelled)

! sed -n '/Findings that differ/,/Lines that differ/p' pages/*.md
\## Findings that differ

| cause | worth in A | worth in B | where |
|---|---|---|---|
| small-grid | 67 % | 74 % | matmul_fp8.py:16:5 |
| accumulator-moves | 1 % | - | matmul_fp8.py:17:57 |
| uncoalesced-store | - | 4 % | matmul_fp8.py:22:5 |

\## Lines that differ

# A captured dispatch of one version, with the code of another: programs and arguments are those of the capture, all else follows from its file.
$ regress triton/objects/matmul.gfx942.hsaco triton/later/matmul.gfx942.hsaco --capture frozen
compiler_a         triton/objects/matmul.gfx942.hsaco
flags_a            -
compiler_b         triton/later/matmul.gfx942.hsaco
flags_b            -
kernels            1
same_code          0
within_band        1
a_slower           0
b_slower           0
different_results  0
not_compared       0

source               kernel  verdict          results  time_a ns  time_b us  ratio x  band %
matmul.gfx942.hsaco  matmul  within the band  equal         9138     10.411    1.139   26.00
(1 row; no room for vgprs_a, vgprs_b: /v, modelled)
