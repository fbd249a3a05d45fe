# Opening, listing, windows, closing.
# fixture small.db: --dispatches 60 --queues 2 --streams 3 --kernels 5 --api --markers --counters 2 --seed 7 --event-share 0.1 --copy-share 0.1 --marker-share 0.1
$ open small.db
t1: 60 dispatches, 4 kernels, 3 streams, gfx942 x1, 701.0 us (rocpd 3)

$ open small.db --json
{
  "schema": "rpl.open/1",
  "id": "t1",
  "path": "small.db",
  "ready": true,
  "format": "rocpd 3",
  "dispatches": 60,
  "kernels": 4,
  "streams": 3,
  "span_ns": 701044,
  "notes": [],
  "provenance": "recorded"
}

$ open missing.db
err: error: missing.db: no such file; give the path of a rocpd database, an .rpd file, a rocprofv3 CSV or JSON, or a trace of PyTorch's profiler
? 1

# A session holds several traces; one is current.
(rpl) open small.db
t1: 60 dispatches, 4 kernels, 3 streams, gfx942 x1, 701.0 us (rocpd 3)

(rpl) trace window 0us 300us
t2: 31 dispatches, 4 kernels, 3 streams, gfx942 x1, 255.9 us (rocpd 3)  [t1 from 0 ns to 300.0 us]

(rpl) trace list
id  current  ready  dispatches  span us  path      origin
t1  no       yes            60  701.044  small.db  -
t2  yes      yes            31  255.913  small.db  t1 from 0 ns to 300.0 us
(2 rows, recorded)

(rpl) info trace/q
31

(rpl) trace select t1
t1: 60 dispatches, 4 kernels, 3 streams, gfx942 x1, 701.0 us (rocpd 3)

(rpl) trace window 300us 100us
err: error: the window ends before it begins; name its beginning first: trace window 10ms 20ms

(rpl) trace window 900s 901s
err: error: no dispatch ran in this window; 'timeline' shows what ran when; times count from the beginning of the trace

(rpl) trace window nosuchmarker
err: error: 'nosuchmarker' is neither a time nor a marker; write 12ms or 1.5s from the beginning; 'info markers' lists marks

(rpl) close t2
closed t2; current is t1

(rpl) close
closed t1; no trace is open

(rpl) summary
err: error: no trace is open; open one: open FILE, or name it in the command: summary FILE

# Merging the same process twice is one process.
$ trace merge small.db small.db
t1: 60 dispatches, 4 kernels, 3 streams, gfx942 x1, 701.0 us (rocpd 3)
err: note: 1 remark about the recording: info warnings

# Two processes of one run, each in its own file.
# fixture run.db: --files 2 --dispatches 40 --gpus 2 --streams 2 --kernels 3 --seed 5 --api
$ trace merge run.db run-1.db
t1: 80 dispatches, 3 kernels, 4 streams, gfx942 x4, 2 processes, 288.9 us (rocpd 3)

$ -batch -q -nx -ex 'trace merge run.db run-1.db' -ex 'info processes/c' -ex 'info agents/c' -ex 'info warnings' | cut -d, -f1,2,6,7,8
t1: 80 dispatches, 3 kernels, 288.9 us (rocpd 3)
pid,hostname,rank,ranks,clock_shift_ns
4242,gpu-node-1,,,0
4243,gpu-node-1,,,0
id,type,recorded_id,process,dispatches
a0,CPU,0,0,0
a1,GPU,1,0,20
a2,GPU,2,0,20
a3,CPU,0,1,0
a4,GPU,1,1,21
a5,GPU,2,1,19
about  warning
(0 rows, recorded)
err: note: nothing odd was found in this recording

$ -batch -q -nx -ex 'open run.db' -ex 'open run-1.db' -ex 'trace merge t1 t2' -ex 'info trace/q'
t1: 40 dispatches, 2 kernels, 2 streams, gfx942 x2, 283.8 us (rocpd 3)
t2: 40 dispatches, 3 kernels, 2 streams, gfx942 x2, 283.3 us (rocpd 3)
t3: 80 dispatches, 3 kernels, 4 streams, gfx942 x4, 2 processes, 288.9 us (rocpd 3)
80

# Formats of other tools are refused by name, with what to type instead.
# file run.hatchet:
#| [{"frame": {"name": "ROOT"}, "metrics": {"count": 1}}]
# file results.csv:
#| "Index","KernelName","gpu-id","queue-id"
# file v1.csv:
#| "Index","KernelName","gpu-id","queue-id","pid","tid","grd","wgr","BeginNs","EndNs"
#| 0,"fill(int) [clone .kd]",8,0,77,77,512,256,1000,1600
#| 1,"work.kd",8,0,77,77,512,256,2000,2100
# file roofline.csv:
#| device,HBMBw
#| 0,1.5
$ open run.hatchet
err: error: run.hatchet is a profile of Proton: sums over a tree of calls, without single launches; record the program itself: 'rocprofv3 --kernel-trace --output-format rocpd -- python APP.py'
? 1

$ open results.csv
err: error: results.csv is results.csv of rocprof version 1 without times: counters alone; record it again with times, 'rocprof --timestamp on …', or with rocprofv3: 'rocprofv3 --sys-trace --output-format rocpd -- APP'
? 1

# What is named in passing is told what it is, too.
$ info trace run.hatchet
err: error: run.hatchet is a profile of Proton: sums over a tree of calls, without single launches; record the program itself: 'rocprofv3 --kernel-trace --output-format rocpd -- python APP.py'
? 1

$ info kernels roofline.csv
err: error: roofline.csv is not a recording that rpl knows: it begins with 'device,HBMBw'; rpl reads rocpd and RPD databases, CSV and JSON of rocprofv3, and JSON of PyTorch's profiler
? 1

# The kernels of rocprof version 1, where it wrote down their times.
$ info kernels v1.csv --csv
id,kernel,name,calls,total_ns,mean_ns,min_ns,max_ns,stddev_ns,variation,share,real_low,real_high
kee8d63,fill,fill(int),1,600,600.0,600,600,,,0.8571428571428571,,
k00e13e,work,work,1,100,100.0,100,100,,,0.14285714285714285,,

$ info warnings v1.csv
recording: rocprof version 1 wrote this: kernels alone, on hardware queues; copies and calls, where it recorded them, are in other files of it, which are not read
