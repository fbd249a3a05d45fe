# Pictures of thread traces and of occupancy, in the terminal and as files.
# example rowsum: att/rowsum
# example add.co: hip/objects/vector_add.gfx942.co
# fixture small.db: --dispatches 60 --queues 2 --streams 3 --kernels 5 --seed 7
# fixture bare.db: --dispatches 0
# shared sampled: att/pcsampling-code-json-rcv
# shared softmax: att/softmax-gfx950
$ plot stalls rowsum --width 80 --top 6
att1: rowsum, thread trace, 4 waves, 220 instructions executed
  cycles  stalled             line           source
 68.77 %   99.4 %  ########## pair.h:7       return pair.x +
                                inlined in rowsum.hip:19
 10.41 %    0.0 %  --         rowsum.hip:28  }
  8.66 %   93.2 %  #          pair.h:8       pair.y;
                                inlined in rowsum.hip:20
  2.03 %   94.9 %  #          rowsum.hip:24  tile[lane] = sum;
  1.93 %   94.7 %  #          rowsum.hip:12  const float* row = in;
  1.65 %    0.0 %  -          rowsum.hip:21  sum = mfma(left, right, sum);
(6 of 15; --top 0 draws all)

$ plot stalls rowsum --width 120 --top 3
att1: rowsum, thread trace, 4 waves, 220 instructions executed
  cycles  stalled                  line           source
 68.77 %   99.4 %  ############### pair.h:7       return pair.x +
                                     inlined in rowsum.hip:19
 10.41 %    0.0 %  --              rowsum.hip:28  }
  8.66 %   93.2 %  ##              pair.h:8       pair.y;
                                     inlined in rowsum.hip:20
(3 of 15; --top 0 draws all)

$ plot stalls rowsum --width 200 --top 3
att1: rowsum, thread trace, 4 waves, 220 instructions executed
  cycles  stalled                            line           source
 68.77 %   99.4 %  ######################### pair.h:7       return pair.x +
                                               inlined in rowsum.hip:19
 10.41 %    0.0 %  ----                      rowsum.hip:28  }
  8.66 %   93.2 %  ###                       pair.h:8       pair.y;
                                               inlined in rowsum.hip:20
(3 of 15; --top 0 draws all)

$ plot stalls rowsum --width 80 --by inst --top 5
att1: rowsum, thread trace, 4 waves, 220 instructions executed
  cycles  stalled              executed    each   line  instruction
 68.35 %  100.0 %  ##########        16   664.8      8  s_waitcnt vmcnt(1)
 10.41 %    0.0 %  --                 4   405.0     22  s_endpgm
  8.25 %   97.8 %  #                 16    80.2     10  s_waitcnt vmcnt(0)
  1.93 %  100.0 %  #                  4    75.0     17  s_waitcnt lgkmcnt(0)
  1.83 %  100.0 %  #                  4    71.0      2  s_waitcnt lgkmcnt(0)
(5 of 22; --top 0 draws all)

$ plot stalls rowsum --width 120 --by inst --top 5
att1: rowsum, thread trace, 4 waves, 220 instructions executed
  cycles  stalled                   executed    each   line  instruction
 68.35 %  100.0 %  ###############        16   664.8      8  s_waitcnt vmcnt(1)
 10.41 %    0.0 %  --                      4   405.0     22  s_endpgm
  8.25 %   97.8 %  ##                     16    80.2     10  s_waitcnt vmcnt(0)
  1.93 %  100.0 %  #                       4    75.0     17  s_waitcnt lgkmcnt(0)
  1.83 %  100.0 %  #                       4    71.0      2  s_waitcnt lgkmcnt(0)
(5 of 22; --top 0 draws all)

$ plot stalls rowsum --width 200 --by inst --top 5
att1: rowsum, thread trace, 4 waves, 220 instructions executed
  cycles  stalled                             executed    each   line  instruction
 68.35 %  100.0 %  #########################        16   664.8      8  s_waitcnt vmcnt(1)
 10.41 %    0.0 %  ----                              4   405.0     22  s_endpgm
  8.25 %   97.8 %  ###                              16    80.2     10  s_waitcnt vmcnt(0)
  1.93 %  100.0 %  #                                 4    75.0     17  s_waitcnt lgkmcnt(0)
  1.83 %  100.0 %  #                                 4    71.0      2  s_waitcnt lgkmcnt(0)
