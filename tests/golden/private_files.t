# What holds a user's lines, sources, memory of programs or keys is the user's alone, and a key reaches no other program.
# own cache
# needs clang: /usr/lib/llvm-19/bin/clang
# example softmax_example.hip: hip/softmax.hip
# example frozen: captures/softmax
! cat softmax_example.hip > softmax.hip

# A session with proposals, what is packed of a capture, and what is exported: nobody else may read or change it, whatever the umask gives.
! umask 022; rpl -batch -ex 'set optimize scope v1' -ex 'iterate /q --source softmax.hip --capture frozen --to propose'
null

! umask 022; rpl capture pack frozen -o packed.rplcap --json | grep -c packed.rplcap
1

! stat -c '%a %n' .rpl .rpl/session.db packed.rplcap
700 .rpl
600 .rpl/session.db
600 packed.rplcap

# The same of a folder that was there before.
! umask 022; mkdir -m 755 kept; rpl -batch --session kept -ex 'set optimize scope v1' -ex 'iterate /q --source softmax.hip --capture frozen --to propose'
null

! stat -c '%a %n' kept kept/proposals kept/optimizations
755 kept
700 kept/proposals
700 kept/optimizations

# A secret that was typed is kept neither in the session's log nor in its database.
! rpl -batch -ex 'set llm key-command echo sk-typed-secret' -ex 'session log --limit 0' 2>&1 | grep -o -e 'set llm key-command.*…'
set llm key-command …

! grep -c sk-typed-secret .rpl/session.db
0
? 1

# The variable that holds a key is taken out of our own environment once it is named.
! export MYKEY=sk-environment; rpl -batch -ex '!env | grep -c ^MYKEY' -ex 'set llm key-env MYKEY' -ex '!env | grep -c ^MYKEY'
1
0
? 1

! echo "print(io.popen('env | grep -c ^MYKEY'):read('a'), os.getenv('MYKEY'))" > p.lua

! export MYKEY=sk-environment; rpl -batch -ex 'set llm key-env MYKEY' -x p.lua
0
	nil

# Without a home and a cache folder nothing that was compiled lies where others could have put something before.
! env -u HOME -u XDG_CACHE_HOME TMPDIR="$PWD" rpl build softmax.hip --device-only -o softmax.co >/dev/null 2>&1; ls -d .cache /tmp/.cache/rpl 2>/dev/null
? 2
