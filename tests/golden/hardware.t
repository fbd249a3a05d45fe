# What is known of the GPU, and how many waves fit on it.
# shared train.db: rocpd/mi350x_train.db
# fixture small.db: --dispatches 60 --queues 2 --streams 3 --kernels 5 --seed 7
# example add.co: hip/objects/vector_add.gfx942.co
$ info arch MI300X
arch     gfx942
product  MI300X

name                      value         unit         origin   source
family                    CDNA3         -            file     gfx942.arch:3
compute_units             304           -            file     gfx942.arch:119
xcds                      8             -            file     gfx942.arch:120
clock_mhz                 2100          MHz          file     gfx942.arch:38
simds_per_cu              4             -            file     gfx942.arch:4
wave_size                 64            -            file     gfx942.arch:5
waves_per_simd            8             -            file     gfx942.arch:6
max_workgroup_size        1024          work-items   file     gfx942.arch:7
workgroups_per_cu         16            -            file     gfx942.arch:8
vgpr_count                unified       -            file     gfx942.arch:9
vgprs.wave64              512           -            file     gfx942.arch:10
vgpr_granule.wave64       8             -            file     gfx942.arch:11
vgpr_max.wave64           512           -            file     gfx942.arch:12
sgprs                     800           -            file     gfx942.arch:13
sgpr_granule              16            -            file     gfx942.arch:14
lds_bytes                 65536         bytes        file     gfx942.arch:15
lds_workgroup_bytes       65536         bytes        file     gfx942.arch:16
lds_granule               512           bytes        file     gfx942.arch:17
lds_banks                 32            -            file     gfx942.arch:18
flops.vector.f64          128           FLOP/clk/CU  file     gfx942.arch:19
flops.vector.f32          256           FLOP/clk/CU  file     gfx942.arch:20
flops.vector.f32_single   128           FLOP/clk/CU  file     gfx942.arch:21
flops.vector.f16          256           FLOP/clk/CU  file     gfx942.arch:22
flops.matrix.f64          256           FLOP/clk/CU  file     gfx942.arch:23
flops.matrix.f32          256           FLOP/clk/CU  file     gfx942.arch:24
flops.matrix.xf32         1024          FLOP/clk/CU  file     gfx942.arch:25
flops.matrix.f16          2048          FLOP/clk/CU  file     gfx942.arch:26
flops.matrix.bf16         2048          FLOP/clk/CU  file     gfx942.arch:27
flops.matrix.f8           4096          FLOP/clk/CU  file     gfx942.arch:28
flops.matrix.i8           4096          OP/clk/CU    file     gfx942.arch:29
bandwidth.lds             128           B/clk/CU     file     gfx942.arch:30
bandwidth.vl1d            64            B/clk/CU     file     gfx942.arch:31
bandwidth.l2              2048          B/clk/XCD    file     gfx942.arch:32
bandwidth.mall            17200         GB/s         file     gfx942.arch:122
bandwidth.hbm             5325          GB/s         file     gfx942.arch:121
line.vl1d                 128           bytes        file     gfx942.arch:33
line.l2                   128           bytes        file     gfx942.arch:34
l2_channels               16            -            file     gfx942.arch:36
l2_bytes                  4194304       bytes        file     gfx942.arch:37
mall_bytes                268435456     bytes        file     gfx942.arch:123
memory_bytes              206158430208  bytes        file     gfx942.arch:124
memory_tran..s_per_clock  4             -            file     gfx942.arch:35
counters.SQ               8             -            file     gfx942.arch:39
counters.TA               2             -            file     gfx942.arch:40
counters.TD               2             -            file     gfx942.arch:41
counters.TCP              4             -            file     gfx942.arch:42
counters.TCC              4             -            file     gfx942.arch:43
counters.CPC              2             -            file     gfx942.arch:44
counters.CPF              2             -            file     gfx942.arch:45
counters.SPI              6             -            file     gfx942.arch:46
counters.GRBM             2             -            file     gfx942.arch:47
counters.GDS              4             -            file     gfx942.arch:48
vl1d_bytes                32768         bytes        file     gfx942.arch:49
scalar_cache_bytes        16384         bytes        file     gfx942.arch:50
instruction_cache_bytes   65536         bytes        file     gfx942.arch:51
cycle.issue               4             cycles       file     gfx942.arch:52
cycle.transcendental      16            cycles       file     gfx942.arch:53
cycle.wide_multiply       16            cycles       file     gfx942.arch:54
cycle.lane_swap           8             cycles       file     gfx942.arch:55
cycle.lds_write           8             cycles       file     gfx942.arch:56
cycle.matrix_pass         4             cycles       file     gfx942.arch:57
cycle.matrix_result       12            cycles       file     gfx942.arch:58
cycle.gap.vector_memory   8             cycles       file     gfx942.arch:59
cycle.gap.scalar_branch   4             cycles       file     gfx942.arch:60
cycle.gap.vector_scalar   12            cycles       file     gfx942.arch:61
cycle.gap.branch_taken    16            cycles       file     gfx942.arch:62
cycle.latency.lds         64            cycles       file     gfx942.arch:63
cycle.latency.scalar      50            cycles       file     gfx942.arch:64
cycle.latency.vl1d        100           cycles       file     gfx942.arch:65
cycle.latency.l2          190           cycles       file     gfx942.arch:66
cycle.latency.store       200           cycles       file     gfx942.arch:67
cycle.latency.mall        500           cycles       file     gfx942.arch:68
cycle.latency.hbm         880           cycles       file     gfx942.arch:69
cycle.queue.vmem          16            -            file     gfx942.arch:70
cycle.queue.lds           8             -            file     gfx942.arch:71
cycle.share.vl1d          0.82          -            file     gfx942.arch:72
cycle.share.l2            0.72          -            file     gfx942.arch:73
cycle.share.mall          0.36          -            file     gfx942.arch:74
cycle.share.hbm           0.81          -            file     gfx942.arch:75
cycle.store_conflict      1500          cycles       file     gfx942.arch:77
cycle.write_cost          1.2           -            file     gfx942.arch:76
cycle.l2_channel          1             cycles       file     gfx942.arch:79
cycle.atomic              1             cycles       file     gfx942.arch:78
cycle.workgroup_launch    2             cycles       file     gfx942.arch:80
cycle.wave_start          32            cycles       file     gfx942.arch:81
cycle.wave_launch         68            cycles       file     gfx942.arch:82
cycle.launch              1500          cycles       file     gfx942.arch:83
cycle.drain               500           cycles       file     gfx942.arch:84
band.low.launch           0.96          -            file     gfx942.arch:85
band.high.launch          1.48          -            file     gfx942.arch:86
band.low.memory           0.47          -            file     gfx942.arch:87
band.high.memory          1.96          -            file     gfx942.arch:88
band.low.mall             0.8           -            file     gfx942.arch:89
band.high.mall            1.6           -            file     gfx942.arch:90
band.low.l2               0.49          -            file     gfx942.arch:91
band.high.l2              1.29          -            file     gfx942.arch:92
band.low.vl1d             0.74          -            file     gfx942.arch:93
band.high.vl1d            1.82          -            file     gfx942.arch:94
band.low.lds              0.8           -            file     gfx942.arch:95
band.high.lds             1.41          -            file     gfx942.arch:96
band.low.compute          0.94          -            file     gfx942.arch:97
band.high.compute         1.11          -            file     gfx942.arch:98
band.low.atomics          0.8           -            file     gfx942.arch:99
band.high.atomics         1.41          -            file     gfx942.arch:100
band.low.latency          0.83          -            file     gfx942.arch:101
band.high.latency         1.28          -            file     gfx942.arch:102
band.low.mixed            0.8           -            file     gfx942.arch:103
band.high.mixed           1.41          -            file     gfx942.arch:104
band.ratio.launch         0.26          -            file     gfx942.arch:105
band.ratio.memory         0.32          -            file     gfx942.arch:106
band.ratio.mall           0.26          -            file     gfx942.arch:107
band.ratio.l2             0.26          -            file     gfx942.arch:108
band.ratio.vl1d           0.26          -            file     gfx942.arch:109
band.ratio.lds            0.26          -            file     gfx942.arch:110
band.ratio.compute        0.13          -            file     gfx942.arch:111
band.ratio.atomics        0.26          -            file     gfx942.arch:112
band.ratio.latency        0.26          -            file     gfx942.arch:113
band.ratio.mixed          0.26          -            file     gfx942.arch:114
peak_vector_f64_gflops    81715         GFLOP/s      formula  flops.ve..f64 * comput..
peak_vector_f32_gflops    163430        GFLOP/s      formula  flops.ve..f32 * comput..
peak_vector..ngle_gflops  81715         GFLOP/s      formula  flops.ve..f32_single *..
peak_vector_f16_gflops    163430        GFLOP/s      formula  flops.ve..f16 * comput..
peak_matrix_f64_gflops    163430        GFLOP/s      formula  flops.ma..f64 * comput..
peak_matrix_f32_gflops    163430        GFLOP/s      formula  flops.ma..f32 * comput..
peak_matrix_xf32_gflops   653722        GFLOP/s      formula  flops.ma..xf32 * compu..
peak_matrix_f16_gflops    1307443       GFLOP/s      formula  flops.ma..f16 * comput..
peak_matrix_bf16_gflops   1307443       GFLOP/s      formula  flops.ma..bf16 * compu..
peak_matrix_f8_gflops     2614886       GFLOP/s      formula  flops.ma..f8 * compute..
peak_matrix_i8_gflops     2614886       GOP/s        formula  flops.ma..i8 * compute..
peak_lds_gbps             81715         GB/s         formula  bandwidt..lds * comput..
peak_vl1d_gbps            40858         GB/s         formula  bandwidth.v.._mhz / 1000
peak_l2_gbps              34406         GB/s         formula  bandwidt..l2 * xcds * ..
(132 rows; no room for note: /v, estimated)