(5 of 22; --top 0 draws all)

$ plot stalls rowsum --width 80 --inlining caller --top 2
att1: rowsum, thread trace, 4 waves, 220 instructions executed
  cycles  stalled             line           source
 68.77 %   99.4 %  ########## rowsum.hip:19  const float left = add(a);
                                inlines pair.h:7
 10.41 %    0.0 %  --         rowsum.hip:28  }
(2 of 15; --top 0 draws all)

$ plot cycles rowsum --width 80
att1: rowsum, thread trace, 4 waves, 220 instructions executed
coverage: 1 compute unit in 1 shader engine; 4 of 8 waves launched there (50.0 %)

where 15,816 wave-cycles went
  wait vmcnt       75.19 %  #######################################
  drain            10.24 %  #####
  issue             5.64 %  ###
  wait lgkmcnt      5.21 %  ###
  idle              1.62 %  #
  wait barrier      1.59 %  #
  stall FLAT        0.51 %  #

$ plot cycles rowsum --width 120
att1: rowsum, thread trace, 4 waves, 220 instructions executed
coverage: 1 compute unit in 1 shader engine; 4 of 8 waves launched there (50.0 %)

where 15,816 wave-cycles went
  wait vmcnt       75.19 %  #####################################################################
  drain            10.24 %  #########
  issue             5.64 %  #####
  wait lgkmcnt      5.21 %  #####
  idle              1.62 %  #
  wait barrier      1.59 %  #
  stall FLAT        0.51 %  #

$ plot cycles rowsum --width 200
att1: rowsum, thread trace, 4 waves, 220 instructions executed
coverage: 1 compute unit in 1 shader engine; 4 of 8 waves launched there (50.0 %)

where 15,816 wave-cycles went
  wait vmcnt       75.19 %  ###########################################################################
  drain            10.24 %  ##########
  issue             5.64 %  ######
  wait lgkmcnt      5.21 %  #####
  idle              1.62 %  ##
  wait barrier      1.59 %  ##
  stall FLAT        0.51 %  #

$ plot states rowsum --width 80
att1: rowsum, thread trace, 4 waves, 220 instructions executed
states of the traced waves over 4,300 cycles
  EXEC  ..      ....     ......    .....    ........        6.45 % of the time
  WAIT  -=#######===######=##=######==#=####=#=#=#########  92.24 % of the time
  STALL  .       ...         .      ....                    0.51 % of the time
waves in flight on all compute units of 1 shader engine, 4,308 cycles
  waves ###########################################==-....  up to 8

$ plot states rowsum --width 120
att1: rowsum, thread trace, 4 waves, 220 instructions executed
states of the traced waves over 4,300 cycles
  EXEC  ..-.          .....-.           .... ...         ...... ..       ...... ...  ..             6.45 % of the time
  WAIT  .#-##############=#-=############=###=-=##########====##==#######=##==###=################  92.24 % of the time
  STALL   ..             . .                  .            .. .  .                                  0.51 % of the time
waves in flight on all compute units of 1 shader engine, 4,308 cycles
  waves =#############################################################################==---.......  up to 8

$ plot states rowsum --width 200
att1: rowsum, thread trace, 4 waves, 220 instructions executed
states of the traced waves over 4,300 cycles
  EXEC   . .-.                  .. .....-..                  . .. ..  .-...                ........  ...             .. . ....  .....   . ..                    6.45 % of the time
  WAIT   -#=.#######################==#=--#####################==#####=-===################===#====###==#############==###===#####=###########################  92.24 % of the time
  STALL     ..                       .  ..                             ..                    . .. .    .                                                        0.51 % of the time
waves in flight on all compute units of 1 shader engine, 4,308 cycles
  waves =#################################################################################################################################====----............  up to 8

# With block characters.
(rpl) set graphics unicode

