# What a recording shows of itself that makes its answers less sure: a line each in 'info warnings', a note on results, less confidence.
# file 10_kernel_trace.csv:
#| "Kind","Agent_Id","Queue_Id","Stream_Id","Kernel_Name","Dispatch_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
#| "KERNEL_DISPATCH",1,1,1,"work",1,1,1000000,1010000
#| "KERNEL_DISPATCH",1,1,1,"work",2,2,1020000,1030000
#| "KERNEL_DISPATCH",1,1,1,"work",3,3,1040000,1050000
#| "KERNEL_DISPATCH",1,1,1,"work",4,4,1060000,1070000
#| "KERNEL_DISPATCH",1,1,1,"work",5,5,1080000,1090000
#| "KERNEL_DISPATCH",1,1,1,"work",6,6,1100000,1110000
# file 20_kernel_trace.csv:
#| "Kind","Agent_Id","Queue_Id","Stream_Id","Kernel_Name","Dispatch_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
#| "KERNEL_DISPATCH",1,1,1,"work",1,1,1001000000,1001010000
#| "KERNEL_DISPATCH",1,1,1,"work",2,2,1001020000,1001030000
#| "KERNEL_DISPATCH",1,1,1,"work",3,3,1001040000,1001050000
#| "KERNEL_DISPATCH",1,1,1,"work",4,4,1001060000,1001070000
#| "KERNEL_DISPATCH",1,1,1,"work",5,5,1001080000,1001090000
#| "KERNEL_DISPATCH",1,1,1,"work",6,6,1001100000,1001110000
# file lost_kernel_trace.csv:
#| "Kind","Agent_Id","Queue_Id","Stream_Id","Kernel_Name","Dispatch_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
#| "KERNEL_DISPATCH",1,1,1,"work",2,2,1020000,1030000
#| "KERNEL_DISPATCH",1,1,1,"work",3,3,1040000,1050000
#| "KERNEL_DISPATCH",1,1,1,"work",5,5,1080000,1090000
#| "KERNEL_DISPATCH",1,1,1,"work",6,6,1100000,1110000
# file jump_kernel_trace.csv:
#| "Kind","Agent_Id","Queue_Id","Stream_Id","Kernel_Name","Dispatch_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
#| "KERNEL_DISPATCH",1,1,1,"work",1,1,1000000,1010000
#| "KERNEL_DISPATCH",1,1,1,"work",2,2,1020000,1030000
#| "KERNEL_DISPATCH",1,1,1,"work",3,3,1040000,1050000
#| "KERNEL_DISPATCH",1,1,1,"work",4,4,1025000,1029000
#| "KERNEL_DISPATCH",1,1,1,"work",5,5,1080000,1090000
#| "KERNEL_DISPATCH",1,1,1,"work",6,6,1100000,1110000
# file over_kernel_trace.csv:
#| "Kind","Agent_Id","Queue_Id","Stream_Id","Kernel_Name","Dispatch_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
#| "KERNEL_DISPATCH",1,1,1,"work",1,1,1000000,1010000
#| "KERNEL_DISPATCH",1,1,1,"work",2,2,1020000,1030000
#| "KERNEL_DISPATCH",1,1,1,"work",3,3,1040000,1050000
#| "KERNEL_DISPATCH",1,1,1,"work",4,4,1042000,1070000
#| "KERNEL_DISPATCH",1,1,1,"work",5,5,1080000,1090000
#| "KERNEL_DISPATCH",1,1,1,"work",6,6,1100000,1110000
# file calls_kernel_trace.csv:
#| "Kind","Agent_Id","Queue_Id","Stream_Id","Kernel_Name","Dispatch_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
#| "KERNEL_DISPATCH",1,1,1,"work",1,1,1000000,1010000
#| "KERNEL_DISPATCH",1,1,1,"work",2,2,1020000,1030000
#| "KERNEL_DISPATCH",1,1,1,"work",3,3,1040000,1050000
#| "KERNEL_DISPATCH",1,1,1,"work",4,4,1060000,1070000
#| "KERNEL_DISPATCH",1,1,1,"work",5,5,1080000,1090000
#| "KERNEL_DISPATCH",1,1,1,"work",6,6,1100000,1110000
# file sampled_kernel_trace.csv:
#| "Kind","Agent_Id","Queue_Id","Stream_Id","Kernel_Name","Dispatch_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
#| "KERNEL_DISPATCH",1,1,1,"work",1,1,1000000,1010000
#| "KERNEL_DISPATCH",1,1,1,"work",2,2,1020000,1030000
#| "KERNEL_DISPATCH",1,1,1,"work",3,3,1040000,1050000
#| "KERNEL_DISPATCH",1,1,1,"work",4,4,1060000,1070000
#| "KERNEL_DISPATCH",1,1,1,"work",5,5,1080000,1090000
#| "KERNEL_DISPATCH",1,1,1,"work",6,6,1100000,1110000
# file calls_hip_api_trace.csv:
#| "Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
#| "HIP_RUNTIME_API","hipLaunchKernel",1,1,1,990000,991000
#| "HIP_RUNTIME_API","hipLaunchKernel",1,1,2,992000,993000
# file sampled_pc_sampling_host_trap.csv:
#| "Sample_Timestamp","Exec_Mask","Dispatch_Id"
$ info warnings 10_kernel_trace.csv
about  warning
(0 rows, recorded)
err: note: nothing odd was found in this recording

