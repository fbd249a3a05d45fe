# A kernel of Triton, stopped on lines of its Python source: docs/triton.md goes through it.
# modelled
# example softmax.hsaco: triton/objects/softmax.gfx942.hsaco
# example softmax.json: triton/objects/softmax.gfx942.json
# example softmax.py: triton/softmax.py
# Line 13 is a call of a function of Triton's own, and has no other code: the breakpoint is where that begins.
(rpl) break softmax.py:13
Breakpoint 1 at softmax.py:13

(rpl) kernel run softmax.hsaco --programs 2 --arg f32:zero:2016 --arg f32:iota:2016 --arg i32:1008 --arg i32:1008
Breakpoint 1
wave 0 of workgroup 0, lane 0, 21 wave-instructions so far
standard.py:167:27 in softmax, inlined at softmax.py:13:21 in softmax
13        largest = tl.max(value, axis=0)
=> 0x1754 <+0x154>  s_waitcnt vmcnt(0)
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v1[0] = 0x00000000; v2[0] = 0x00000000; v3[0] = 0x3f800000 (1); v4[0] = 0x40000000 (2); 5 more
err: note: argument 5 is Triton's global_scratch: null

(rpl) list
   9         row = tl.program_id(0)
   10        column = tl.arange(0, BLOCK)
   11        inside = column < columns
   12        value = tl.load(values + row * row_stride + column, mask=inside, other=float("-inf"))
=> 13        largest = tl.max(value, axis=0)
   14        power = tl.exp(value - largest)
   15        total = tl.sum(power, axis=0)
   16        tl.store(result + row * row_stride + column, power / total, mask=inside)

(rpl) bt
\#0  0x1754 in softmax (inlined) at standard.py:167
\#1  softmax (result=0x7f0000000000, values=0x7f0000012000, row_stride=1008, columns=1008, global_scratch=0x0) at softmax.py:13

(rpl) info locals
No locals.
err: note: softmax was built without variables: 'rpl build SOURCE --device-only --flag=-g', or -g for another compiler, records them; Triton writes lines alone; 'info args' has the parameters, 'disassemble/s' shows in which registers values are

(rpl) info args
result = (float *) 0x7f0000000000 <argument 1>
values = (float *) 0x7f0000012000 <argument 2>
row_stride = 1008
columns = 1008
global_scratch = (unsigned int *) 0x0

(rpl) delete

(rpl) break 14 if workgroup == 1 and wave == 2
Breakpoint 2 at softmax.py:14: 0x18ac, if workgroup == 1 and wave == 2

(rpl) continue
Breakpoint 2
wave 2 of workgroup 1, lane 0, 1260 wave-instructions so far
softmax.py:14:19 in softmax
14        power = tl.exp(value - largest)
=> 0x18ac <+0x2ac>  v_not_b32_e32 v10, 63
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) print values[1008]
$6 = 1008

(rpl) x/4f values + 1008
0x7f0000012fc0 <argument 2+4032>:  1008  1009  1010  1011

(rpl) reverse-step
wave 2 of workgroup 1, lane 0, 1224 wave-instructions so far
standard.py:188:40 in softmax, inlined at softmax.py:13:21 in softmax
13        largest = tl.max(value, axis=0)
=> 0x1890 <+0x290>  v_mov_b32_e32 v8, 0
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v0[0] = 0x00000080; s13 = 0x00000000

(rpl) kill