(rpl) plot stalls rowsum --width 80 --top 3
att1: rowsum, thread trace, 4 waves, 220 instructions executed
  cycles  stalled             line           source
 68.77 %   99.4 %  ██████████ pair.h:7       return pair.x +
                                inlined in rowsum.hip:19
 10.41 %    0.0 %  ░░         rowsum.hip:28  }
  8.66 %   93.2 %  █          pair.h:8       pair.y;
                                inlined in rowsum.hip:20
(3 of 15; --top 0 draws all)

(rpl) plot states rowsum --width 80
att1: rowsum, thread trace, 4 waves, 220 instructions executed
states of the traced waves over 4,300 cycles
  EXEC  ▁▂      ▁▁▃▁     ▁▁▁▁▃▁    ▁▁▂▁▁    ▁▁▂▁▁▁▁▁        6.45 % of the time
  WAIT  ▄▅███████▇▅▇██████▇█▇▅██████▆▆█▇████▇█▆█▇█████████  92.24 % of the time
  STALL  ▁       ▁▁▁         ▁      ▁▁▁▁                    0.51 % of the time
waves in flight on all compute units of 1 shader engine, 4,308 cycles
  waves ▇██████████████████████████████████████████▇▅▄▂▂▂▂  up to 8

# As files.
$ plot stalls rowsum -o stalls.svg
wrote stalls.svg, 5.996 KiB

$ plot stalls rowsum --by inst --top 3 -o insts.svg
wrote insts.svg, 1.473 KiB

$ plot cycles rowsum -o cycles.svg
wrote cycles.svg, 1.337 KiB

$ plot states rowsum -o states.svg
wrote states.svg, 25.83 KiB

! grep -c '<title>pair.h:7: 68.77 % of the cycles, 99.4 % of them stalled</title>' stalls.svg; grep -o '<title>[^<]*</title>' insts.svg; grep -o '>wait vmcnt<' cycles.svg; grep -c 'waves in flight, up to 8<' states.svg
1
<title>Stalls by instruction: rowsum</title>
<title>line 8: 68.35 % of the cycles, 100.0 % of them stalled</title>
<title>line 22: 10.41 % of the cycles, 0.0 % of them stalled</title>
<title>line 10: 8.25 % of the cycles, 97.8 % of them stalled</title>
>wait vmcnt<
1

$ plot stalls/q rowsum
15

$ plot states nowhere
err: error: no thread trace 'nowhere'; open one: att open DIR, or name it in the command
? 1

# PC samples: reasons in place of causes.
$ plot cycles sampled --width 80
att1: reference_gemm<4>, PC samples, 4,690 samples
4,690 samples
  issued                    27.85 %  ############
  ARBITER_WIN_EX_STALL      16.57 %  #######
  BARRIER_WAIT              16.23 %  #######
  WAITCNT                   14.01 %  ######
  ARBITER_NOT_WIN           12.99 %  ######
  INTERNAL_INSTRUCTION       5.37 %  ##
  NO_INSTRUCTION_AVAILABLE   4.05 %  ##
  ALU_DEPENDENCY             2.94 %  #

$ plot states sampled
err: error: att1 says nothing of waves over time; open the decoded folder: filenames.json, occupancy.json and the wave files
? 1

# Without wstates files the states come from the wave files.
! cp -rL rowsum bare; chmod -R u+w bare; rm bare/wstates*.json; echo done
done

$ plot states bare --width 80
att1: rowsum, thread trace, 4 waves, 220 instructions executed
states of the traced waves over 4,300 cycles
  EXEC  ..      ....     ......    .....    ........        6.45 % of the time
  WAIT  -=#######===######=##=######==#=####=#=#=#########  92.24 % of the time
  STALL  .       ...         .      ....                    0.51 % of the time
waves in flight on all compute units of 1 shader engine, 4,308 cycles
  waves ###########################################==-....  up to 8
err: note: wave states are from the timelines, for lack of wstates files

