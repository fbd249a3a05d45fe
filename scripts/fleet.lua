-- Which of many recordings is not like the others?
--   rpl -batch -x fleet.lua -- runs/*.db --share 0.1
-- One row for each recording of a fleet: the ranks of a job, the machines of a cluster, the runs of a week.
local rpl = require "rpl"

local function facts(path)
  local t <close> = rpl.open(path)
  local info, longest = t:run("info trace"), t.kernels[1]
  return {
    recording = path, dispatches = info.dispatches, span_ns = info.span_ns, gpu_time_ns = info.gpu_time_ns, busy_share = info.busy_share,
    kernel = longest and longest.short, kernel_share = longest and longest.share,
  }
end

return rpl.command {
  path = "fleet",
  class = "analysis",
  summary = "Put many recordings into one table and mark the odd ones.",
  help = "`odd` names what differs from the median of all recordings by more than `--share` of it: span, gpu time, dispatches; or that another kernel takes most time. "
      .. "The least busy come first. What cannot be read is a row with the reason, and the exit status is then 1. With `--gate` it is 3 when one is odd.",
  params = {
    { name = "recordings", required = true, repeated = true, help = "files, as the shell expands them", complete = "file" },
    { name = "share", default = 0.1, help = "how far from the median is odd" },
    { name = "gate", default = false, help = "exit with 3 when one is odd" },
  },
  columns = {
    { name = "recording", type = "string", help = "the file" },
    { name = "dispatches", type = "integer", unit = "count", help = "kernel dispatches" },
    { name = "span_ns", help = "from the first start to the last end" },
    { name = "gpu_time_ns", help = "sum of the durations" },
    { name = "busy_share", help = "of the span in which a kernel ran" },
    { name = "kernel", help = "the one with most time" },
    { name = "kernel_share", type = "number", unit = "share", help = "of all kernels' time" },
    { name = "odd", type = "string", help = "what is not as elsewhere" },
  },
  scalar = "recording",
  examples = { "fleet TRACE TRACE" },
  run = function(args)
    local rows, unread, read = {}, {}, {}
    for _, path in ipairs(args.recordings) do
      local ok, row = pcall(facts, path)
      if ok then
        read[#read + 1] = row
      elseif row.code == "interrupted" then
        error(row)
      else
        unread[#unread + 1] = { recording = path, odd = row.message }
      end
    end
    local all, usual, most = rpl.table(read).rows, {}, {}
    for _, column in ipairs { "span_ns", "gpu_time_ns", "dispatches" } do
      usual[column] = #read > 0 and all:percentile(column, 50) or 0
    end
    for _, row in ipairs(read) do most[row.kernel] = (most[row.kernel] or 0) + 1 end

    local any = false
    for _, row in ipairs(read) do
      local odd = {}
      for _, column in ipairs { "span_ns", "gpu_time_ns", "dispatches" } do
        local off = usual[column] > 0 and row[column] / usual[column] - 1 or 0
        if math.abs(off) > args.share then odd[#odd + 1] = ("%s %+.0f %%"):format(column:gsub("_ns", ""):gsub("_", " "), off * 100) end
      end
      if row.kernel and most[row.kernel] * 2 < #read then odd[#odd + 1] = "another kernel" end
      row.odd = #odd > 0 and table.concat(odd, ", ") or nil
      any = any or #odd > 0
      rows[#rows + 1] = row
    end
    table.sort(rows, function(a, b)
      if a.busy_share ~= b.busy_share then return a.busy_share < b.busy_share end
      return a.recording < b.recording
    end)
    table.move(unread, 1, #unread, #rows + 1, rows)
    return rpl.result {
      rows = rows,
      columns = { "recording", "dispatches", "span_ns", "gpu_time_ns", "busy_share", "kernel", "kernel_share", "odd" },
      provenance = "recorded",
      exit_code = #unread > 0 and 1 or args.gate and any and 3 or 0,
    }
  end,
}
