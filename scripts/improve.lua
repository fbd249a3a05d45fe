-- Which of the shipped example kernels do the rules make faster, proven and approved?
--   rpl -batch -x improve.lua -- examples/hip work
-- It approves: where nobody sits at a terminal, add --allow approve before the --.
-- Works on copies in a new folder: builds each program, lets `optimize` find, prove and approve changes by rules alone, and runs it again.
local rpl = require "rpl"

local function shell(line)
  local ok, _, status = os.execute(line)
  if not ok then error(("'%s' ended with status %s"):format(line, status)) end
end

local function is_there(path)
  local file <close> = io.open(path)
  return file ~= nil
end

local function quoted(path) return "'" .. path:gsub("'", "'\\''") .. "'" end

return rpl.command {
  path = "improve-examples",
  class = "proposals",
  summary = "Make example kernels faster by rules alone, in copies of them.",
  help = "Copies the folder of the examples to a new one, builds the program of each kernel, and has `optimize` guard, build, verify, measure, approve "
      .. "and run it again, with the whole catalogue of rules. On the emulated device: times are modelled.",
  params = {
    { name = "examples", required = true, help = "the folder examples/hip", complete = "file" },
    { name = "work", required = true, help = "a folder to make" },
    { name = "rounds", default = 2, help = "of each kernel at most, each on what was accepted before" },
    { name = "kernels", default = "softmax row_scale row_features", help = "which, in one word with blanks" },
  },
  columns = {
    { name = "kernel", help = "its name and that of its source" },
    { name = "approved", help = "the proposals that are in the file now" },
    { name = "before_ns", help = "span of the program before" },
    { name = "after_ns", help = "and after" },
    { name = "ratio", help = "time of the kernel before / after" },
  },
  scalar = "ratio",
  examples = { "improve-examples examples/hip work" },
  run = function(args)
    shell("cp -RL " .. quoted(args.examples) .. " " .. quoted(args.work))
    rpl.cmd.set { "optimize scope extended" }
    rpl.cmd.set { "optimize assume-captured on" }
    local rows = {}
    for kernel in args.kernels:gmatch("%S+") do
      local source, program = ("%s/%s.hip"):format(args.work, kernel), ("%s/%s"):format(args.work, kernel)
      local main = ("%s/host/%s_main.hip"):format(args.work, kernel)
      if not is_there(source) then source = main end  -- a program that has its kernels in the same file
      rpl.cmd.build { main, output = program }
      local done = rpl.cmd.optimize { source, program, main = main, rounds = args.rounds, auto_approve = true, accept_modelled = true }
      local ratio = 1
      for _, p in ipairs(done.confirmed) do
        ratio = ratio * rpl.cmd.info.proposal { p }.evidence.decide.ratio
      end
      rows[#rows + 1] = {
        kernel = kernel, approved = table.concat(done.confirmed, " "), before_ns = done.before_ns, after_ns = done.after_ns, ratio = ratio,
      }
    end
    return rows
  end,
}