$ plot occupancy small.db --width 80
kernel                                      waves       limited by
k858257  softmax_ke..float, 0>  #########   28 of 32*   sgprs: SGPR 112 -> 96
ka729f4  gemm_kernel<float, 0>  #########   28 of 32*   sgprs: SGPR 112 -> 96
kb41d91  layer_norm..float, 0>  #########   28 of 32*   sgprs: SGPR 112 -> 96
kb9dc7d  elementwis..float, 0>  #####       16 of 32    sgprs: SGPR 112 -> 96
k7aa5af  reduce_ker..float, 0>  ########    24 of 32*   sgprs: SGPR 112 -> 96
* the kernel's grid fills fewer slots of the device: launch more workgroups first

$ plot occupancy small.db --width 120
kernel                                                  waves       limited by
k858257  softmax_kernel<float, 0>      #############    28 of 32*   sgprs: SGPR 112 -> 96
ka729f4  gemm_kernel<float, 0>         #############    28 of 32*   sgprs: SGPR 112 -> 96
kb41d91  layer_norm_kernel<float, 0>   #############    28 of 32*   sgprs: SGPR 112 -> 96
kb9dc7d  elementwise_kernel<float, 0>  ########         16 of 32    sgprs: SGPR 112 -> 96
k7aa5af  reduce_kernel<float, 0>       ###########      24 of 32*   sgprs: SGPR 112 -> 96
* the kernel's grid fills fewer slots of the device: launch more workgroups first

$ plot occupancy small.db --width 200
kernel                                                            waves       limited by
k858257  softmax_kernel<float, 0>      ######################     28 of 32*   sgprs: SGPR 112 -> 96
ka729f4  gemm_kernel<float, 0>         ######################     28 of 32*   sgprs: SGPR 112 -> 96
kb41d91  layer_norm_kernel<float, 0>   ######################     28 of 32*   sgprs: SGPR 112 -> 96
kb9dc7d  elementwise_kernel<float, 0>  #############              16 of 32    sgprs: SGPR 112 -> 96
k7aa5af  reduce_kernel<float, 0>       ###################        24 of 32*   sgprs: SGPR 112 -> 96
* the kernel's grid fills fewer slots of the device: launch more workgroups first

$ plot occupancy small.db k858257 --width 80
k858257 softmax_kernel<float, 0> on MI300X (gfx942)
28 of 32 waves on a CU: 14 workgroups of 128 work-items (2 waves of 64), 87.5 %

resource       asked  allocated  available  workgroups
wave slots         2          2         32          16
vgprs             32         32        512          16
lds             4096       4096      65536          16
sgprs            112        112        800          14  limits
barriers           1          1         16          16

the grid has 76 workgroups and fills at most 1.6 % of the device's wave slots

to get more waves in:
  SGPR 112 -> 96 gives 30 waves per CU instead of 28 (93.8 %)
err: note: of 4 launch configurations the one with most time is shown; 'info kernel k858257' lists them

$ plot occupancy small.db k858257 --width 120
k858257 softmax_kernel<float, 0> on MI300X (gfx942)
28 of 32 waves on a CU: 14 workgroups of 128 work-items (2 waves of 64), 87.5 %

resource       asked  allocated  available  workgroups
wave slots         2          2         32          16
vgprs             32         32        512          16
lds             4096       4096      65536          16
sgprs            112        112        800          14  limits
barriers           1          1         16          16

the grid has 76 workgroups and fills at most 1.6 % of the device's wave slots

to get more waves in:
  SGPR 112 -> 96 gives 30 waves per CU instead of 28 (93.8 %)
err: note: of 4 launch configurations the one with most time is shown; 'info kernel k858257' lists them

$ plot occupancy small.db k858257 --width 200
k858257 softmax_kernel<float, 0> on MI300X (gfx942)
28 of 32 waves on a CU: 14 workgroups of 128 work-items (2 waves of 64), 87.5 %

resource       asked  allocated  available  workgroups
wave slots         2          2         32          16
vgprs             32         32        512          16
lds             4096       4096      65536          16
sgprs            112        112        800          14  limits
barriers           1          1         16          16

the grid has 76 workgroups and fills at most 1.6 % of the device's wave slots

