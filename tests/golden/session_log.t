# What was opened, asked and answered, and how it ended.
# fixture small.db: --dispatches 60 --queues 2 --streams 3 --kernels 5 --api --markers --counters 2 --seed 7 --event-share 0.1 --copy-share 0.1 --marker-share 0.1
$ session info/q
null
err: note: no session in .rpl; --session DIR keeps one; the prompt does with the first trace that is opened

$ session log
event  run  time  kind  what  exit  elapsed ns  result
(0 rows)
err: note: no session in .rpl; --session DIR keeps one; the prompt does with the first trace that is opened

$ session export all.jsonl
0 events in all.jsonl
err: note: no session in .rpl; --session DIR keeps one; the prompt does with the first trace that is opened

! mkdir .rpl

$ info trace/q small.db
60

$ nosuch
err: error: nosuch: no such file; give the path of a rocpd database, an .rpd file, a rocprofv3 CSV or JSON, or a trace of PyTorch's profiler
? 1

$ trace window 1s 0s --trace small.db
err: error: the window ends before it begins; name its beginning first: trace window 10ms 20ms
? 2

$ -batch -q -nx -ex 'set rows 5' -ex 'alias ver = show version/q' -ex 'define hello --line "echo hello"' -ex hello
hello

$ session info/q
.rpl/session.db

$ session info/c | cut -d, -f2-5
schema_version,runs,events,unanswered
1,6,24,1

$ session log/c | cut -d, -f1,2,4,5,6,8
event,run,kind,what,exit,result
1,1,asked,info trace/q small.db,0,rpl.info.trace/1
2,1,opened,small.db,,
4,2,asked,open nosuch,1,rpl.error/1
6,3,asked,trace window 1s 0s --trace small.db,2,rpl.error/1
7,3,opened,small.db,,
9,4,asked,set rows 5,0,rpl.set/1
10,4,setting,rows,,
12,4,asked,alias ver = show version/q,0,rpl.alias/1
13,4,defined,ver,,
15,4,asked,"define hello --line ""echo hello""",0,rpl.define/1
16,4,defined,hello,,
18,4,asked,hello,0,rpl.hello/1
19,4,asked,echo hello,0,rpl.echo/1
22,5,asked,session info/q,0,rpl.session.info/1
24,6,asked,session info/c,0,rpl.session.info/1
26,7,asked,session log/c,,

$ session log/l --limit 1 | sed 's/"time": "[^"]*"/"time": "…"/'
{"event": 28, "run": 8, "time": "…", "kind": "asked", "what": "session log/l --limit 1", "exit": null, "elapsed_ns": null, "result": null}

$ session export all.jsonl
30 events in all.jsonl

$ session export /nosuch/all.jsonl
err: error: cannot write /nosuch/all.jsonl: No such file or directory; choose another file
? 1

! grep '"kind":"answered"' all.jsonl | head -1 | sed 's/"time":"[^"]*"/"time":"…"/; s/"elapsed_ns": *[0-9]*/"elapsed_ns":…/; s/"path":"[^"]*"/"path":"…"/'
{"schema":"rpl.session.event/1","id":3,"run":1,"time":"…","kind":"answered","about":1,"what":"","body":{"schema": "rpl.info.trace/1", "exit": 0, "elapsed_ns":…, "result": {"id": "t1", "path": "small.db", "format": "rocpd 3", "dispatches": 60, "kernels": 4, "streams": 3, "queues": 2, "agents": 1, "processes": 1, "span_ns": 701044, "gpu_time_ns": 712680, "busy_ns": 552490, "busy_share": 0.7880960396209082, "device": "gfx942 x1", "recorded": ["copies", "api", "markers", "counters"], "file_bytes": 233472, "memory_bytes": 1680, "warnings": 0}}}
