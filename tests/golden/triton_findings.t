# What costs each of the ten kernels most, on both GPUs that they were compiled for.
# modelled
# example triton: triton
# file findings.lua:
#| local function floats(count, init) return "f32:" .. (init or "random") .. ":" .. count end
#| local function halves(count, init) return "f16:" .. (init or "random") .. ":" .. count end
#| local zero = "zero"
#| local kernels = {
#|   {"softmax", "256", floats(258048, zero), floats(258048), "i32:1008", "i32:1008"},
#|   {"layer_norm", "64", floats(96256, zero), floats(96256), floats(1504), floats(1504), floats(64, zero), floats(64, zero),
#|    "i32:1504", "i32:1504", "f32:1e-5"},
#|   {"rms_norm", "256", halves(258048, zero), halves(258048), halves(258048), halves(1008), "i32:1008", "f32:1e-5"},
#|   {"matmul", "16", halves(65536, zero), halves(32768), halves(32768), "i32:256", "i32:256", "i32:128"},
#|   {"matmul_fp8", "8,8", floats(65536, zero), "u8:one:49152", "u8:one:49152", floats(256), floats(256), "i32:256", "i32:192"},
#|   {"attention", "4,4", halves(65536, zero), halves(65536), halves(65536), halves(65536), "i32:256", "f32:0.125"},
#|   {"rotary", "128,8", floats(98304), "i32:iota:128", "i32:48", "f32:9.2103"},
#|   {"top_k", "256", floats(2048, zero), "i32:zero:2048", floats(102400), "i32:400"},
#|   {"cross_entropy", "128", floats(128, zero), floats(153600, zero), floats(153600), "i32:iota:128", "i32:1200"},
#|   {"grouped_matmul", "8", "bf16:zero:9600", "bf16:random:6400", "bf16:random:18432", "i32:iota:4", "i32:3", "i32:96", "i32:64"},
#| }
#| for _, gpu in ipairs{"gfx942", "gfx950"} do
#|   for _, one in ipairs(kernels) do
#|     rpl.cmd.kernel.run{"triton/objects/" .. one[1] .. "." .. gpu .. ".hsaco", programs = one[2], arg = {table.unpack(one, 3)}}
#|     local first = rpl.cmd.findings{"run"}.rows[1]
#|     print(string.format("%s %-14s %-18s %s", gpu, one[1], first.cause, first.where))
#|   end
#| end
$ -batch -x findings.lua
gfx942 softmax        barriers           softmax.py:15:19 in softmax
gfx942 layer_norm     small-grid         layer_norm.py:16:18 in layer_norm
gfx942 rms_norm       barriers           rms_norm.py:16:25 in rms_norm_residual
gfx942 matmul         uncoalesced-store  matmul.py:31:59 in matmul
gfx942 matmul_fp8     small-grid         matmul_fp8.py:16:29
gfx942 attention      load-imbalance     attention.py:18:73 in attention
gfx942 rotary         short-dispatch     nil
gfx942 top_k          divergence         top_k.py:13:29 in top_k
gfx942 cross_entropy  small-grid         cross_entropy.py:18:42 in cross_entropy
gfx942 grouped_matmul small-grid         grouped_matmul.py:27:44 in grouped_matmul
gfx950 softmax        barriers           softmax.py:15:19 in softmax
gfx950 layer_norm     small-grid         layer_norm.py:16:18 in layer_norm
gfx950 rms_norm       barriers           rms_norm.py:16:25 in rms_norm_residual
gfx950 matmul         small-grid         matmul.py:25:23 in matmul
gfx950 matmul_fp8     small-grid         matmul_fp8.py:16:29
gfx950 attention      load-imbalance     attention.py:18:73 in attention
gfx950 rotary         short-dispatch     nil
gfx950 top_k          divergence         top_k.py:13:29 in top_k
gfx950 cross_entropy  small-grid         cross_entropy.py:18:42 in cross_entropy
gfx950 grouped_matmul small-grid         grouped_matmul.py:23:31 in grouped_matmul