$ info arch small.db --clock-mhz 1900 --memory-bandwidth-gbps 4900 --limit 4
arch     gfx942
product  MI300X

name           value  unit  origin     source         note
family         CDNA3  -     file       gfx942.arch:3  -
compute_units  304    -     recording  a1 cu_count    -
xcds           8      -     recording  a1 num_xcc     -
clock_mhz      1900   MHz   user       --clock-mhz    -
(4 of 132 rows; --limit 0 shows all, estimated)

$ info arch MI999
err: error: no architecture or product 'MI999'; known: RX 6900 XT, RX 7900 XTX, W7900, RX 9070 XT, MI50, MI60, Radeon VII, MI100, MI210, MI250, MI250X, MI300X, MI300A, MI325X, MI308X, MI350X, MI355X; docs/architectures.md says how to add one
? 1

$ info arch
err: error: no trace is open whose GPU could be shown; name one; info arch NAME; known: RX 6900 XT, RX 7900 XTX, W7900, RX 9070 XT, MI50, MI60, Radeon VII, MI100, MI210, MI250, MI250X, MI300X, MI300A, MI325X, MI308X, MI350X, MI355X
? 2

# What the user says goes over the rest, and can be taken back.
(rpl) set arch product MI308X

(rpl) set arch values lds_granule=1024, bandwidth.mall=9000

