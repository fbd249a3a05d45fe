# A pipe, a device or a link where a file is expected: refused at once, by name.
# fixture small.db: --dispatches 60 --queues 2 --streams 3 --kernels 5 --api --markers --counters 2 --seed 7 --event-share 0.1 --copy-share 0.1 --marker-share 0.1
# example rowsum: att/rowsum
# example softmax: captures/softmax
! mkfifo p && truncate -s 1T big.co && ln -s small.db link && ln -s nowhere dangling

# Recordings, and what lies beside them.
$ open p
err: error: p is a pipe, not a file; name a regular file
? 1

$ sql 'select 1' --trace p
err: error: p is a pipe, not a file; name a regular file
? 1

$ trace merge p small.db
err: error: p is a pipe, not a file; name a regular file
? 1

! cp small.db w.db && mkfifo w.db-wal

$ open w.db
err: error: DIR/w.db-wal is a pipe, not a file; name a regular file
? 1

! mkdir pm && printf 'Dispatch_ID,Kernel_Name,LDS_Per_Workgroup,Start_Timestamp,End_Timestamp\n0,k,0,1,2\n' > pm/pmc_perf.csv && mkfifo pm/sysinfo.csv

$ open pm
t1: 1 dispatch, 1 kernel, 0 streams, GPU x1, 1 ns (csv)
err: note: 1 remark about the recording: info warnings

# Inputs of every kind.
$ object meta p
err: error: p is a pipe, not a file; name a regular file
? 1

$ object meta /dev/urandom
err: error: /dev/urandom is a device, not a file; name a regular file
? 1

! rpl object meta big.co 2>&1 | cut -d: -f1-2
error: big.co has 1.000 TiB

$ disassemble p
err: error: p is a pipe, not a file; name a regular file
? 1

$ source p
err: error: p is a pipe, not a file; give the path of a .lua or .rpl file
? 1

$ -x /dev/zero
err: error: /dev/zero is a device, not a file; give the path of a .lua or .rpl file
? 1

$ guard check p --response p --kernel k
err: error: p is a pipe, not a file; name a regular file
? 1

$ space load p
err: error: p is a pipe, not a file; name a regular file
? 1

$ tune import p
err: error: p is a pipe, not a file; name a regular file
? 1

$ bench import p
err: error: p is a pipe, not a file; name a regular file
? 1

$ prompt p
err: error: p is a pipe, not a file; name a regular file
? 1

$ build p
err: error: p is a pipe, not a file; name a regular file
? 1

$ trust p
err: error: p is a pipe, not a file; name a regular file
? 1

$ capture unpack p -o u
err: error: p is a pipe, not a file; name a regular file
? 1

$ audit p
err: error: p is a pipe, not a file; name a regular file
? 1

$ att summary p
err: error: p is a pipe, not a file; name a regular file
? 1

! mkfifo p.lua; rpl lua "require('p')" 2>&1 | grep -o './p.lua is a .*'
./p.lua is a pipe, not a file

$ lua "print(loadfile('p'))"
nil	p is a pipe, not a file

# A shell's own pipes may be read.
! echo 'echo from a pipe' | rpl -batch -x /dev/stdin
from a pipe

# Outputs.
$ export svg -o p --trace small.db
err: error: p is a pipe, not a file; name a regular file
? 1

$ export csv kernels -o link --trace small.db
err: error: link is a symbolic link; it is not written through; name the file that it leads to
? 1

$ export csv kernels -o dangling --trace small.db
err: error: dangling is a symbolic link; it is not written through; name the file that it leads to
? 1

$ report html -o p --trace small.db
err: error: p is a pipe, not a file; name a regular file
? 1

$ session export p
err: error: p is a pipe, not a file; choose another file
? 1

! export LC_ALL=C; rpl export csv kernels -o /dev/stdout --trace small.db | head -1
id,kernel,name,calls,total_ns,mean_ns,min_ns,max_ns,stddev_ns,variation,share,real_low,real_high

# Every other parameter that is a path.
$ object contents p
err: error: p is a pipe, not a file; name a regular file
? 1

$ object diff p p
err: error: p is a pipe, not a file; name a regular file
? 1

$ -x p
err: error: p is a pipe, not a file; give the path of a .lua or .rpl file
? 1

$ kernel run p k --grid 64 --workgroup 64
err: error: p is a pipe, not a file; name a regular file
? 1

$ guard check p --edited p --kernel k
err: error: p is a pipe, not a file; name a regular file
? 1

