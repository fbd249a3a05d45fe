# Asking a language model. Nothing is sent until an endpoint is set; the recorded exchanges of examples/cassettes answer without one.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# example softmax_example.hip: hip/softmax.hip
# example frozen: captures/softmax
# example softmax.jsonl: cassettes/softmax.jsonl
# example best_of.jsonl: cassettes/best_of.jsonl
# example replies: cassettes/replies
! cat softmax_example.hip > softmax.hip

$ llm-optimize softmax.hip --capture frozen
err: error: no language model is set up; 'set llm endpoint URL' names one; docs/language-models.md tells how, also without one
? 6

# What failed before anything was kept leaves nothing.
! ls -d .rpl 2>/dev/null || echo none
none

$ llm-optimize softmax.hip --capture frozen --best-of 0
err: error: --best-of takes a whole number, 1 to 16, not 0; help llm-optimize
? 2

$ llm-optimize softmax.hip --capture frozen --temperature 2.5
err: error: --temperature 2.5 is not between 0 and 2; 0 gives the likeliest reply; more varies it
? 2

# Source leaves the program after a yes alone, unencrypted only to this machine, and no secret stands in a setting.
$ -batch -ex 'set llm endpoint https://models.example.com/v1' -ex 'set llm model m' -ex 'llm-optimize softmax.hip --capture frozen'
err: error: the kernel's source would be sent to https://models.example.com:443; 'set llm consent on' agrees; 'prompt' shows what would be sent
? 1

$ -batch -ex 'set llm endpoint http://models.example.com/v1' -ex 'set llm model m' -ex 'set llm consent on' -ex 'llm-optimize softmax.hip --capture frozen'
err: error: http://models.example.com:80 is another machine and http is not encrypted; use https, or 'set llm allow-http on' if that network is yours
? 1

$ -batch -ex 'set llm endpoint https://me:secret@models.example.com/v1'
err: error: llm endpoint: an endpoint holds no user, password, query or fragment; 'set llm key-env NAME' names the variable that holds a key
? 2

$ -batch -ex 'set llm key-env sk-secret'
err: error: llm key-env: takes the name of an environment variable, not a key; put the key into a variable and name that: set llm key-env MY_KEY
? 2

# A newcomer without any model.
$ -batch -ex 'set llm cassette softmax.jsonl' -ex 'set llm cassette-mode replay' -ex 'llm-optimize softmax.hip --capture frozen'
profile     o1   baseline built and equal to the capture: 128630 cycles, 7506 wave-instructions
reply 1          refused: read the row through the read-only path
                 header: the header is not the original one: '__restrict__' where that has 'in'
reply 2     p1   rejected by build: keep several loads of the search for the maximum in flight
                 does-not-compile: use of undeclared identifier 'higest'; did you mean 'highest'?
reply 3     p2   built: unroll both reading loops by 4, so that four loads are in flight
rejected    p2   unroll both reading loops by 4, so that four loads are in flight: undecided, 1.164 times as fast
reply 4     p3   built: write the row in blocks of eight: eight loads in flight before the first store
accepted    p3   write the row in blocks of eight: eight loads in flight before the first store: 3.378 times as fast
profile     o2   baseline built and equal to the capture: 38078 cycles, 4586 wave-instructions
reply 5     p4   built: eight loads at once, two maxima side by side
rejected    p4   eight loads at once, two maxima side by side: wrong: argument 2: 8192 of 8192 elements differ; the first at 0: expected 0.024451012, found 0.024730334; largest relative difference 0.0402 (captured input)
result      p3   3.378 times as fast as the file (modelled): write the row in blocks of eight: eight loads in flight before the first store
accepted    p3   softmax.hip is untouched: 'approve p3 --accept-modelled' writes it
stopped          3 iterations: --max-iters raises it

! cmp softmax.hip softmax_example.hip

