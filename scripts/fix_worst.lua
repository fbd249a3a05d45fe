-- Which kernel holds a program up, why, and does a proven change make it faster?
--   rpl -batch -x fix_worst.lua -- norms.hip norms --approve
-- It approves: where nobody sits at a terminal, add --allow approve before the --.
-- The whole way from a program to a faster one: record it, take the kernel that dominates the critical path, say what limits it, freeze a dispatch, let the
-- rules propose, keep what is proven. Without --approve the source stays as it is.
local rpl = require "rpl"

return rpl.command {
  path = "fix-worst",
  class = "proposals",
  summary = "Find the worst kernel of a program and make it faster.",
  help = "The program is built from the source, which also holds its kernels. Exit status 0 when a change was accepted, else 4. On the emulated device times are "
      .. "modelled, and `--approve` says that this is enough.",
  params = {
    { name = "source", required = true, help = "HIP source of the program", complete = "file" },
    { name = "program", required = true, help = "where to build it" },
    { name = "approve", default = false, help = "write the best accepted change to the source" },
    { name = "capture", default = "frozen", help = "folder for the frozen dispatch" },
  },
  fields = {
    { name = "worst", type = "kernel", help = "the kernel with most time on the critical path" },
    { name = "path_share", type = "number", unit = "share", help = "its share of it" },
    { name = "label", type = "string", help = "what limits it" },
    { name = "proposed", type = "integer", unit = "count", help = "changes that were proposed" },
    { name = "accepted", type = "id", help = "the best that was proven" },
    { name = "title", type = "string", help = "what it changes" },
    { name = "verdict", type = "string", help = "of its measurement" },
    { name = "ratio", type = "number", unit = "ratio", help = "time before / after" },
    { name = "state", type = "string", help = "accepted, or approved when the source has it" },
  },
  scalar = "accepted",
  examples = { "fix-worst norms.hip norms" },
  run = function(args)
    rpl.cmd.build { args.source, output = args.program }
    rpl.cmd.profile { program = { "./" .. args.program }, deep_analysis = true, focus_critical = true, quiet = true }
    local worst = rpl.trace:critical_path { limit = 1 }.rows[1]
    local label = rpl.trace:run("classify", { worst.id }).rows[1].label
    rpl.cmd.capture.run { worst.kernel, output = args.capture, program = { "./" .. args.program }, quiet = true }
    local loop = rpl.cmd.iterate { source = args.source, capture = args.capture, all = true }
    local record = { worst = worst.kernel, path_share = worst.share, label = label, proposed = #rpl.cmd.info.proposals {}.rows, accepted = loop.best }
    if loop.best then
      local p = rpl.cmd.info.proposal { loop.best }
      record.title, record.verdict, record.ratio, record.state = p.title, p.evidence.decide.verdict, p.evidence.decide.ratio, p.state
      if args.approve then record.state = rpl.cmd.approve { loop.best, accept_modelled = true }.state end
    end
    return rpl.result {
      record = record,
      fields = { "worst", "path_share", "label", "proposed", "accepted", "title", "verdict", "ratio", "state" },
      provenance = loop.provenance,
      exit_code = loop.best and 0 or 4,
    }
  end,
}
