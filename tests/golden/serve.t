# Pages for a browser of this machine. What it answers is asked in tests/pages.
# fixture small.db: --dispatches 60 --queues 2 --streams 3 --kernels 5 --api --seed 7
! rpl serve small.db --for 0.01 | sed -E 's|:[0-9]+/|:PORT/|; s/=[0-9a-f]{32}/=TOKEN/'
serving what is open at http://127.0.0.1:PORT/?token=TOKEN
Ctrl-C ends it
0 requests answered, 0 refused

! rpl serve small.db --for 0.01 --json 2>/dev/null | sed -E 's|:[0-9]+/|:PORT/|; s/=[0-9a-f]{32}/=TOKEN/'
{
  "schema": "rpl.serve/1",
  "url": "http://127.0.0.1:PORT/?token=TOKEN",
  "answered": 0,
  "refused": 0,
  "notes": [],
  "provenance": "none"
}

$ serve nosuch.db
err: error: nosuch.db: no such file; give the path of a rocpd database, an .rpd file, a rocprofv3 CSV or JSON, or a trace of PyTorch's profiler
? 1

$ serve small.db --port 70000
err: error: --port takes a whole number, 0 to 65535, not 70000; usage: serve [PATH ...] [--port PORT] [--for SECONDS]
? 2

$ --restricted serve small.db --for 0.01
err: error: 'serve' sends to other machines, and this session may not; start it with: rpl --restricted --allow network
? 1
