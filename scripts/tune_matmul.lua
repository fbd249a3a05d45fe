-- Which tile sizes make the tiled matrix multiply fastest, and what does each strategy need to find them?
--   rpl -batch -x tune_matmul.lua -- examples/tuning --budget 12
-- Builds the program for each configuration, runs it on the emulated device (times are modelled), then replays the strategies on what was measured.
local rpl = require "rpl"

return rpl.command {
  path = "tune-matmul",
  class = "tuning",
  summary = "Tune the tile sizes of the tiled matrix multiply.",
  help = "Defines a space with a condition and a Lua predicate, tunes it, resumes the tuning (which measures nothing again), and simulates strategies on its evaluations. "
      .. "`needed` is the median of evaluations until the best is within 5 % of the best that was measured, over 21 seeds.",
  params = {
    { name = "folder", required = true, help = "the folder examples/tuning", complete = "file" },
    { name = "strategy", default = "guided", help = "guided, phases, random, local or exhaustive" },
    { name = "budget", default = 12, help = "most evaluations" },
    { name = "seed", default = 0, help = "of all random choices" },
  },
  columns = {
    { name = "strategy", help = "what was simulated" },
    { name = "evaluations", type = "integer", unit = "count", help = "that it asked for" },
    { name = "needed", type = "number", unit = "count", help = "median evaluations to within 5 %" },
    { name = "random_needed", type = "number", unit = "count", help = "the same for random search" },
  },
  fields = {
    { name = "tuning", type = "id", help = "its id in the session" },
    { name = "configurations", type = "integer", unit = "count", help = "of the space" },
    { name = "evaluated", type = "integer", unit = "count", help = "of them measured" },
    { name = "best", help = "the fastest configuration, as options of a compiler" },
    { name = "best_ns", help = "its time" },
    { name = "speedup", type = "number", unit = "ratio", help = "default time / best time" },
    { name = "verdict", help = "of the decision rule: winner against default, measured again" },
    { name = "matters_most", help = "the parameter that explains most of the variance" },
  },
  scalar = "speedup",
  examples = { "tune-matmul examples/tuning --budget 12" },
  run = function(args)
    -- The predicate sees one configuration; p.TILE * p.DEPTH floats are one of the two tiles in LDS.
    local space = rpl.cmd.space.define {
      "TILE=8,16,32", "DEPTH=8,16,32", "UNROLL=1,2,4",
      where = "UNROLL <= DEPTH", lua = "p.TILE * p.DEPTH <= 512",
    }
    local found = rpl.cmd.autotune {
      source = args.folder .. "/tiled_matmul_main.hip", target = "emu",
      strategy = args.strategy, budget = args.budget, seed = args.seed,
    }
    if not found.best_config then error { code = "undecided", message = "no configuration ran", hint = "tune status" } end
    -- All is known: the same search, answered from the session.
    local resumed = rpl.cmd.tune.resume { found.tuning }
    assert(resumed.evaluated_configs == found.evaluated_configs)
    assert(resumed.best_config.runtime_ms == found.best_config.runtime_ms)

    local most, share = nil, -1
    for _, one in ipairs(found.importance) do
      if one.share > share then most, share = one.parameter, one.share end
    end
    local rows = {}
    for _, strategy in ipairs { "guided", "phases", "local", "random" } do
      local run = rpl.cmd.tune.simulate { found.tuning, strategy = strategy }
      rows[#rows + 1] = { strategy = strategy, evaluations = run.evaluated_configs, needed = run.median_evaluations,
                          random_needed = run.random_median_evaluations }
    end
    return rpl.result {
      record = {
        tuning = found.tuning, configurations = space.search_space_size, evaluated = found.evaluated_configs,
        best = rpl.cmd.tune.best { found.tuning }.defines, best_ns = found.best_config.runtime_ms * 1e6,
        speedup = found.speedup, verdict = found.confirmation and found.confirmation.verdict or nil, matters_most = most,
      },
      fields = { "tuning", "configurations", "evaluated", "best", "best_ns", "speedup", "verdict", "matters_most" },
      rows = rows,
      columns = { "strategy", "evaluations", "needed", "random_needed" },
    }
  end,
}
