-- Is this machine quiet enough to measure on?
--   rpl -batch -x noise.lua -- captures/softmax --target local --limit 0.02
--   rpl -batch -x noise.lua -- --samples noise.jsonl.gz
-- Measures a kernel against itself. A difference that such a measurement shows is noise, and no smaller gain can be proven here. Run it before a series of
-- measurements; exit status 3 stops the series.
local rpl = require "rpl"

local columns = {
  { name = "kernel", help = "what was measured against itself" },
  { name = "noise_share", type = "number", unit = "share", help = "largest distance of the interval of the ratio from 1" },
  { name = "ratio", type = "number", unit = "ratio", help = "of equal code: 1, but for noise" },
  { name = "samples", type = "integer", unit = "count", help = "dispatches that counted" },
  { name = "verdict", type = "string", help = "quiet, noisy, or differs: equal code seemed to differ" },
}

local function judge(row, limit)
  -- A/A, so an interval without upper end has too few samples to say anything.
  local noise = row.ci_high and math.max(row.ci_high - 1, 1 - row.ci_low) or nil
  local verdict = not noise and "noisy" or (row.verdict == "improved" or row.verdict == "regression") and "differs" or noise > limit and "noisy" or "quiet"
  return { kernel = row.kernel, noise_share = noise, ratio = row.ratio, samples = row.samples, verdict = verdict }
end

local function measured(args)
  if args.samples then
    return rpl.cmd.bench.import { args.samples }.rows { min_gain = 0, max_gain = 0 }
  end
  if not args.capture then
    error { code = "usage", message = "noise needs a captured dispatch or recorded samples", hint = "noise captures/softmax, or noise --samples FILE; 'capture run' makes a capture" }
  end
  return { rpl.cmd.bench.aa { capture = args.capture, target = args.target } }
end

return rpl.command {
  path = "noise",
  class = "proposals",
  summary = "Check that equal code measures as equal.",
  help = "Runs `bench aa`, or takes the A/A measurements (gain 0) of a file of raw samples. `noise_share` is how far the 95 % interval of the ratio reaches from "
      .. "1: a gain must exceed it to be seen. Modelled times have none. Exit status 3 when it is above `--limit`, or when equal code seems to differ.",
  params = {
    { name = "capture", help = "a captured dispatch", complete = "file" },
    { name = "samples", kind = "option", help = "raw samples, as `bench import` reads them", complete = "file" },
    { name = "target", default = "emu", choices = { "emu", "local" }, help = "where to run" },
    { name = "limit", default = 0.02, help = "noise that is still quiet enough, a fraction" },
  },
  columns = columns,
  scalar = "verdict",
  examples = { "noise CAPTURE" },
  run = function(args)
    local rows, status = {}, 0
    local provenance = args.samples and "recorded" or args.target == "emu" and "modelled" or "measured"
    for _, row in ipairs(measured(args)) do
      rows[#rows + 1] = judge(row, args.limit)
      if rows[#rows].verdict ~= "quiet" then status = 3 end
    end
    return rpl.result { rows = rows, columns = columns, provenance = provenance, exit_code = status }
  end,
}
