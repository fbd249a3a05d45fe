-- Which compiler flags or constants are fastest on a captured kernel?
--   rpl -batch -x sweep.lua -- softmax.hip captures/softmax --try=-O1 --try=-O3 --try="-O3 -ffast-math"
--   rpl -batch -x sweep.lua -- kernel.hip captures/kernel --define TILE=8,16,32 --define UNROLL=1,4
-- Builds the kernel for each combination and replays the frozen dispatch with it. What leaves other bytes than the capture is never the winner, however fast.
-- The winner is measured against the captured code again, by the decision rule. For large spaces there is `autotune`.
local rpl = require "rpl"

-- Every combination of one value for each NAME=a,b,c.
local function combinations(defines)
  local all = { "" }
  for _, define in ipairs(defines) do
    local name, values = define:match("^([%w_]+)=(.+)$")
    if not name then error { code = "usage", message = ("--define takes NAME=VALUE,VALUE, not '%s'"):format(define), hint = "--define TILE=8,16,32" } end
    local wider = {}
    for _, before in ipairs(all) do
      for value in values:gmatch("[^,]+") do wider[#wider + 1] = ("%s -D%s=%s"):format(before, name, value) end
    end
    all = wider
  end
  return all
end

local function words(text)
  local list = {}
  for word in text:gmatch("%S+") do list[#list + 1] = word end
  return list
end

-- Builds and replays one configuration. Failures of the build are a row; others stop the sweep.
local function attempt(args, flags, object, arch)
  local row = { flags = #flags > 0 and table.concat(flags, " ") or "(none)" }
  local built, why = pcall(rpl.cmd.build, { args.source, arch = arch, device_only = true, output = object, flag = flags })
  if not built then
    if why.code == "interrupted" or why.code == "missing_capability" then error(why) end
    row.state, row.why = "not built", why.message
    return row
  end
  local run = rpl.cmd.replay { args.capture, hsaco = object, target = args.target, iterations = args.iterations }
  row.object, row.median_ns, row.state = object, run.median_ns, run.post_image == "matched" and "right" or run.post_image
  return row
end

return rpl.command {
  path = "sweep",
  class = "tuning",
  summary = "Build a captured kernel in many ways and find the fastest that is right.",
  help = "The configurations are every `--try` (words of flags) with every combination of the `--define` values. Code objects go to `--output`. `state` is right "
      .. "(all memory as captured), close, differs or not built. Exit status 0 when the winner is faster than the captured code beyond the floor, else 4.",
  params = {
    { name = "source", required = true, help = "HIP source with the kernel", complete = "file" },
    { name = "capture", required = true, help = "folder of a captured dispatch of it", complete = "file" },
    { name = "try", kind = "option", repeated = true, help = "flags for the compiler, in one word" },
    { name = "define", kind = "option", repeated = true, help = "NAME=VALUE,VALUE,…" },
    { name = "output", default = "sweep", help = "folder for the code objects", complete = "file" },
    { name = "target", default = "emu", choices = { "emu", "local" }, help = "where to run" },
    { name = "iterations", default = 1, help = "replays of each" },
  },
  columns = {
    { name = "flags", type = "string", help = "the configuration" },
    { name = "state", type = "string", help = "right, close, differs or not built" },
    { name = "median_ns", help = "time of the replayed dispatch" },
    { name = "object", type = "string", help = "its code object" },
    { name = "why", type = "string", help = "why it could not be built" },
  },
  fields = {
    { name = "best", type = "string", help = "flags of the fastest that is right" },
    { name = "verdict", type = "string", help = "of that against the captured code" },
    { name = "ratio", type = "number", unit = "ratio", help = "time of the captured code / its time" },
  },
  scalar = "best",
  examples = { "sweep softmax.hip captures/softmax --try=-O1 --try=-O3" },
  run = function(args)
    local arch = rpl.cmd.capture.info { args.capture }.architecture
    local tries = #(args.try or {}) > 0 and args.try or { "" }
    local rows, best = {}, nil
    assert(os.execute("mkdir -p '" .. args.output:gsub("'", "'\\''") .. "'"))
    for _, try in ipairs(tries) do
      for _, defines in ipairs(combinations(args.define or {})) do
        local row = attempt(args, words(try .. defines), ("%s/%d.co"):format(args.output, #rows + 1), arch)
        if row.state == "right" and (not best or row.median_ns < best.median_ns) then best = row end
        rows[#rows + 1] = row
      end
    end
    local final = best and rpl.cmd.bench.ab { args.capture .. "/kernel.hsaco", best.object, capture = args.capture, target = args.target }
    return rpl.result {
      record = { best = best and best.flags, verdict = final and final.verdict, ratio = final and final.ratio },
      fields = { "best", "verdict", "ratio" },
      rows = rows,
      columns = { "flags", "state", "median_ns", "object", "why" },
      provenance = args.target == "emu" and "modelled" or "measured",
      exit_code = final and final.verdict == "improved" and 0 or 4,
    }
  end,
}