$ info warnings lost_kernel_trace.csv
clipped: the recording begins after 1 dispatch: sums are those of a part
lost: 1 dispatch between the 4 that were recorded is missing, as the ids show: dropped by the recorder, or left out on purpose

$ info warnings jump_kernel_trace.csv
overlapping: 1 dispatch began while another one of the stream still ran, for up to 4.000 us: their times hold work of each other
clock-jump: 1 dispatch began before others that the queue had got earlier: the clock went backwards, or ids were changed

$ info warnings over_kernel_trace.csv
overlapping: 1 dispatch began while another one of the stream still ran, for up to 8.000 us: their times hold work of each other

$ info warnings calls_kernel_trace.csv
calls-missing: the calls that launched 4 of 6 dispatches are not in the recording: when the host launched them is not known

$ info warnings sampled_kernel_trace.csv
recording: PC samples lie beside it, which slow kernels down: times are those of a sampled run; 'att open sampled_pc_sampling_host_trap.csv' reads them

(rpl) trace merge 10_kernel_trace.csv 20_kernel_trace.csv
t1: 12 dispatches, 1 kernel, 2 streams, GPU x2, 2 processes, 1.000 s (csv)

(rpl) info warnings
several-runs: 2 runs one after the other are in this trace; the 999.9 ms between them belong to none

# Results say so.
$ critpath lost_kernel_trace.csv --json | tail -8
  "ceiling_speedup": null,
  "edges": {"stream_order": 3},
  "rows": [
    {"id": "k00e13e", "kernel": "work", "calls": 4, "path_calls": 4, "path_ns": 40000, "share": 1.0, "min_slack_ns": 0, "gain_if_2x": 0.2222222222222222, "priority": null}
  ],
  "notes": ["the recording is less sure than others (clipped, lost): info warnings says why"],
  "provenance": "recorded"
}

# fixture sound.db: --dispatches 60 --kernels 3 --api --seed 7 --sync-share 0.3
! cp sound.db lost.db && python3 -c "import sqlite3; d=sqlite3.connect('lost.db'); t=[r[0] for r in d.execute(\"select name from sqlite_master where type='table' and name like 'rocpd_kernel_dispatch%'\")][0]; d.execute(f'update \"{t}\" set dispatch_id = dispatch_id + 3 where dispatch_id > 30'); d.commit()"

# Causes of the application may as well be worth nothing.
! rpl findings app sound.db --json 2> /dev/null | python3 -c "import json,sys; d=json.load(sys.stdin); print([(r['cause'], r['worth_low'], r['confidence']) for r in d['rows']], d['notes'])"
[('launch-bound', 0.0306830946363381, 'high'), ('host-sync-bound', 0.0, 'high')] []

! rpl findings app lost.db --json 2> /dev/null | python3 -c "import json,sys; d=json.load(sys.stdin); print([(r['cause'], r['worth_low'], r['confidence']) for r in d['rows']], d['notes'])"
[('launch-bound', 0.0, 'low'), ('host-sync-bound', 0.0, 'low')] ['the recording is less sure than others (lost): info warnings says why']

# Kernels are classified with less confidence where their own times or sums are in doubt.
# file short_kernel_trace.csv:
#| "Kind","Agent_Id","Queue_Id","Stream_Id","Kernel_Name","Dispatch_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
#| "KERNEL_DISPATCH",1,1,1,"work",1,1,1000000,1002000
#| "KERNEL_DISPATCH",1,1,1,"work",2,2,1020000,1022000
#| "KERNEL_DISPATCH",1,1,1,"work",3,3,1040000,1042000
#| "KERNEL_DISPATCH",1,1,1,"work",4,4,1060000,1062000
#| "KERNEL_DISPATCH",1,1,1,"work",5,5,1080000,1082000
# file gap_kernel_trace.csv:
#| "Kind","Agent_Id","Queue_Id","Stream_Id","Kernel_Name","Dispatch_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
#| "KERNEL_DISPATCH",1,1,1,"work",1,1,1000000,1002000
#| "KERNEL_DISPATCH",1,1,1,"work",2,2,1020000,1022000
#| "KERNEL_DISPATCH",1,1,1,"work",4,4,1060000,1062000
#| "KERNEL_DISPATCH",1,1,1,"work",5,5,1080000,1082000
! rpl classify short_kernel_trace.csv --json 2> /dev/null | python3 -c "import json,sys; d=json.load(sys.stdin); print([(r['label'], round(r['confidence'], 3)) for r in d['rows']], d['notes'][-1:])"
[('latency bound', 0.3)] ['registers of 1 of 1 kernels are not recorded; their occupancy is an upper bound']

! rpl classify gap_kernel_trace.csv --json 2> /dev/null | python3 -c "import json,sys; d=json.load(sys.stdin); print([(r['label'], round(r['confidence'], 3)) for r in d['rows']], d['notes'][-1:])"
[('latency bound', 0.225)] ['the recording is less sure than others (lost): info warnings says why']

# A window lacks what lies outside of it, and nothing else.
$ -batch -q -nx -ex 'open 10_kernel_trace.csv' -ex 'trace window 30us 90us' -ex 'info warnings'
t1: 6 dispatches, 1 kernel, 1 stream, GPU x1, 110.0 us (csv)
t2: 3 dispatches, 1 kernel, 1 stream, GPU x1, 50.00 us (csv)  [t1 from 30.00 us to 90.00 us]
about  warning
(0 rows, recorded)
err: note: nothing odd was found in this recording
