# Code objects inside files.
# example add.co: hip/objects/vector_add.gfx942.co
# file notes.txt:
#| not a code object
$ object contents add.co
path  add.co

object    architecture  triple  kernels  size B  names
add.co#1  gfx942        -             1    4976  vector_add
(1 row, recorded)

$ object contents notes.txt
err: error: notes.txt: code object: no ELF file; build or extract it again
? 1

$ object contents missing
err: error: missing: no such file; check the path
? 1

$ object meta add.co#gfx942 | head -3
id            o1
path          add.co#gfx942
architecture  gfx942

$ object meta add.co#gfx90a
err: error: add.co: the code object is for gfx942, not for gfx90a; --arch gfx942
? 1

$ object meta missing#2
err: error: no code object 'missing#2'; open one: open FILE.co, or name it in the command
? 1

$ object meta /usr/bin/env
err: error: /usr/bin/env: a host program without device code; give the program or library that HIP code was linked into
? 1

# Names of symbols, and what they are in the source.
$ demangle _Z5scaleIfLi4EEvPKT_PS0_i
void scale<float, 4>(float const*, float*, int)

$ demangle foo
err: error: 'foo' is not a mangled name; demangle _Z5scalePfi
? 2
