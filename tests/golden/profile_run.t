# A HIP program on the emulated devices: two kernels in two streams, ordered by an event.
# modelled
# needs example: rpl-hip-example
$ profile --output out -- rpl-hip-example
PASSED
ran rpl-hip-example on 1 x MI300X, emulated: every time below is modelled
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
wrote out: profile.json roofline.json dag.json analysis.json, and the database

$ profile /q --quiet --gpu gfx90a --output out2 -- rpl-hip-example
0.003859

! ls -A out | grep -vx "$(hostname)"; ls out/*/*_results.db | wc -l
.rocpd_profile
analysis.json
dag.json
profile.json
roofline.json
stdout.txt
1

(rpl) profile --quiet --output out3 -- rpl-hip-example
ran rpl-hip-example on 1 x MI300X, emulated: every time below is modelled
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
wrote out3: profile.json roofline.json dag.json analysis.json, and the database

(rpl) critpath
critical path: 4.161 us of kernels and copies in a span of 26.96 us (15.4 %), 4 operations
  kernel #####                                   3.505 us  13.0 %  kernels run
  copy   #                                         656 ns   2.4 %  memory copies
  launch ##########################              18.80 us  69.7 %  launched, not started yet
  host   ######                                  4.000 us  14.8 %  the host had not launched yet
edges: event 1, launch 2

MEMORY_COPY_HOST_TO_DEVICE 328 ns => gap 7.500 us (launch) => vector_add 2.010 us
  => gap 3.300 us (launch) => vector_add 1.495 us => gap 12.00 us (launch)
  => MEMORY_COPY_DEVICE_TO_HOST 328 ns

id       kernel      calls  path_calls  path ns  share %  min_slack ns  gain_if_2x %
k5e4c39  vector_add      2           2     3505    84.23             0          6.50
(1 row, modelled)

(rpl) dag edges
from    to     evidence      wait us
call10  d1     launch          5.500
wait1   d1     host_sync       5.500
d1      d2     event           3.300
call13  d2     launch          5.910
wait1   d2     host_sync      10.810
call9   copy1  launch         10.000
copy1   copy2  stream_order   26.305
call15  copy2  launch         10.000
wait4   copy2  host_sync      10.000
copy1   wait1  host_sync       2.000
d2      wait4  host_sync       2.000
wait1   wait4  host_sync       7.400
copy2   wait5  host_sync       2.000
wait4   wait5  host_sync       0.000
(14 rows, modelled)

# What cannot run is told with what fixes it.
$ profile -- ls
err: error: /usr/bin/ls is not a HIP program: it does not use libamdhip64; build one: rpl build SOURCE -o app; the host's time of any program: profile --no-rocprof
? 6

$ profile -- no-such-program
err: error: no program 'no-such-program'; give its path: profile -- ./app
? 1

$ profile --gpu gfx1100 -- rpl-hip-example
err: error: code of gfx1100 is not emulated; that of MI300X (gfx942), MI350X (gfx950), MI250X (gfx90a) is
? 1

$ profile --devices 9 -- rpl-hip-example
err: error: --devices takes a whole number, 0 to 8, not 9; help profile
? 2

(rpl) set emu gpu MI250X

(rpl) set emu devices 12
err: error: emu devices takes a whole number, 1 to 8, not 12; 'set emu devices 1' restores the default

(rpl) show emu
setting      value   default  takes                 description
emu devices  1             1  whole number, 1 to 8  how many such GPUs there are
emu gpu      MI250X        -  text                  GPU that `profile` runs..: what suits their code
(2 rows)

# The older tool's names: the second leaves its files in the current folder.
! rocm-perf profile rpl-hip-example --json --quiet --output older | grep -E '"(schema_version|runtime_ms)"'
  "schema_version": "1.0",
  "runtime_ms": 0.003505,

! mkdir lab && cd lab && rocm-perf-lab profile rpl-hip-example --quiet && ls -A | grep -vxF -e "$(hostname)" -e .rpl
ran rpl-hip-example on 1 x MI300X, emulated: every time below is modelled
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
wrote .: profile.json roofline.json dag.json analysis.json, and the database
.rocpd_profile
analysis.json
dag.json
profile.json
roofline.json
stdout.txt

# A program with code objects in it could be opened as well; here it is what runs.
# example add.co: hip/objects/vector_add.gfx942.co
$ profile --quiet add.co
err: error: no program 'add.co'; give its path: profile -- ./app
? 1