# Several changes of one text, each tested; the best of them counts.
$ --session best -batch -ex 'set llm cassette best_of.jsonl' -ex 'set llm cassette-mode replay' -ex 'llm-optimize softmax.hip --capture frozen --best-of 3 --max-iters 1'
profile     o1   baseline built and equal to the capture: 128630 cycles, 7506 wave-instructions
reply 1          refused: read the row through the read-only path
                 header: the header is not the original one: '__restrict__' where that has 'in'
reply 2     p1   rejected by build: keep several loads of the search for the maximum in flight
                 does-not-compile: use of undeclared identifier 'higest'; did you mean 'highest'?
reply 3     p2   built: unroll both reading loops by 4, so that four loads are in flight
reply 4     p3   built: write the row in blocks of eight: eight loads in flight before the first store
reply 5     p4   built: eight loads at once, two maxima side by side
rejected    p2   unroll both reading loops by 4, so that four loads are in flight: undecided, 1.164 times as fast
accepted    p3   write the row in blocks of eight: eight loads in flight before the first store: 3.378 times as fast
rejected    p4   eight loads at once, two maxima side by side: wrong: argument 2: 8192 of 8192 elements differ; the first at 0: expected 0.024451012, found 0.024730334; largest relative difference 0.0402 (captured input)
best        p3   of 3 proposals, 3.378 times as fast
result      p3   3.378 times as fast as the file (modelled): write the row in blocks of eight: eight loads in flight before the first store
accepted    p3   softmax.hip is untouched: 'approve p3 --accept-modelled' writes it
stopped          1 iteration: --max-iters raises it

# The third question names the two that wait.
! grep -o 'take another way:[^`]*' best_of.jsonl | tail -n 1 | sed 's/\\n/\n/g' | head -n 3
take another way:
- unroll both reading loops by 4, so that four loads are in flight
- write the row in blocks of eight: eight loads in flight before the first store

# What the machine code became stands with each earlier attempt.
! grep -o 'p3 write[^\"]*times as fast, VGPRs[^\"]*' softmax.jsonl | tail -n 1
p3 write the row in blocks of eight: eight loads in flight before the first store: accepted, 3.38 times as fast, VGPRs 13 -> 43, instructions 109 -> 435

# A question more than the budget: what was asked before is tested all the same, and the questions count one by one.
! rpl-model-server --reply replies/3-unrolled.md --reply replies/4-blocks.md -- rpl --session short -batch -ex 'set llm endpoint {endpoint}' -ex 'set llm consent on' -ex 'set llm model example-model' -ex 'set llm max-requests 2' -ex 'llm-optimize softmax.hip --capture frozen --best-of 3 --max-iters 2' 2>&1
profile     o1   baseline built and equal to the capture: 128630 cycles, 7506 wave-instructions
reply 1     p1   built: unroll both reading loops by 4, so that four loads are in flight
reply 2     p2   built: write the row in blocks of eight: eight loads in flight before the first store
rejected    p1   unroll both reading loops by 4, so that four loads are in flight: undecided, 1.164 times as fast
accepted    p2   write the row in blocks of eight: eight loads in flight before the first store: 3.378 times as fast
best        p2   of 2 proposals, 3.378 times as fast
result      p2   3.378 times as fast as the file (modelled): write the row in blocks of eight: eight loads in flight before the first store
accepted    p2   softmax.hip is untouched: 'approve p2 --accept-modelled' writes it
stopped          the session's 2 requests to a model are used up

# Another question finds no reply, and hears why.
$ -batch -ex 'set llm cassette softmax.jsonl' -ex 'set llm cassette-mode replay' -ex 'llm-optimize softmax.hip --capture frozen --again --temperature 0.9'
err: error: softmax.jsonl has no reply to this request; that of line 1 is nearest: temperature is 0.2 there and 0.9 here; 'set llm cassette-mode auto' asks the endpoint for what is missing
? 1

# Every proposal is one like any other.
$ info proposals
open      0
accepted  1
rejected  3

