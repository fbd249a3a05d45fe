-- Which kernels take the time of each stream?
--   rpl -batch -x top_by_stream.lua -- trace.db --top 3
local rpl = require "rpl"

return rpl.command {
  path = "top-by-stream",
  class = "analysis",
  summary = "List the kernels with most time, stream by stream.",
  help = "For each stream the kernels with the largest sum of durations. `share` is a kernel's part of its stream's sum. "
      .. "Streams come in the order of their sums, largest first; dispatches without a stream count as one stream.",
  params = {
    { name = "trace", help = "a recording; the current trace without it", complete = "file" },
    { name = "top", default = 5, help = "kernels a stream" },
    { name = "streams", default = 0, help = "streams to list; 0 lists all" },
  },
  columns = {
    { name = "stream", type = "id", help = "the stream" },
    { name = "kernel", help = "the kernel" },
    { name = "calls", help = "its dispatches on this stream" },
    { name = "total_ns", help = "their durations" },
    { name = "share", help = "of the stream's sum" },
  },
  scalar = "kernel",
  examples = { "top-by-stream TRACE --top 2" },
  run = function(args)
    local t = rpl.use(args.trace)
    local streams, order = {}, {}
    for _, stream, kernel, duration_ns in t.dispatches:each("stream", "kernel", "duration_ns") do
      stream = stream or "none"
      local s = streams[stream]
      if not s then
        s = { name = stream, total_ns = 0, kernels = {}, list = {} }
        streams[stream], order[#order + 1] = s, s
      end
      local k = s.kernels[kernel]
      if not k then
        k = { kernel = kernel, calls = 0, total_ns = 0 }
        s.kernels[kernel], s.list[#s.list + 1] = k, k
      end
      k.calls, k.total_ns = k.calls + 1, k.total_ns + duration_ns
      s.total_ns = s.total_ns + duration_ns
    end
    local function by_time(a, b)
      if a.total_ns ~= b.total_ns then return a.total_ns > b.total_ns end
      return (a.name or a.kernel) < (b.name or b.kernel)
    end
    table.sort(order, by_time)
    local rows = {}
    for at, s in ipairs(order) do
      if args.streams > 0 and at > args.streams then break end
      table.sort(s.list, by_time)
      for i = 1, math.min(args.top, #s.list) do
        local k = s.list[i]
        rows[#rows + 1] = { stream = s.name, kernel = k.kernel, calls = k.calls, total_ns = k.total_ns,
                            share = s.total_ns > 0 and k.total_ns / s.total_ns or nil }
      end
    end
    return rows
  end,
}