(rpl) set arch values lds_granules=1024
err: error: arch values: unknown value 'lds_granules'; docs/architectures.md lists them; 'info arch' shows those of a GPU

(rpl) show arch
setting                     value                     default  description
arch clock-mhz              0                               0  engine cloc..in the file
arch file                   -                               -  architectur..urther file
arch memory-bandwidth-gbps  0                               0  bandwidth o..in the file
arch product                MI308X                          -  product tha..as recorded
arch values                 lds_granule..h.mall=9000        -  values of t..: no values
(5 rows; no room for takes: /v)

(rpl) info arch/j small.db | grep -E '"(arch|product|compute_units|lds_granule|bandwidth.mall)"'
  "arch": "gfx942",
  "product": "MI308X",
    {"name": "compute_units", "value": 304, "unit": null, "origin": "recording", "source": "a1 cu_count", "note": null},
    {"name": "lds_granule", "value": 1024, "unit": "bytes", "origin": "user", "source": "set arch values", "note": null},
    {"name": "bandwidth.mall", "value": 9000, "unit": "GB/s", "origin": "user", "source": "set arch values", "note": null},

# A user's own file.
# file mine.arch:
#| arch = gfx999
#| [Mine]
#| compute_units = 7   # counted them
(rpl) set arch file mine.arch