id  title                                                               state     verdict    ratio x
p1  keep several loads of the search for the maximum in flight          rejected  -                -
p2  unroll both reading loops by 4, so that four loads are in flight    rejected  undecided    1.164
p3  write the row in blocks of eight..in flight before the first store  accepted  improved     3.378
p4  eight loads at once, two maxima side by side                        rejected  -                -
(4 rows; no room for origin, decided_at, why: /v)

$ --allow approve approve p3 --accept-modelled
p3 is in softmax.hip; 'revert p3' takes it back

! grep -c 'block\[k\]' softmax.hip
2

$ --allow approve revert p3
softmax.hip is as it was before p3

# What a model would be told.
$ prompt /q --compact
\## Hardware

- GPU: MI300X (gfx942)
- compute units: 304
- SIMDs of a compute unit: 4
- work-items of a wave: 64
- most waves on a SIMD: 8
- vector registers of a SIMD lane, for all its waves: 512
- LDS of a compute unit: 65536 bytes
- LDS banks, each 4 bytes wide: 32
- clock: 2100 MHz
- memory bandwidth: 5325 GB/s

\## Rules

A reply that breaks one of these is refused before it is compiled.
no-block, many-blocks, unclosed-block, block-language, one-definition, header, outside-body, directive, asm, attribute, static-local, extern, global, goto, const-cast, forbidden-call, launch, shadowing, hidden-text

\## The kernel

```cpp
extern "C" __global__ void softmax(const float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* x = in + static_cast<long>(row) * columns;
  float* y = out + static_cast<long>(row) * columns;
  float highest = x[0];
  for (int i = 1; i < columns; ++i) highest = fmaxf(highest, x[i]);
  float sum = 0.0f;
  for (int i = 0; i < columns; ++i) sum += expf(x[i] - highest);
  const float scale = 1.0f / sum;
  for (int i = 0; i < columns; ++i) y[i] = expf(x[i] - highest) * scale;
}
```

\## Launch

- grid: 128 x 1 x 1 work-items
- workgroup: 64 x 1 x 1 work-items
- argument 0: buffer of f32, 32.00 KiB
- argument 1: buffer of f32, 32.00 KiB
- argument 2: i32 = 128
- argument 3: i32 = 64

\## What it waits for

- time: 129000 cycles (modelled, not measured on a GPU)
- a wave waits for memory (loads and stores that have not come back): 104000 cycles, 81 % of the time
- a wave waits for LDS or scalar loads: 902 cycles, 1 % of the time
- waves: 2, each executes 3750 instructions
- memory traffic: 96.00 KiB loaded, 32.00 KiB stored, in 32800 transactions

\## Machine code

- vector registers of a work-item: 13; up to 64 leave 8 waves on a SIMD
- LDS of a workgroup: 0 B
- scratch of a work-item: 0 B; any new scratch is rejected
- instructions in the code: 109
- of them: valu 58, transcendental 3, salu 22, smem 3, vmem 5, branch 7, wait 6, other 5

\## What to try now

Keep more loads in flight: unroll the loop that loads, so that several independent loads are issued before the first is used.


$ prompt softmax.hip --full-source --compact
You make one GPU kernel faster without changing what it computes. You are shown the kernel, how it is launched, what was found when it ran, and what was tried before.

Answer with
1. one line "Strategy: …", at most 80 characters: what you change and why that helps;
2. exactly one fenced code block marked cpp, holding the complete definition of the kernel under its unchanged header.
Only the text between the kernel's outer braces is taken over. It is compiled, its results are compared with those of the original on several inputs, and it is timed; a change that is not clearly faster is rejected.

\## Rules

A reply that breaks one of these is refused before it is compiled.
no-block, many-blocks, unclosed-block, block-language, one-definition, header, outside-body, directive, asm, attribute, static-local, extern, global, goto, const-cast, forbidden-call, launch, shadowing, hidden-text

\## The file

The kernel is softmax.

