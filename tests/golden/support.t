# What the shell does for itself.
# fixture small.db: --dispatches 60 --queues 2 --streams 3 --kernels 5 --api --markers --counters 2 --seed 7 --event-share 0.1 --copy-share 0.1 --marker-share 0.1
# file greet.rpl:
#| echo from a file
#| define hello
#|   echo hello, $arg0
#| end
#| hello world
# file broken.rpl:
#| echo before
#| nosuch
#| echo never
# file twice.lua:
#| -- Doubles a number.
#| return 2 * tonumber(rpl.args[1])
# file wrong.lua:
#| error({code = "not_found", message = "no such thing", hint = "look elsewhere"})
$ show version/q
0.1.0

$ echo 'one\ttwo\nthree'
one	two
three

$ echo/j text
{
  "schema": "rpl.echo/1",
  "text": "text",
  "notes": [],
  "provenance": "none"
}

$ echo


$ shell echo from the host
from the host

$ shell exit 3
? 3

$ apropos/c ROCTx
kind,name,summary
command,info markers,List the program's own ranges and marks (ROCTx).

$ apropos nosuchthing
kind  name  summary
(0 rows)
err: note: nothing mentions 'nosuchthing'

$ help quit
quit: Leave the shell.

  quit [STATUS]

Ctrl-D on an empty line does the same. The exit status is 0 or the number
given.

also spelled: exit, q

parameters
  status  whole number  exit status of rpl (default 0; 0 to 255)

examples
  quit

$ quit --help | head -1
quit: Leave the shell.

$ help nosuch
err: error: unknown command 'nosuch'; 'help' lists the commands
? 2

$ complete show v
line
show values
show version
(2 rows)

$ complete info kernels --l
line
info kernels --limit
(1 row)

$ complete nosuch
line
(0 rows)

$ quit 4
? 4

$ quit 300
err: error: status takes a whole number, 0 to 255, not 300; usage: quit [STATUS]
? 2

$ quit now
err: error: status takes a whole number, 0 to 255, not 'now'; usage: quit [STATUS]
? 2

# Values: print keeps them, output does not.
(rpl) print 6 * 7
$1 = 42

(rpl) print $ + 1
$2 = 43

(rpl) print/j $1
{
  "schema": "rpl.print/1",
  "value": 42,
  "notes": [],
  "provenance": "none"
}

(rpl) print /j {a = 1, b = {2, 3}}
{
  "schema": "rpl.print/1",
  "a": 1,
  "b": [2, 3],
  "notes": [],
  "provenance": "none"
}

(rpl) print 5 | 3
$5 = 7

(rpl) output 1 / 3
0.33333333333333

(rpl) output/q 7
7

(rpl) printf "%d of %s, %.2f\n", 3, "four", 5
3 of four, 5.00

(rpl) printf "%d", "x"
err: error: bad argument #2 to 'format' (number expected, got string)

(rpl) show values
value  schema       fields  rows
$1     rpl.print/1       1     0
$2     rpl.print/1       1     0
$3     rpl.print/1       1     0
$4     rpl.print/1       2     0
$5     rpl.print/1       1     0
(5 rows)

(rpl) show values | head -2
value  schema             fields  rows
$1     rpl.print/1             1     0

(rpl) show commands
number  line
(0 rows)

(rpl) print $9
err: error: no value $9; values go from $1 to $8

(rpl) print
number  line
(0 rows)

(rpl) lua for i = 1, 2 do print("round " .. i) end
round 1
round 2

(rpl) lua return 1, 2
1	2

(rpl) lua error("wrong")
err: error: wrong

(rpl) lua undefined_name
err: error: the global 'undefined_name' is not defined; objects and commands are in the module rpl

(rpl) =2^10
$10 = 1024.0

# Settings and variables.
(rpl) set rows 5

(rpl) show rows
setting  value  default  takes                    description
rows         5       50  whole number, 0 or more  most rows shown on a ter..able is cut; 0 shows all
(1 row)

(rpl) show/q rows
5

