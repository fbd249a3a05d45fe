-- What changed since the nights before?
--   rpl -batch -x nightly.lua -- history.jsonl tonight/*.db --report nightly.md
-- Compares tonight's recordings with the median of earlier nights, writes a report for people, and adds tonight to the history: a file of JSON lines that
-- can be kept in version control or on a share. A recording is known by the name of its file.
local rpl = require "rpl"

local metrics = { "span_ns", "critical_path_ns", "gpu_time_ns", "dispatches" }

local function read_history(path)
  local nights, number, file = {}, 0, io.open(path, "rb")
  if not file then return nights end
  for line in file:lines() do
    number = number + 1
    local ok, night = pcall(rpl.json.decode, line)
    if not ok then
      file:close()
      error { code = "corrupt", message = ("%s:%d: %s"):format(path, number, night.message), hint = "take the line out, or begin a new history" }
    end
    nights[#nights + 1] = night
  end
  file:close()
  return nights
end

local function write(path, mode, text)
  local file, why = io.open(path, mode)
  if not file then error { code = "io", message = why, hint = "name a file in a folder that exists" } end
  file:write(text)
  file:close()
end

local function measure(path)
  local t <close> = rpl.open(path)
  local s = t:run("summary")
  return {
    run = path:match("([^/]*)$"):gsub("%.%w+$", ""), span_ns = s.span_ns, critical_path_ns = s.critical_path_ns, gpu_time_ns = s.gpu_time_ns,
    dispatches = s.dispatches, verdict = s.verdict,
  }
end

-- The median of a metric over the last nights that have this run; nil without any.
local function usual(nights, run, metric, count)
  local known = {}
  for i = #nights, 1, -1 do
    for _, one in ipairs(nights[i].runs) do
      if one.run == run and one[metric] and #known < count then known[#known + 1] = { value = one[metric] } end
    end
  end
  return #known > 0 and rpl.table(known).rows:percentile("value", 50) or nil
end

local function markdown(title, result, tonight)
  local out = { "# " .. title, "", result:render("markdown") }
  for _, one in ipairs(tonight) do out[#out + 1] = ("- **%s**: %s"):format(one.run, one.verdict) end
  return table.concat(out, "\n") .. "\n"
end

return rpl.command {
  path = "nightly",
  class = "analysis",
  summary = "Compare tonight's recordings with those of earlier nights.",
  help = "`usual` is the median of the last `--nights` nights that have a recording of that name; `change` is now / usual - 1. A metric that grew by more than "
      .. "`--worse` is worse, one that fell by as much is better; a number of dispatches that changed at all is named changed, for then other work was done. "
      .. "Exit status 3 when something is worse. With `--no-keep` the history stays as it is.",
  params = {
    { name = "history", required = true, help = "a file of JSON lines; made when it is not there", complete = "file" },
    { name = "recordings", required = true, repeated = true, help = "tonight's files", complete = "file" },
    { name = "nights", default = 7, help = "how many of the last nights count" },
    { name = "worse", default = 0.05, help = "growth that is too much, a fraction" },
    { name = "report", kind = "option", help = "a Markdown file to write", complete = "file" },
    { name = "title", default = "Nightly report", help = "of the report" },
    { name = "keep", default = true, help = "add tonight to the history" },
  },
  columns = {
    { name = "run", type = "string", help = "name of the recording's file" },
    { name = "metric", type = "string", help = "what was measured, with its unit" },
    { name = "now", type = "integer", help = "tonight" },
    { name = "usual", type = "integer", help = "median of the nights before" },
    { name = "change", type = "number", unit = "share", help = "now / usual - 1" },
    { name = "state", type = "string", help = "worse, better, changed, steady, or new" },
  },
  scalar = "state",
  examples = { "nightly history.jsonl TRACE" },
  run = function(args)
    local nights, tonight, rows, status = read_history(args.history), {}, {}, 0
    for _, path in ipairs(args.recordings) do tonight[#tonight + 1] = measure(path) end
    for _, one in ipairs(tonight) do
      for _, metric in ipairs(metrics) do
        local before = usual(nights, one.run, metric, args.nights)
        local change = before and before > 0 and one[metric] / before - 1 or nil
        local state = not change and "new" or metric == "dispatches" and change ~= 0 and "changed" or change > args.worse and "worse"
            or change < -args.worse and "better" or "steady"
        if state == "worse" then status = 3 end
        rows[#rows + 1] = { run = one.run, metric = metric, now = one[metric], usual = before, change = change, state = state }
      end
    end
    local result = rpl.result { rows = rows, columns = { "run", "metric", "now", "usual", "change", "state" }, provenance = "recorded", exit_code = status }
    if args.report then write(args.report, "wb", markdown(args.title, result, tonight)) end
    if args.keep then write(args.history, "ab", rpl.json.encode { runs = tonight } .. "\n") end
    return result
  end,
}