to get more waves in:
  SGPR 112 -> 96 gives 30 waves per CU instead of 28 (93.8 %)
err: note: of 4 launch configurations the one with most time is shown; 'info kernel k858257' lists them

$ plot occupancy --object add.co
kernel                    waves       limited by
vector_add  ############  32 of 32    wave slots
err: note: the largest workgroup that each kernel allows is assumed (--workgroup), and no dynamic LDS (--lds)

$ plot occupancy --arch gfx942 --vgpr 132 --lds 33000 --workgroup 256
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

$ plot occupancy small.db -o occupancy.svg
wrote occupancy.svg, 2.751 KiB

$ plot occupancy --arch gfx942 --vgpr 132 --lds 33000 --workgroup 256 -o kernel.svg
wrote kernel.svg, 3.072 KiB

! grep -o '>28 of 32<' occupancy.svg | wc -l; grep -o 'font-weight="bold"[^<]*' kernel.svg
3
font-weight="bold" fill="#333333">lds

$ plot occupancy bare.db
there is nothing to draw: no kernel ran
err: note: the recording has no dispatches: no kernel ran, or kernels were not recorded (rocprofv3 --kernel-trace)

# What other waves hid: eight on a SIMD at a time.
$ --width 80 att hidden softmax --top 4
att1: softmax_kernel_0, thread trace, 2,056 waves, 1,381,118 instructions executed
             wave-cycles           hidden          exposed    hidden
  stall       31,799,432       20,865,768       10,933,664   65.62 %
  idle         1,188,660          752,808          435,852   63.33 %
  issue        9,845,712        3,808,584        6,037,128   38.68 %

stall and idle that nothing hid, by instruction
 exposed    hidden        cycles   line  instruction
 25.47 %   65.89 %     2,895,460     10  buffer_load_ushort .. s[12:15], 0 offen
  7.22 %   71.17 %       821,192    176  s_barrier
  4.32 %   44.38 %       491,572    222  s_barrier
  3.98 %   40.57 %       452,064    597  s_barrier
(4 of 727; --top 0 shows all)
err: note: on gfx9 a pipe counts as busy while instructions issue, not while they execute: what is hidden is a lower bound

$ --width 120 att hidden softmax --top 4
att1: softmax_kernel_0, thread trace, 2,056 waves, 1,381,118 instructions executed
             wave-cycles           hidden          exposed    hidden
  stall       31,799,432       20,865,768       10,933,664   65.62 %
  idle         1,188,660          752,808          435,852   63.33 %
  issue        9,845,712        3,808,584        6,037,128   38.68 %

stall and idle that nothing hid, by instruction
 exposed    hidden        cycles   line  instruction
 25.47 %   65.89 %     2,895,460     10  buffer_load_ushort v2, v1, s[12:15], 0 offen
  7.22 %   71.17 %       821,192    176  s_barrier
  4.32 %   44.38 %       491,572    222  s_barrier
  3.98 %   40.57 %       452,064    597  s_barrier
(4 of 727; --top 0 shows all)
err: note: on gfx9 a pipe counts as busy while instructions issue, not while they execute: what is hidden is a lower bound

$ --width 200 att hidden softmax --top 4
att1: softmax_kernel_0, thread trace, 2,056 waves, 1,381,118 instructions executed
             wave-cycles           hidden          exposed    hidden
  stall       31,799,432       20,865,768       10,933,664   65.62 %
  idle         1,188,660          752,808          435,852   63.33 %
  issue        9,845,712        3,808,584        6,037,128   38.68 %

stall and idle that nothing hid, by instruction
 exposed    hidden        cycles   line  instruction
 25.47 %   65.89 %     2,895,460     10  buffer_load_ushort v2, v1, s[12:15], 0 offen
  7.22 %   71.17 %       821,192    176  s_barrier
  4.32 %   44.38 %       491,572    222  s_barrier
  3.98 %   40.57 %       452,064    597  s_barrier
(4 of 727; --top 0 shows all)
err: note: on gfx9 a pipe counts as busy while instructions issue, not while they execute: what is hidden is a lower bound