(rpl) info arch Mine
arch     gfx999
product  Mine

name           value  unit  origin  source       note
compute_units      7  -     user    mine.arch:3  counted them
(1 row, estimated)

# The recorder of this run wrote half of the registers.
$ occupancy train.db --limit 12
id       kernel                   waves_per_cu  occupancy %  limiter        change
k44ce20  ncclDevKernel_Generic_1             8        25.00  vgprs          VGPR 184 -> 168
k45196b  vectori..bfloat16_cop..            32       100.00  wave slots     -
kc77140  vectori..bfloat16tofl..            32       100.00  wave slots     -
kf85dae  Cijk_Ailk_B..4_WG32_8_1             8        25.00  vgprs          VGPR 256 -> 168
k2b7e8c  reduce_kern..6, 4, 8> >            32       100.00  wave slots     -
k5d8642  elementwise.. bool)#1}>            32       100.00  wave slots     -
ke7b7e6  __amd_roccl..ferAligned            32       100.00  wave slots     -
kcb080c  Cijk_Ailk_B.._WG128_2_1             4        12.50  lds            LDS 114688 -> 81920
kecb8b8  __amd_rocclr_copyBuffer            32       100.00  wave slots     -
k7fec81  Cijk_Alik_B..4_WG32_8_1             4        12.50  vgprs and lds  VGPR 264 ->..24 -> 81920
k4190d9  vectori..BUnaryFuncto..            32       100.00  wave slots     -
kc1ce9c  layer_norm_..at, false>            32       100.00  wave slots     -
(12 of 80 rows; --limit 0 shows all; no room for workgroups_per_cu, grid_cap, then_waves, vgprs, sgprs, lds_bytes, workgroup: /v, estimated)
err: note: the recorder wrote half of the vector registers of gfx950: 44 of 80 kernels have counts such as 92, which no allocation in steps of 8 can have; twice the recorded count is used, and how it splits into architectural and accumulation registers is unknown

! rpl occupancy train.db --json 2>/dev/null | python3 -c "import json,sys; r={k['id']: k for k in json.load(sys.stdin)['rows']}; k=r['k44ce20']; print(len(r), k['vgprs'], k['lds_bytes'], k['waves_per_cu'], k['occupancy'], k['limiter'], '|', k['next_step'])"
80 184 37664 8.0 0.25 vgprs | launch more workgroups: the grid has 104 workgroups and fills at most 5.1 % of the device's wave slots; then VGPR 184 -> 168 gives 3 waves per SIMD instead of 2

(rpl) open train.db
t1: 43,915 dispatches, 80 kernels, 567 streams, gfx950 x1, 15.12 s (rocpd 3)

(rpl) occupancy kcb080c
kcb080c Cijk_Ailk_Bjlk_BBS_..GRB0_WS64_WG128_2_1 on MI350X (gfx950)
4 of 32 waves on a CU: 1 workgroup of 256 work-items (4 waves of 64), 12.5 %

resource       asked  allocated  available  workgroups
wave slots         4          4         32           8
vgprs            256        256        512           2
lds           114688     115200     163840           1  limits
sgprs             96         96        800           8
barriers           1          1         16          16

the grid has 192 workgroups and fills at most 9.4 % of the device's wave slots

to get more waves in:
  LDS 114688 -> 81920 gives 2 waves per SIMD instead of 1 (25.0 %)
  workgroup 256 -> 512 gives 2 waves per SIMD instead of 1 if its LDS does not grow (25.0 %)
err: note: of 2 launch configurations the one with most time is shown; 'info kernel kcb080c' lists them
err: note: the recorder wrote half of the vector registers of gfx950: 44 of 80 kernels have counts such as 92, which no allocation in steps of 8 can have; twice the recorded count is used, and how it splits into architectural and accumulation registers is unknown

(rpl) occupancy kcb080c --lds 81920
kcb080c Cijk_Ailk_Bjlk_BBS_..GRB0_WS64_WG128_2_1 on MI350X (gfx950)
8 of 32 waves on a CU: 2 workgroups of 256 work-items (4 waves of 64), 25.0 %

resource       asked  allocated  available  workgroups
wave slots         4          4         32           8
vgprs            256        256        512           2  limits
lds            81920      81920     163840           2  limits
sgprs             96         96        800           8
barriers           1          1         16          16

