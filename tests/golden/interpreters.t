# Requests of other programs, one a line.
# fixture small.db: --dispatches 50 --queues 2 --seed 1
# file requests.jsonl:
#| {"id": 1, "line": "info trace small.db"}
#| {"id": 2, "command": "info kernels", "arguments": {"limit": 1}}
#| {"id": "a", "command": "whatif", "arguments": {"kernal": "softmax"}}
#| {"id": 3, "line": "shell echo printed by a program"}
#| {"id": 4, "line": "info kernels/1"}
#| {"id": 5, "lin": "summary"}
#| summary
$ --interpreter jsonl --allow run < requests.jsonl
{"schema": "rpl.reply/1", "id": 1, "event": "result", "result": {"schema": "rpl.info.trace/1", "id": "t1", "path": "small.db", "format": "rocpd 3", "dispatches": 50, "kernels": 22, "streams": 4, "queues": 2, "agents": 1, "processes": 1, "span_ns": 486079, "gpu_time_ns": 679400, "busy_ns": 475580, "busy_share": 0.9784006303502105, "device": "gfx942 x1", "recorded": ["copies"], "file_bytes": 163840, "memory_bytes": 1400, "warnings": 0, "notes": [], "provenance": "recorded"}, "exit_code": 0, "printed": "", "printed_bytes_left_out": 0, "notes": []}
{"schema": "rpl.reply/1", "id": 2, "event": "result", "result": {"schema": "rpl.info.kernels/1", "rows": [{"id": "k858257", "kernel": "softmax_kernel<float, 0>", "name": "void softmax_kernel<float, 0>(float const*, float*, int)", "calls": 8, "total_ns": 172000, "mean_ns": 21500.0, "min_ns": 19800, "max_ns": 23600, "stddev_ns": 1397.1399357258385, "variation": 0.0649832528244576, "share": 0.25316455696202533, "real_low": null, "real_high": null}], "notes": ["only 1 of 22 rows"], "provenance": "recorded"}, "exit_code": 0, "printed": "", "printed_bytes_left_out": 0, "notes": []}
{"schema": "rpl.reply/1", "id": "a", "event": "error", "error": {"schema": "rpl.error/1", "code": "usage", "message": "'whatif' has no parameter 'kernal'", "hint": "did you mean 'kernel'?"}, "exit_code": 2, "printed": "", "printed_bytes_left_out": 0, "notes": []}
{"schema": "rpl.reply/1", "id": 3, "event": "result", "result": {"schema": "rpl.shell/1", "notes": [], "provenance": "none"}, "exit_code": 0, "printed": "printed by a program\n", "printed_bytes_left_out": 0, "notes": []}
{"schema": "rpl.reply/1", "id": 4, "event": "result", "result": {"schema": "rpl.info.kernels/1", "rows": [{"id": "k858257", "kernel": "softmax_kernel<float, 0>", "name": "void softmax_kernel<float, 0>(float const*, float*, int)", "calls": 8, "total_ns": 172000, "mean_ns": 21500.0, "min_ns": 19800, "max_ns": 23600, "stddev_ns": 1397.1399357258385, "variation": 0.0649832528244576, "share": 0.25316455696202533, "real_low": null, "real_high": null}], "notes": ["only 1 of 22 rows"], "provenance": "recorded"}, "exit_code": 0, "printed": "", "printed_bytes_left_out": 0, "notes": []}
{"schema": "rpl.reply/1", "id": 5, "event": "error", "error": {"schema": "rpl.error/1", "code": "usage", "message": "a request has no key 'lin'", "hint": "did you mean 'line'?"}, "exit_code": 2, "printed": "", "printed_bytes_left_out": 0, "notes": []}
{"schema": "rpl.reply/1", "id": null, "event": "error", "error": {"schema": "rpl.error/1", "code": "usage", "message": "the request is not JSON: bad JSON in line 1, column 1: expected a value", "hint": "{\"id\": 1, \"line\": \"info kernels\"}, {\"id\": 1, \"command\": \"info kernels\", \"arguments\": {\"limit\": 5}} or {\"id\": 2, \"cancel\": 1}"}, "exit_code": 2, "printed": "", "printed_bytes_left_out": 0, "notes": []}

$ --interpreter yaml
err: error: no interpreter 'yaml'; --interpreter console|jsonl|mcp
? 2
