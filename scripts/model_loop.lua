-- Can a language model make this kernel faster, when every answer must prove itself?
--   rpl -batch -x model_loop.lua -- softmax.hip captures/softmax --rounds 3 --cassette softmax.jsonl
--   rpl -batch -x model_loop.lua -- softmax.hip captures/softmax --most-vgprs 64
-- Each change is guarded, built, verified and measured, and must keep to your budget of registers and code; the next question tells the model what came of it.
-- The source stays as it is. A cassette answers without a model; otherwise `set llm endpoint URL` and `set llm consent on` come first, in an init file or by -ex.
local rpl = require "rpl"

-- Why the code object of a change is outside of the budget; nil when it is not.
local function over_budget(object, kernel, args)
  local k = rpl.cmd.object.meta { object }.rows { kernel = kernel }[1]
  if args.most_vgprs > 0 and k.vgprs > args.most_vgprs then return ("it needs %d VGPRs, %d are allowed"):format(k.vgprs, args.most_vgprs) end
  if args.most_code > 0 and k.code_bytes > args.most_code then return ("it has %d bytes of code, %d are allowed"):format(k.code_bytes, args.most_code) end
end

return rpl.command {
  path = "model-loop",
  class = "proposals",
  summary = "Let a language model propose changes within a budget, and keep what is proven.",
  help = "Rows are the stages that each change went through. A change outside of the budget is rejected at `verify`, with the reason, which the model is told. "
      .. "What is accepted is what the next change builds on. Exit status 0 when something was accepted, else 4.",
  params = {
    { name = "source", required = true, help = "HIP source with the kernel", complete = "file" },
    { name = "capture", required = true, help = "a frozen dispatch: what it must compute", complete = "file" },
    { name = "rounds", default = 3, help = "changes to ask for" },
    { name = "most-vgprs", default = 0, help = "vector registers that a wave may use; 0: any number" },
    { name = "most-code", default = 0, help = "bytes of machine code; 0: any number" },
    { name = "cassette", kind = "option", help = "recorded replies instead of a model", complete = "file" },
  },
  columns = {
    { name = "proposal", type = "id", help = "the change" },
    { name = "stage", type = "string", help = "guard, build, screen, verify, measure or decide" },
    { name = "state", type = "string", help = "the change's state after it" },
    { name = "found", type = "string", help = "what the stage found" },
  },
  fields = {
    { name = "best", type = "id", help = "the proposal that holds all that was accepted" },
    { name = "ratio", type = "number", unit = "ratio", help = "time of the file's kernel / its time" },
    { name = "stopped", type = "string", help = "why it stopped" },
  },
  scalar = "best",
  examples = { "model-loop softmax.hip CAPTURE --cassette softmax.jsonl" },
  run = function(args)
    if args.cassette then
      rpl.cmd.set { "llm cassette " .. args.cassette }
      rpl.cmd.set { "llm cassette-mode replay" }
    end
    local rows, running = {}, true
    rpl.on("proposal_tested", function(event)
      if running then rows[#rows + 1] = { proposal = event.proposal, stage = event.stage, state = event.state, found = event.found } end
    end)
    rpl.on("verify", function(about)
      local why = running and over_budget(about.candidate_object, about.kernel, args)
      if why then return false, why end
    end)
    local done = rpl.cmd.llm_optimize { args.source, capture = args.capture, max_iters = args.rounds }
    running = false
    return rpl.result {
      record = { best = done.proposal, ratio = done.proposal and done.ratio, stopped = done.stopped },
      fields = { "best", "ratio", "stopped" },
      rows = rows,
      columns = { "proposal", "stage", "state", "found" },
      provenance = done.provenance,
      exit_code = done.proposal and 0 or 4,
    }
  end,
}
