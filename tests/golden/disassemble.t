# Machine code, and what another build made of it.
# example add.co: hip/objects/vector_add.gfx90a.co
# example add942.co: hip/objects/vector_add.gfx942.co
$ disassemble add.co

$ object diff add.co add942.co

$ object diff add.co add.co --scalar
