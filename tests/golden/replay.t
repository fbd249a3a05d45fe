# A captured dispatch, run again.
# modelled
# example softmax: captures/softmax
# example other.co: hip/objects/vector_add.gfx942.co
# example same.co: hip/objects/softmax.gfx942.co
# example old.co: hip/objects/softmax.gfx90a.co
$ replay softmax
capture               c1
kernel                name softmax, hsaco_path softmax/kernel.hsaco
execution             iterations 1, mode stateless
timing                unit microseconds, average 61.25, min 61.25, max 61.25, median 61.25, p5 61.25, p95 61.25, stdev 0
target                emu
median                61.252 us
time_source           modelled
post_image            matched
model                 rpl-cycle/0.5 MI300X
cycles                128,630 cycles
time                  61.252 us
time_low              50.839 us
time_high             78.403 us
time_class            latency
simulated_workgroups  1
workgroups            2
waves                 2
instructions          7,506
by_class              valu 4,518, transcendental 258, salu 796, smem 6, vmem 512, branch 390, wait 512, other 514
lane_share            100.00 %
load                  96.0 KiB
store                 32.0 KiB
transactions          32,768
lds_accesses          0
lds_conflicts         0 cycles
atomics               0

region      base            size KiB  post_image  differing B  first_offset
argument 1  0x7f0000000000      32.0  matched               -             -
argument 2  0x7f0000018000      32.0  matched               -             -
(2 rows, modelled)
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device

$ replay softmax --iterations 3 --json | grep -v -e emulation_s -e environment
{
  "schema": "rpl.replay/1",
  "capture": "c1",
  "kernel": {"name": "softmax", "hsaco_path": "softmax/kernel.hsaco"},
  "execution": {"iterations": 3, "mode": "stateless"},
  "timing": {"unit": "microseconds", "average": 61.25238095238095, "min": 61.25238095238095, "max": 61.25238095238095, "median": 61.25238095238095, "p5": 61.25238095238095, "p95": 61.25238095238095, "stdev": 0.0},
  "target": "emu",
  "median_ns": 61252.380952380954,
  "raw_ns": [61252.380952380954, 61252.380952380954, 61252.380952380954],
  "host_ns": null,
  "time_source": "modelled",
  "post_image": "matched",
  "iterations_equal": true,
  "model": "rpl-cycle/0.5 MI300X",
  "cycles": 128630,
  "time_ns": 61252.380952380954,
  "time_low_ns": 50839.47619047619,
  "time_high_ns": 78403.04761904762,
  "time_class": "latency",
  "simulated_workgroups": 1,
  "workgroups": 2,
  "waves": 2,
  "sampled": false,
  "instructions": 7506,
  "by_class": {"valu": 4518, "transcendental": 258, "salu": 796, "smem": 6, "vmem": 512, "branch": 390, "wait": 512, "other": 514},
  "lane_share": 1.0,
  "load_bytes": 98304,
  "store_bytes": 32768,
  "transactions": 32768,
  "lds_accesses": 0,
  "lds_conflicts": 0,
  "atomics": 0,
  "rows": [
    {"region": "argument 1", "base": "0x7f0000000000", "size_bytes": 32768, "post_image": "matched", "differing_bytes": null, "first_offset": null, "mismatches": null, "max_relative": null, "placement": null},
    {"region": "argument 2", "base": "0x7f0000018000", "size_bytes": 32768, "post_image": "matched", "differing_bytes": null, "first_offset": null, "mismatches": null, "max_relative": null, "placement": null}
  ],
  "notes": ["the last bits of v_exp_f32, v_rcp_f32 may differ from a real device"],
  "provenance": "modelled"
}

# What the older tool's command line looked like.
$ replay full-vm --capture-dir softmax --no-recopy --iterations 2 --json | grep -e execution -e post_image
  "execution": {"iterations": 2, "mode": "stateful"},
  "post_image": "matched",
    {"region": "argument 1", "base": "0x7f0000000000", "size_bytes": 32768, "post_image": "matched", "differing_bytes": null, "first_offset": null, "mismatches": null, "max_relative": null, "placement": null},
    {"region": "argument 2", "base": "0x7f0000018000", "size_bytes": 32768, "post_image": "matched", "differing_bytes": null, "first_offset": null, "mismatches": null, "max_relative": null, "placement": null}

# Variants must take the same parameters.
$ replay softmax --hsaco same.co --json | grep -e hsaco_path -e '"post_image": "matched",$'
  "kernel": {"name": "softmax", "hsaco_path": "same.co"},
  "post_image": "matched",

$ replay softmax --hsaco other.co --kernel vector_add
err: error: 'vector_add' does not fit the captured arguments: parameter 3 is 8 bytes at 16 (global_buffer), the captured one 4 bytes at 16 (by_value); a variant must take the parameters of the captured kernel
? 2

# Code that was compiled again for another GPU runs on that one.
$ replay softmax --hsaco old.co --json | grep -e gpu_agent -e post_image -e notes | sed 's/"pid": [0-9]*/"pid": N/'
  "environment": {"gpu_agent": "gfx90a", "rocm_version": null, "pid": N},
  "post_image": "matched",
    {"region": "argument 1", "base": "0x7f0000000000", "size_bytes": 32768, "post_image": "matched", "differing_bytes": null, "first_offset": null, "mismatches": null, "max_relative": null, "placement": null},
    {"region": "argument 2", "base": "0x7f0000018000", "size_bytes": 32768, "post_image": "matched", "differing_bytes": null, "first_offset": null, "mismatches": null, "max_relative": null, "placement": null}
  "notes": ["compiled again: the code is for gfx90a, the capture is of gfx942", "the last bits of v_exp_f32, v_rcp_f32 may differ from a real device"],

$ replay softmax --target local
err: error: no HSA runtime could be opened: /nonexistent/libhsa-runtime64.so.1: cannot open shared object file: No such file or directory; replay on a GPU needs ROCm; RPL_HSA_RUNTIME names its libhsa-runtime64.so.1; or use --target emu
? 6

$ replay
err: error: no capture is open; open one: capture open DIR, or name it in the command
? 1

$ replay softmax --iterations 0
err: error: --iterations takes a whole number, 1 or more, not 0; help replay
? 2

# One after another at the prompt, on what is open.
(rpl) open softmax
c1: softmax on gfx942, 128 x 1 x 1 work-items in workgroups of 64 x 1 x 1, 2 regions, 96.00 KiB, post image

(rpl) replay/q
61252.380952380954
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device

(rpl) print $capture
$2 = c1

(rpl) close c1
closed c1; no trace is open

(rpl) replay/q
err: error: no capture is open; open one: capture open DIR, or name it in the command

# A capture whose post image is another: exit status 5.
! cp -rL softmax changed; python3 -c "import hashlib, json; p = 'changed/post/region_7f0000018000.bin'; d = bytearray(open(p, 'rb').read()); d[40] ^= 1; open(p, 'wb').write(d); h = json.load(open('changed/capture.json')); [f.update(sha256=hashlib.sha256(d).hexdigest()) for f in h['files'] if f['path'] == p[8:]]; json.dump(h, open('changed/capture.json', 'w'))"

$ replay changed >table.txt
err: note: memory after the replay is not what the capture holds
err: note: argument 2: 0 of 8192 numbers differ by more than their type's tolerance; largest relative difference 6.7e-08
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device
? 5

! tail -4 table.txt
region      base            size KiB  post_image  differing B  first_offset
argument 1  0x7f0000000000      32.0  matched               -             -
argument 2  0x7f0000018000      32.0  differs               1            40
(2 rows, modelled)
