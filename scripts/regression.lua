-- Did a kernel become slower between two builds?
--   rpl -batch -x regression.lua -- old.co new.co captures/softmax captures/attention
-- For CI: each captured dispatch is run with the kernels of both code objects, and the decision rule judges them. Whatever is not wrong, slower or undecided
-- passes with 0.
local rpl = require "rpl"

-- What the program ends with for each outcome; the worst one counts.
local exits = { improved = 0, equivalent = 0, undecided = 4, regression = 3, wrong = 5 }
local severity = { [0] = 0, [4] = 1, [3] = 2, [5] = 3 }

local function compare(args, capture)
  local ok, found = pcall(rpl.cmd.bench.ab, { args.before, args.after, capture = capture, min_improvement = args.tolerance, target = args.target })
  if ok then
    return { capture = capture, kernel = found.kernel, verdict = found.verdict, ratio = found.ratio, ci_low = found.ci_low, ci_high = found.ci_high }
  end
  if found.code ~= "verification_failed" then error(found) end
  return { capture = capture, verdict = "wrong", why = found.message }
end

return rpl.command {
  path = "regression",
  class = "proposals",
  summary = "Gate a build: no captured dispatch may become slower.",
  help = "Both code objects must have the captured kernel under its name. What the new one leaves in memory must be what the old one leaves. "
      .. "`ratio` is the old time by the new one: above 1 is faster. Exit status: 5 when a result is wrong, else 3 when a kernel is slower, else 4 when "
      .. "a comparison stays undecided, else 0.",
  params = {
    { name = "before", required = true, help = "code object of the older build", complete = "file" },
    { name = "after", required = true, help = "of the newer one", complete = "file" },
    { name = "captures", required = true, repeated = true, help = "folders of captured dispatches", complete = "file" },
    { name = "tolerance", kind = "option", type = "number", help = "change that does not count, a fraction; at least 0.01" },
    { name = "target", default = "emu", choices = { "emu", "local" }, help = "where to run" },
  },
  columns = {
    { name = "capture", type = "string", help = "the dispatch" },
    { name = "kernel", help = "its kernel" },
    { name = "verdict", type = "string", help = "improved, equivalent, undecided, regression or wrong" },
    { name = "ratio", type = "number", unit = "ratio", help = "old time / new time" },
    { name = "ci_low", type = "number", unit = "ratio", help = "lower end of its interval" },
    { name = "ci_high", type = "number", unit = "ratio", help = "upper end" },
    { name = "why", type = "string", help = "what is wrong" },
  },
  scalar = "verdict",
  examples = { "regression old.co new.co captures/softmax" },
  run = function(args)
    local rows, status = {}, 0
    local provenance = args.target == "emu" and "modelled" or "measured"
    for _, capture in ipairs(args.captures) do
      local row = compare(args, capture)
      local its = exits[row.verdict]
      if severity[its] > severity[status] then status = its end
      rows[#rows + 1] = row
    end
    return rpl.result { rows = rows, columns = { "capture", "kernel", "verdict", "ratio", "ci_low", "ci_high", "why" }, provenance = provenance, exit_code = status }
  end,
}
