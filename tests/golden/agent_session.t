# A session of an agent over the Model Context Protocol with its core of tools, as docs/agents/SKILL.md tells it: open, worst kernel, why, propose, verify. It
# costs at most 10 calls and 40 KB.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# example norms.hip.original: tutorial/norms.hip
# file asks.jsonl:
#| {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "agent", "version": "1"}}}
#| {"jsonrpc": "2.0", "method": "notifications/initialized"}
#| {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "open", "arguments": {"path": ["first/.rocpd_profile"]}}}
#| {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "critical_path", "arguments": {}}}
#| {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "diagnose", "arguments": {}}}
#| {"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "whatif", "arguments": {"kernel": ["row_norms"], "speedup": 4}}}
#| {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "propose", "arguments": {"action": "begin", "kernel": "row_norms"}}}
#| {"jsonrpc": "2.0", "id": 6, "method": "tools/call", "params": {"name": "propose", "arguments": {"action": "begin", "source": "norms.hip", "capture": "frozen"}}}
#| {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "propose", "arguments": {"action": "edit", "find": "  float sum = 0.0f;\n", "replace": "  float sum = 0.0f;\n  #pragma unroll 4\n", "title": "four loads in flight"}}}
#| {"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": {"name": "propose", "arguments": {"action": "decide"}}}
#| {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "propose", "arguments": {"action": "show"}}}
# file tools.jsonl:
#| {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
# file wrong.jsonl:
#| {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "open", "arguments": {"file": "first"}}}
#| {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "hotspots", "arguments": {"view": "loops"}}}
#| {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "run", "arguments": {"action": "profile", "program": ["./norms"]}}}
#| {"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "command", "arguments": {"line": "approve p1"}}}
! cat norms.hip.original > norms.hip; mkdir .rpl

! (rpl build norms.hip -o norms && rpl profile --deep-analysis --focus-critical --quiet --output first -- ./norms && rpl capture run row_norms -o frozen --quiet -- ./norms) >/dev/null 2>&1; echo $?
0

# What a client reads before its first question.
$ --interpreter mcp -nx < tools.jsonl | tr '{' '\n' | grep -o '"name": "[a-z_]*", "description"' | cut -d'"' -f4 | paste -sd' '
open status kernels critical_path diagnose metrics hotspots whatif explain query compare run propose debug command

$ --interpreter mcp -nx < tools.jsonl | awk '{ print (length($0) <= 12288 ? "at most 12 KB" : length($0) " bytes") }'
at most 12 KB

# The whole session, its sentences.
$ --interpreter mcp -nx < asks.jsonl | tee replies.jsonl | grep -o '"text": "\([^"\\]\|\\.\)*"'
"text": "open first/.rocpd_profile: t1: 1 dispatch, 1 kernel, 1 stream, gfx942 x1, 113.9 us (rocpd 3); next: command {\"line\": \"summary\"} | kernels {} | critical_path {}\nsummary --top 5: t1: 1 dispatch, 1 kernel, 1 stream, gfx942 x1, 113.9 us (rocpd 3); GPU busy #######              113.9 us of 342.0 us (..s, the longest 207.5 us; nothing-of-note: look at the kernels: the application around them costs too little to speak of; next: command {\"line\": \"findings\"} | critical_path {} | command {\"line\": \"timeline\"}"
"text": "critpath --top 5 --limit 5: critical path: 134.5 us of kernels and copies in a span of 342.0 us (39.3 %), 3 operations; kernel ######              113.9 us  33.3 %  kernels run; => row_norms 113.9 us => MEMORY_COPY_DEVICE_TO_HOST 80 ns; next: command {\"line\": \"timeline\"} | whatif {\"kernel\": [\"k1e0d77\"], \"speedup\": 2} | command {\"line\": \"gaps\"}\ngaps --top 5 --limit 5: 1 row; next: command {\"line\": \"timeline --from 19480ns --to 228980ns\"} | command {\"line\": \"select d1\"} | command {\"line\": \"backtrace\"}"
"text": "classify k1e0d77: k1e0d77 row_norms, modelled; under-occupied, confidence high (0.90); -> launch more waves: divide the work of the kernel among more work-items; next: explain {\"what\": \"k1e0d77.label\"}\nheadroom k1e0d77: 1 row; next: explain {\"what\": \"k1e0d77.headroom\"}\nadvise k1e0d77: 1  k1e0d77 row_norms: under-occupied; small-grid, 91 to 100 % of its time: launch more waves: divide the work of the kernel among more work-items; gains the trace 77.5 % to at most 84.7 %"
"text": "row_norms 4x as fast: 342.0 us -> 256.5 us, gain 25.0 % (between 22.0 % and 29.2 %: times are modelled); next: critical_path {} | whatif {\"kernel\": [\"k1e0d77\"], \"remove\": true}"
"text": "error: a proposal begins with a kernel's source and a capture of its dispatch; propose {\"action\": \"begin\", \"source\": \"norms.hip\", \"capture\": \"frozen\"}. Captures here: frozen; HIP sources here: norms.hip"
"text": "profile  o1   baseline built and equal to the capture: 239177 cycles, 29488 wave-instructions; select   o1   row_norms is the only kernel of this capture; a wave waits 225460 cycles for memory and 918 for LDS; next     o1   propose; next: command {\"line\": \"step\"} | command {\"line\": \"continue\"}"
"text": "1 row; next: propose {\"action\": \"show\", \"proposal\": \"p1\"} | propose {\"action\": \"decide\", \"proposal\": \"p1\"}"
"text": "guard    p1   only the body of row_norms changed; build    p1   compiled for gfx942; next     o1   propose; next: command {\"line\": \"approve p1 --accept-modelled\"} | command {\"line\": \"replay --proposal p1\"} | propose {\"action\": \"show\", \"proposal\": \"p1\"}"
"text": "p1  accepted  four loads in flight; improved (modelled): 3.671 times as fast by rpl-cycle/0.5 MI300X; no silicon took part; sum += value * value;; names, texts or lists are shortened: command {\"more\": \"r1\", \"max_bytes\": 0}; next: command {\"line\": \"approve p1 --accept-modelled\"}"

! awk '/structuredContent/ { n += length($0) + 1; ++calls; if (length($0) > 8192) print "too long: " length($0) } END { print calls " calls, " (n <= 40960 ? "at most 40 KB" : n " bytes") }' replies.jsonl
9 calls, at most 40 KB

# Errors name keys of JSON and options of the start.
$ --interpreter mcp -nx < wrong.jsonl | grep -o '"message": .*"hint": "\([^"\\]\|\\.\)*"'
"message": "open has no key 'file'", "hint": "the key is 'path', an array of strings: {\"path\": [\"…\"]}"
"message": "the key 'view' of hotspots takes one of lines, instructions, waits, hidden", "hint": "{\"view\": \"…\"}"
"message": "'profile' runs programs, and this session may not", "hint": "start it with: rpl --interpreter mcp --allow run"
"message": "an agent drives this rpl, and what changes your files is a person's decision", "hint": "a person types it in a shell of their own, or starts the agent's with: rpl --interpreter mcp --allow approve (or with -ex 'set mcp approve on')"
