-- How much less must a kernel use before more of its waves fit?
--   rpl -batch -x occupancy_whatif.lua -- --object kernel.co --kernel attention
--   rpl -batch -x occupancy_whatif.lua -- trace.db --kernel attention
-- Steps registers and LDS down and lists, for each number of waves above the present one, the most of each that lets them in. Occupancy is a bound, no goal:
-- look with `classify` first whether the kernel waits.
local rpl = require "rpl"

local resources = {
  { option = "vgpr", column = "vgprs", step = 8 },
  { option = "lds", column = "lds_bytes", step = 512 },
}

-- Waves on a compute unit by how much of one resource is used while the other is no obstacle: {amount, waves}, falling amounts, where more fit than before.
local function thresholds(ask, resource, used)
  local found, waves = {}, 0
  for amount = used, resource.step, -1 do
    if amount == used or amount % resource.step == 0 then
      local fit = ask { vgpr = 1, lds = 0, [resource.option] = amount }.waves_per_cu
      if fit > waves then
        waves = fit
        found[#found + 1] = { amount = amount, waves = fit }
      end
    end
  end
  return found
end

-- The most of a resource with which so many waves fit; nil when none is little enough.
local function most_for(steps, waves)
  for _, step in ipairs(steps) do
    if step.waves >= waves then return step.amount end
  end
end

return rpl.command {
  path = "occupancy-whatif",
  class = "analysis",
  summary = "List what a kernel may use for more waves on a compute unit.",
  help = "Fields are those of the kernel as it is. A row says: with at most so many VGPRs and bytes of LDS, so many waves fit; what is as it was stays. "
      .. "Exit status 4 when less of neither lets more in: the limit is something else.",
  params = {
    { name = "trace", help = "a recording; without it and --object the current trace", complete = "file" },
    { name = "kernel", kind = "option", help = "which; default: the first of `occupancy`", complete = "kernel" },
    { name = "object", kind = "option", help = "a code object instead of a recording", complete = "file" },
  },
  columns = {
    { name = "waves_per_cu", type = "number", unit = "count", help = "waves that fit" },
    { name = "occupancy", type = "number", unit = "share", help = "of the wave slots" },
    { name = "vgprs", type = "integer", unit = "count", help = "at most" },
    { name = "lds_bytes", type = "integer", help = "at most" },
  },
  fields = {
    { name = "kernel", type = "kernel", help = "its name" },
    { name = "waves_per_cu", type = "number", unit = "count", help = "that fit now" },
    { name = "occupancy", type = "number", unit = "share", help = "now" },
    { name = "limiter", type = "string", help = "what lets no more in" },
    { name = "vgprs", type = "integer", unit = "count", help = "used now" },
    { name = "lds_bytes", type = "integer", help = "used now" },
  },
  scalar = "waves_per_cu",
  examples = { "occupancy-whatif --object OBJECT" },
  run = function(args)
    local trace = not args.object and rpl.use(args.trace).id or nil
    local now = rpl.cmd.occupancy { args.kernel, object = args.object, trace = trace }.rows[1]
    local function ask(changed)
      return rpl.cmd.occupancy { now.id or now.name, object = args.object, trace = trace, vgpr = changed.vgpr, lds = changed.lds }.rows[1]
    end
    local steps, levels, rows = {}, {}, {}
    for _, resource in ipairs(resources) do
      steps[resource.option] = thresholds(ask, resource, now[resource.column] or 0)
      for _, step in ipairs(steps[resource.option]) do levels[step.waves] = true end
    end
    local ascending = {}
    for waves in pairs(levels) do ascending[#ascending + 1] = waves end
    table.sort(ascending)
    local reached = now.waves_per_cu
    for _, waves in ipairs(ascending) do
      local vgprs, lds = most_for(steps.vgpr, waves) or now.vgprs, most_for(steps.lds, waves) or now.lds_bytes
      local with = ask { vgpr = vgprs, lds = lds }
      if with.waves_per_cu > reached then
        reached = with.waves_per_cu
        rows[#rows + 1] = { waves_per_cu = reached, occupancy = with.occupancy, vgprs = vgprs, lds_bytes = lds }
      end
    end
    return rpl.result {
      record = {
        kernel = now.name, waves_per_cu = now.waves_per_cu, occupancy = now.occupancy, limiter = now.limiter, vgprs = now.vgprs, lds_bytes = now.lds_bytes,
      },
      fields = { "kernel", "waves_per_cu", "occupancy", "limiter", "vgprs", "lds_bytes" },
      rows = rows,
      columns = { "waves_per_cu", "occupancy", "vgprs", "lds_bytes" },
      provenance = "estimated",
      exit_code = #rows > 0 and 0 or 4,
    }
  end,
}