```cpp
// SPDX-License-Identifier: MIT
// Row-wise softmax, naive: one work-item walks one row three times. The trip count is known at run time only.
\#include <hip/hip_runtime.h>

extern "C" __global__ void softmax(const float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* x = in + static_cast<long>(row) * columns;
  float* y = out + static_cast<long>(row) * columns;
  float highest = x[0];
  for (int i = 1; i < columns; ++i) highest = fmaxf(highest, x[i]);
  float sum = 0.0f;
  for (int i = 0; i < columns; ++i) sum += expf(x[i] - highest);
  const float scale = 1.0f / sum;
  for (int i = 0; i < columns; ++i) y[i] = expf(x[i] - highest) * scale;
}
```

# It asks for one patch; without a model it cannot.
$ propose llm
err: error: no language model is set up; 'set llm endpoint URL' names one; docs/language-models.md tells how, also without one
? 6

$ propose llm --temperature -1
err: error: --temperature -1 is not between 0 and 2; 0 gives the likeliest reply; more varies it
? 2

# A server on the loopback interface that refuses, is cut off and fails before it answers. The key is found nowhere afterwards.
! export RPL_GOLDEN_KEY=sk-golden-123456; rpl-model-server --dialect messages --key sk-golden-123456 --status 429 --cut replies/3-unrolled.md --fail-in replies/3-unrolled.md --reply replies/4-blocks.md -- rpl -batch -ex 'set llm endpoint {endpoint}' -ex 'set llm dialect messages' -ex 'set llm consent on' -ex 'set llm model example-model' -ex 'set llm key-env RPL_GOLDEN_KEY' -ex 'llm-optimize softmax.hip --capture frozen --max-iters 1 --again' 2>&1 | sed -E 's/127.0.0.1:[0-9]+/SERVER/'
profile     o4   baseline built and equal to the capture: 128630 cycles, 7506 wave-instructions
reply 1     p5   built: write the row in blocks of eight: eight loads in flight before the first store
accepted    p5   write the row in blocks of eight: eight loads in flight before the first store: 3.378 times as fast
result      p5   3.378 times as fast as the file (modelled): write the row in blocks of eight: eight loads in flight before the first store
accepted    p5   softmax.hip is untouched: 'approve p5 --accept-modelled' writes it
stopped          1 iteration: --max-iters raises it

! export RPL_GOLDEN_KEY=sk-golden-wrong; rpl-model-server --dialect responses --key sk-golden-123456 --reply replies/3-unrolled.md -- rpl -batch -ex 'set llm endpoint {endpoint}' -ex 'set llm consent on' -ex 'set llm model example-model' -ex 'set llm key-env RPL_GOLDEN_KEY' -ex 'propose llm' 2>&1 | sed -E 's/127.0.0.1:[0-9]+/SERVER/'
error: http://SERVER: status 401: authentication_error: Incorrect API key provided: Bearer [key]; check llm key-env, llm key-file or llm key-command, and llm key-header

! rpl-model-server --dialect responses --whole replies/3-unrolled.md -- rpl -batch -ex 'set llm endpoint {endpoint}' -ex 'set llm dialect responses' -ex 'set llm consent on' -ex 'set llm model example-model' -ex 'propose llm' 2>&1 | sed -E 's/127.0.0.1:[0-9]+/SERVER/'
reply 1     p6   built: unroll both reading loops by 4, so that four loads are in flight

! grep -rl -e sk-golden-wrong -e sk-golden-123456 . || echo nowhere
nowhere

# Every request, replayed or sent, and every refusal is in the log.
! rpl session log /c --limit 1000 | grep ',model,' | cut -d, -f4,5 | sed -E 's/127.0.0.1:[0-9]+/SERVER/'
model,softmax.jsonl replayed
model,refused: the header is not the original one: '__restrict__' where that has 'in'
model,softmax.jsonl replayed
model,softmax.jsonl replayed
model,softmax.jsonl replayed
model,softmax.jsonl replayed
model,http://SERVER rate-limit
model,http://SERVER cut-stream
model,http://SERVER stream-error
model,http://SERVER answered
model,http://SERVER key-refused
model,http://SERVER answered