(rpl) show history
setting            value   default  takes                    description
history bytes   67108864  67108864  whole number, 0 or more  memory that kept re.. most; 0 keeps all
history size        5000      5000  whole number, 0 or more  lines kept in the history file
history values      1000      1000  whole number, 0 or more  results that are ke.. ...); 0 keeps all
(3 rows)

(rpl) set pager

(rpl) show/q pager
on

(rpl) set rows many
err: error: rows takes a whole number, 0 or more, not 'many'; 'set rows 50' restores the default

(rpl) set raws 5
err: error: no setting 'raws 5'; did you mean 'rows'?

(rpl) set rows
err: error: rows needs a value: whole number, 0 or more; show rows

(rpl) show nosuch
err: error: no setting 'nosuch'; 'show' lists them

(rpl) set $limit = 2 * 8

(rpl) show convenience
name    value
$limit     16
(1 row)

(rpl) print $limit
$6 = 16

(rpl) set $1x = 3
err: error: '$1x = 3' is not an assignment; usage: set $NAME = EXPRESSION

(rpl) set/c | grep "^rows"
rows,5,50,"whole number, 0 or more",most rows shown on a terminal before a table is cut; 0 shows all

(rpl) show/c width
setting,value,default,takes,description
width,0,0,"whole number, 0 or more",columns of the terminal; 0 asks the terminal

# Commands of one's own.
(rpl) document hello --line 'Greet somebody.'
err: note: 'hello' is not defined yet

(rpl) define hello --line 'echo hello, $arg0' --line 'echo $argc: $argn'

(rpl) document hello --line 'Greet somebody.' --line 'By name.'

(rpl) hello you "and you"
hello, you
2: you "and you"

(rpl) hello you | tr a-z A-Z
HELLO, YOU
1: YOU

(rpl) hello/j you
{
  "schema": "rpl.echo/1",
  "text": "hello, you",
  "notes": [],
  "provenance": "none"
}
{
  "schema": "rpl.echo/1",
  "text": "1: you",
  "notes": [],
  "provenance": "none"
}

(rpl) hello
err: error: argument $arg0 is missing; 0 given; the first is $arg0

(rpl) help hello
hello: Greet somebody.

  hello [ARGUMENTS]

Greet somebody.
By name.

It runs:

    echo hello, $arg0
    echo $argc: $argn

parameters
  arguments  text  its arguments: $arg0, $arg1, ...; $argc is how many, $argn all of them

(rpl) show user
name   line
hello  echo hello, $arg0
hello  echo $argc: $argn
(2 rows)

(rpl) show user hello
name   line
hello  echo hello, $arg0
hello  echo $argc: $argn
(2 rows)

(rpl) define quit --line 'echo no'
err: error: 'quit' is a built-in command; choose another name

(rpl) define 1st --line 'echo no'
err: error: '1st' cannot be the name of a command; use one word of letters, digits, '-' and '_'

(rpl) define hook-echo --line '!echo before'

(rpl) echo hooked
before
hooked

(rpl) define hook-nosuch --line 'echo x'
err: note: no command 'nosuch': the hook never runs

(rpl) alias ver = show version/q

(rpl) alias top = info kernels --limit 1

(rpl) alias
name  expansion
top   info kernels --limit 1
ver   show version/q
(2 rows)

(rpl) top/c small.db
id,kernel,name,calls,total_ns,mean_ns,min_ns,max_ns,stddev_ns,variation,share,real_low,real_high
ka729f4,"gemm_kernel<float, 0>","void gemm_kernel<float, 0>(float const*, float*, int)",38,308960,8130.526315789473,7360,8920,465.61175897905895,0.05726711173357147,0.433518549699725,,

(rpl) alias wrong = nosuch
err: error: unknown command 'nosuch'; did you mean 'hook-nosuch'?

(rpl) alias wrong
err: error: 'wrong' is not an alias; usage: alias NAME = COMMAND

(rpl) alias quit = echo
err: error: 'quit' is a command; choose another word

