# What docs/agents/SKILL.md and docs/agents/autotune.md show: an agent's way to a proven change, one command at a time, the session holding what was found.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# example norms.hip.original: tutorial/norms.hip
# example tuning: tuning
# file few.json:
#| {"parameters": {"TILE": [8, 16, 32], "UNROLL": [1, 4]}, "default": {"TILE": 16, "UNROLL": 1}}
# file asks.jsonl:
#| {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "agent", "version": "1"}}}
#| {"jsonrpc": "2.0", "method": "notifications/initialized"}
#| {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "approve", "arguments": {"proposal": "p2", "accept_modelled": true}}}
! cat norms.hip.original > norms.hip; mkdir .rpl

$ build norms.hip -o norms --json | grep -e schema -e '"path"'
  "schema": "rpl.build/1",
  "path": "norms",

$ profile --deep-analysis --focus-critical --quiet --output first --json -- ./norms | grep -e '"primary"' -e '"bound"' -e '"time_source"' -e '"name"'
  "kernel": {"name": "row_norms(float const*, float*, int, int)", "id": "k1e0d77", "grid": [1024, 1, 1], "block": [64, 1, 1]},
  "time_source": "kernels",
  "roofline": {"flops": 519000.0, "bytes": 1421216.0, "arithmetic_intensity": 0.36518024001981403, "achieved_gflops": 4.556788649294093, "achieved_bandwidth_gbps": 12.478190630048465, "bound": "memory"},
  "bottleneck": {"primary": "under-occupied", "confidence": 0.9, "reasoning": ["small-grid, 91 to 100 % of its time"]},

$ capture run row_norms -o frozen --quiet -- ./norms
c1: row_norms on gfx942, 1024 x 1 x 1 work-items in workgroups of 64 x 1 x 1, 2 regions, 1008 KiB, post image
captured dispatch 1 of 1 that 'row_norms' names, in frozen

# The agent's own edits, judged as any other: one that reaches outside of the kernel, one that is wrong, one that is right.
! sed 's|  for (int column = 0|  #pragma unroll 4\n  for (int column = 0|' norms.hip > outside.hip

! sed '13s|^|  #pragma unroll 4\n|' norms.hip > mine.hip; sed 's|sum += value \* value|sum += value|' norms.hip > wrong.hip

$ guard check norms.hip --kernel row_norms --edited outside.hip --json | grep -e verdict -e reasons
  "verdict": "reject",
  "reasons": [{"rule": "outside-body", "message": "the file differs behind the body of row_norms", "line": 36}],

$ iterate --source norms.hip --capture frozen --to select
profile  o1   baseline built and equal to the capture: 239177 cycles, 29488 wave-instructions
select   o1   row_norms is the only kernel of this capture; a wave waits 225460 cycles for memory and 918 for LDS
next     o1   propose

$ propose edit/q wrong.hip --title 'one multiplication less'
1

$ finish
guard    p1   only the body of row_norms changed
build    p1   compiled for gfx942
screen   p1   other code with the same resources
verify   p1   wrong: argument 2: 1000 of 1000 elements differ; the first at 0: expected 32.109188, found 1.7320508; largest relative difference 1 (captured input)
         p1   rejected: one multiplication less
next     o1   propose
? 5

$ propose edit/q mine.hip --title 'four loads in flight'
1

$ finish
guard    p2   only the body of row_norms changed
build    p2   compiled for gfx942
screen   p2   vgprs 8 -> 15, sgprs 15 -> 23, instructions 62 -> 104
verify   p2   1000 elements within tolerance on 22 input sets
measure  p2   239177 -> 65153 cycles, 29488 -> 20432 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 8 -> 15 VGPRs: 88 % more, 20 % are allowed
decide   p2   improved (modelled): 3.671 times as fast, 2.913 to 4.625 within the model's band, all of it above 1.000
         p2   accepted: four loads in flight
next     o1   propose

$ info proposals --json | grep -e '"id"'
    {"id": "p1", "optimization": "o1", "origin": "edit", "title": "one multiplication less", "state": "rejected", "verdict": null, "ratio": null, "decided_at": "verify", "why": "argument 2: 1000 of 1000 elements differ; the first at 0: expected 32.109188, found 1.7320508; largest relative difference 1 (captured input)"},
    {"id": "p2", "optimization": "o1", "origin": "edit", "title": "four loads in flight", "state": "accepted", "verdict": "improved", "ratio": 3.6710051724402564, "decided_at": null, "why": null}

# A person's part.
$ --allow approve approve p2
err: error: p2 was timed by the model rpl-cycle/0.5 MI300X, not on a GPU; 'approve p2 --accept-modelled' writes it all the same
? 1

$ --interpreter mcp -nx < asks.jsonl | grep -o '"code": "denied", "message": "[^"]*"'
"code": "denied", "message": "an agent drives this rpl, and what changes your files is a person's decision"

$ autotune --space few.json --source tuning/tiled_matmul_main.hip --target emu --budget 4 --json | grep -e best_config -e default_config -e warning
  "best_config": {"parameters": {"TILE": 16, "UNROLL": 4}, "runtime_ms": 0.005949},
  "warning": "low_model_confidence",
  "default_config": {"parameters": {"TILE": 16, "UNROLL": 1}, "runtime_ms": 0.00809},

$ tune best/q
-DTILE=16 -DUNROLL=4
