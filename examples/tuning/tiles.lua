-- SPDX-License-Identifier: MIT
-- The same space as tiles.json with a condition in Lua: `rpl space count examples/tuning/tiles.lua`.
return {
  parameters = { TILE = { 4, 8, 16, 32 }, DEPTH = { 8, 16, 32 }, UNROLL = { 1, 2, 4, 8 } },
  default = { TILE = 16, DEPTH = 16, UNROLL = 1 },
  where = function(p) return p.UNROLL <= p.DEPTH end,
}