the grid has 192 workgroups and fills at most 9.4 % of the device's wave slots

to get more waves in:
  VGPR 256 -> 168 and LDS 81920 -> 53760 gives 3 waves per SIMD instead of 2 (37.5 %)
err: note: of 2 launch configurations the one with most time is shown; 'info kernel kcb080c' lists them
err: note: the recorder wrote half of the vector registers of gfx950: 44 of 80 kernels have counts such as 92, which no allocation in steps of 8 can have; twice the recorded count is used, and how it splits into architectural and accumulation registers is unknown

$ occupancy small.db
id       kernel                    waves_per_cu  occupancy %  limiter  change
k858257  softmax_kernel<float, 0>            28        87.50  sgprs    SGPR 112 -> 96
ka729f4  gemm_kernel<float, 0>               28        87.50  sgprs    SGPR 112 -> 96
kb41d91  layer_norm_..l<float, 0>            28        87.50  sgprs    SGPR 112 -> 96
kb9dc7d  elementwise..l<float, 0>            16        50.00  sgprs    SGPR 112 -> 96
k7aa5af  reduce_kernel<float, 0>             24        75.00  sgprs    SGPR 112 -> 96
(5 rows; no room for workgroups_per_cu, grid_cap, then_waves, vgprs, sgprs, lds_bytes, workgroup: /v, estimated)

$ occupancy --arch gfx942 --vgpr 132 --lds 33000 --workgroup 256
on gfx942
4 of 32 waves on a CU: 1 workgroup of 256 work-items (4 waves of 64), 12.5 %

resource       asked  allocated  available  workgroups
wave slots         4          4         32           8
vgprs            132        136        512           3
lds            33000      33280      65536           1  limits
sgprs              -          -        800         any
barriers           1          1         16          16

to get more waves in:
  LDS 33000 -> 32768 gives 2 waves per SIMD instead of 1 (25.0 %)
  workgroup 256 -> 512 gives 2 waves per SIMD instead of 1 if its LDS does not grow (25.0 %)

$ occupancy --arch gfx1100 --vgpr 120 --workgroup 256 --wgp
on gfx1100
48 of 64 waves on a WGP: 6 workgroups of 256 work-items (8 waves of 32), 75.0 %

resource       asked  allocated  available  workgroups
wave slots         8          8         64           8
vgprs            120        120       1536           6  limits
lds                -          -     131072         any
sgprs              -          -          -         any
barriers           1          1         32          32

to get more waves in:
  VGPR 120 -> 96 gives 14 waves per SIMD instead of 12 (87.5 %)

$ occupancy --arch gfx942 --vgpr 600
err: error: no workgroup of this kernel fits on gfx942: vector registers 600 of at most 512; such a kernel cannot have run: the recorded resources or the architecture are wrong; 'info arch' shows the limits and their sources
? 1

$ occupancy/q --arch gfx908 --vgpr 64 --agpr 64 --sgpr 96
0.4
err: note: workgroups of 256 work-items are assumed (--workgroup)

$ occupancy --object add.co
id  kernel      waves_per_cu  workgroups_per_cu  occupancy %  grid_cap %  limiter     change
-   vector_add            32                  2       100.00           -  wave slots  -
(1 row; no room for then_waves, vgprs, sgprs, lds_bytes, workgroup: /v, estimated)
err: note: the largest workgroup that each kernel allows is assumed (--workgroup), and no dynamic LDS (--lds)

$ occupancy --object add.co --workgroup 192 --vgpr 60 --json
{
  "schema": "rpl.occupancy/1",
  "rows": [
    {"id": null, "kernel": "vector_add", "name": "vector_add", "waves_per_cu": 30.0, "workgroups_per_cu": 10.0, "occupancy": 0.9375, "grid_cap": null, "limiter": "wave slots", "change": "workgroup 192 -> 128", "then_waves": 32.0, "next_step": "workgroup 192 -> 128 gives 32 waves per CU instead of 30", "vgprs": 60, "sgprs": 14, "lds_bytes": 0, "workgroup": 192, "configurations": null}
  ],
  "notes": [],
  "provenance": "estimated"
}