# Displays, and lines again and again.
(rpl) open small.db
t1: 60 dispatches, 4 kernels, 3 streams, gfx942 x1, 701.0 us (rocpd 3)

(rpl) display rpl.trace.dispatches:count()
1: rpl.trace.dispatches:count() = 60

(rpl) display nosuch
2: nosuch = ?
err: note: 2: the global 'nosuch' is not defined

(rpl) display
1: rpl.trace.dispatches:count() = 60
2: nosuch = ?
err: note: 2: the global 'nosuch' is not defined

(rpl) display/c
1: rpl.trace.dispatches:count() = 60
2: nosuch = ?
err: note: 2: the global 'nosuch' is not defined

(rpl) info display
number  enabled  expression
     1  yes      rpl.trace.dispatches:count()
     2  yes      nosuch
(2 rows)

(rpl) undisplay 1

(rpl) undisplay 9
err: error: no display 9; info display

(rpl) undisplay

(rpl) info display
number  enabled  expression
(0 rows)

(rpl) repeat echo again --every 0 --count 2
again
again

(rpl) repeat info trace/q --count 2 --every 0
60
60

(rpl) repeat echo never
err: error: repeat needs a command and --every SECONDS; usage: repeat COMMAND --every SECONDS [--count N]

(rpl) repeat nosuch --every 0
err: error: unknown command 'nosuch'; 'help' lists the commands

# Files of commands and scripts.
(rpl) source greet.rpl
from a file
hello, world

(rpl) hello again
hello, again

(rpl) source broken.rpl
before
err: error: unknown command 'nosuch'; 'help' lists the commands
err: note: broken.rpl:2: stopped here; later lines were not run

(rpl) source nosuch.rpl
err: error: nosuch.rpl: no such file; give the path of a .lua or .rpl file

(rpl) source twice.lua -- 21
42

(rpl) source/j twice.lua -- 21
{
  "schema": "rpl.source/1",
  "value": 42,
  "notes": [],
  "provenance": "none"
}

(rpl) source greet.rpl -- 1
err: error: only Lua scripts take arguments; usage: source FILE.lua -- ARGS

(rpl) source wrong.lua
err: error: no such thing; look elsewhere

(rpl) record start typed.rpl
recording to typed.rpl; 'record stop' ends it

(rpl) echo recorded
recorded

(rpl) nosuch
err: error: unknown command 'nosuch'; 'help' lists the commands

(rpl) record start other.rpl
err: error: typed.rpl is being written already; record stop

(rpl) record stop
5 lines in typed.rpl; replay them with: source typed.rpl

(rpl) record stop
err: error: nothing is being recorded; record start FILE

! grep -v -e '^#.*rpl ' -e printf typed.rpl
echo recorded
\# failed (2): nosuch
\# failed (1): record start other.rpl

# Init files of a folder run once they are trusted.
$ trust
file  sha256
(0 rows)
err: note: no .rpl/init.rpl or .rpl/init.lua here

! mkdir -p .rpl; echo 'echo from the project' > .rpl/init.rpl; echo 'nosuch' >> .rpl/init.rpl; echo 'rpl.command{path = "twice", summary = "Double.", params = {{name = "n", type = "integer"}}, run = function(a) return 2 * a.n end}' > .rpl/init.lua

$ -batch -ex 'echo untrusted'
untrusted
err: note: skipped .rpl/init.rpl, which nobody trusts yet; to allow it: rpl trust
err: note: skipped .rpl/init.lua, which nobody trusts yet; to allow it: rpl trust

$ trust
file           sha256
.rpl/init.rpl  c54f62d1cef655f737ea07f1168122b7bda9f103a4a9974653d065380aae398c
.rpl/init.lua  bf52427d6f699d63351a33f9df5034d7b8ebb4aebda159fe622ef8e7724d3b2e
(2 rows)

$ trust nosuch.rpl
err: error: nosuch.rpl: no such file; check the path
? 1

$ -batch -ex 'twice 21'
from the project
42
err: error: unknown command 'nosuch'; 'help' lists the commands
err: note: .rpl/init.rpl:2: stopped here; later lines were not run