$ space count p
err: error: p is a pipe, not a file; name a regular file
? 1

$ autotune --space p --cmd-template './app {A}'
err: error: p is a pipe, not a file; name a regular file
? 1

$ bench rates --recorded p
err: error: p is a pipe, not a file; name a regular file
? 1

$ roofline --measured p --trace small.db
err: error: p is a pipe, not a file; name a regular file
? 1

$ classify --measured p --trace small.db
err: error: p is a pipe, not a file; name a regular file
? 1

$ capture open p
err: error: p: Not a directory; 'capture list' shows the captures that there are
? 1

$ optimize p --capture p
err: error: p: Not a directory; 'capture list' shows the captures that there are
? 1

$ replay softmax --hsaco p
err: error: p is a pipe, not a file; name a regular file
? 1

$ export chrome -o p --trace small.db
err: error: p is a pipe, not a file; name a regular file
? 1

$ ./p
err: error: ./p is a pipe, not a file; name a regular file
? 1

$ replay p
err: error: p: Not a directory; 'capture list' shows the captures that there are
? 1

# A wave of a thread trace.
! cp -rL rowsum waits && rm waits/se*_wv*.json && mkfifo waits/se0_sm0_sl0_wv0.json; timeout 20 rpl att waits waits; echo $?
att1: rowsum, thread trace, 4 waves, 220 instructions executed
waits are - of all stall. Mean cycles from the issue of an instruction to the end of the wait: exact for the youngest waited for, an upper bound for others
   stall      mean     executed  line  wait, and what it waited for
0
err: note: waits/se0_sm0_sl0_wv0.json is a pipe, not a file; this wave is left out
err: note: waits/se0_sm1_sl0_wv0.json: no such file; this wave is left out
err: note: waits/se0_sm2_sl0_wv0.json: no such file; this wave is left out
err: note: waits/se0_sm3_sl0_wv0.json: no such file; this wave is left out

# Of later commands and formats.
! mkfifo p.gz p.zst p.pt.trace.json p.hsaco && mkdir cache && mkfifo cache/k.hsaco cache/k.json

$ info trace --trace p.gz
err: error: p.gz is a pipe, not a file; name a regular file
? 1

$ info trace --trace p.zst
err: error: p.zst is a pipe, not a file; name a regular file
? 1

$ info trace --trace p.pt.trace.json
err: error: p.pt.trace.json is a pipe, not a file; name a regular file
? 1

$ kernel run p.hsaco k --grid 64 --workgroup 64
err: error: p.hsaco is a pipe, not a file; name a regular file
? 1

$ export perfetto -o p --trace small.db
err: error: p is a pipe, not a file; name a regular file
? 1

$ export sqlite -o p --trace small.db
err: error: p is a pipe, not a file; name a regular file
? 1

$ open cache
err: error: cache holds no recording; expected *.db, *.rpd, *_results.json, a PyTorch profiler's *.json, *_kernel_trace.csv, *_counter_collection.csv or pmc_perf.csv in it or below, the first four also with .gz or .zst
? 1

$ headroom --measured p --trace small.db
err: error: p is a pipe, not a file; name a regular file
? 1

# What is remembered between runs.
! mkdir -p st/rpl && mkfifo st/rpl/trusted st/rpl/sessions st/rpl/history && mkdir -p in/.rpl && echo 'echo ran' > in/.rpl/init.rpl && cd in && XDG_STATE_HOME=$PWD/../st timeout 20 rpl -batch -ex 'print 1'; echo $?
$1 = 1
0
err: note: skipped .rpl/init.rpl, which nobody trusts yet; to allow it: rpl trust
err: note: the session cannot be remembered as yours, and will only be looked at the next time: cannot write DIR/in/../st/rpl/sessions: No such device or address

# A program that waits for an answer gets one, and the next.
! printf '%s\n' '{"id": 1, "line": "open p"}' '{"id": 2, "line": "print 6 * 7"}' | timeout 20 rpl -nx --interpreter jsonl | grep -o '"id": *[0-9]*\|"message": *"[^"]*"\|"exit_code": *[0-9]*'
"id": 1
"message": "p is a pipe, not a file"
"exit_code": 1
"id": 2
"exit_code": 0

! ls
big.co
cache
dangling
in
link
p
p.gz
p.hsaco
p.lua
p.pt.trace.json
p.zst
pm
rowsum
small.db
softmax
st
w.db
w.db-wal
waits
