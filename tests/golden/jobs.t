# Lines that run in the background, in shells of their own. Times differ from run to run: the scalars and Lua leave them out.
# modelled
# fixture small.db: --dispatches 50 --queues 2 --seed 1
(rpl) open small.db
t1: 50 dispatches, 22 kernels, 4 streams, gfx942 x1, 486.1 us (rocpd 3)

(rpl) info kernels /3 &
j1 runs in the background: info kernels /3

(rpl) job wait /q
done

(rpl) job show
id       kernel                    calls  total us  mean us  min us  max us  stddev ns  share %
k858257  softmax_kernel<float, 0>      8   172.000   21.500  19.800  23.600       1397    25.32
kb41d91  layer_norm_..l<float, 0>      6    81.160   13.527  12.600  14.800        730    11.95
kb9dc7d  elementwise..l<float, 0>      4    80.000   20.000  19.200  21.080        832    11.78
(3 of 22 rows; --limit 0 shows all; no room for variation: /v, recorded)

(rpl) job show /q
done

# A recording is handed over by its path, a value by what it is; a pipe is the job's.
(rpl) open small.db
t1: 50 dispatches, 22 kernels, 4 streams, gfx942 x1, 486.1 us (rocpd 3)

(rpl) sql select 7 as seven
seven
    7
(1 row, recorded)

(rpl) compare t1 small.db --limit $1.rows[1].seven | head -1 &
j1 runs in the background: compare t1 small.db --limit $1.rows[1].seven | head -1

(rpl) show version &
err: error: 'show version' works on this shell, and a job is a shell of its own; run it without &

(rpl) job wait /q
done

(rpl) job show j1
before           t1
note: two recordings differ by noise too: a ratio is not a verdict

(rpl) lua for _, j in ipairs(rpl.cmd.info.jobs().rows) do print(j.id, j.state, j.exit_status, j.command) end
j1	done	0	compare t1 small.db --limit $1.rows[1].seven | head -1

# What it opened is open here when it is looked at; what is set here is set there.
# needs example: rpl-hip-example
(rpl) set emu gpu MI250X

(rpl) profile --quiet -o out -- rpl-hip-example &
j1 runs in the background: profile --quiet -o out -- rpl-hip-example

(rpl) trace list
id  current  ready  dispatches  span ns  path  origin
(0 rows, recorded)
err: note: no trace is open; open one: open FILE

(rpl) job wait /q
done

(rpl) =rpl.cmd.job.show().output
$3 = ran rpl-hip-example on 1 x MI250X, emulated: every time below is modelled
t1: 2 dispatches, 1 kernel, 2 streams, gfx90a x1, 7.159 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.859 us  100.0 %
wrote out: profile.json roofline.json dag.json analysis.json, and the database

(rpl) info trace /q
2

# What fails, and what has no background.
(rpl) critpath &
j1 runs in the background: critpath

(rpl) job wait /q
failed

(rpl) job show
error: no trace is open; open one: open FILE, or name it in the command: summary FILE

(rpl) info jobs /j | grep -o '"why": "[^"]*"'
"why": "no trace is open; open one: open FILE, or name it in the command: summary FILE"

(rpl) critpath --model wrong &
err: error: --model takes one of default, legacy, not 'wrong'; usage: critpath [--model default|legacy] [--top TOP] [--priority]

(rpl) open small.db &
err: error: 'open' works on this shell, and a job is a shell of its own; run it without &

(rpl) nonsense &
err: error: unknown command 'nonsense'; 'help' lists the commands

(rpl) background
err: error: 'background' needs the line; quotes, options and a pipe are its own; usage: background LINE

(rpl) job show j9
err: error: there is no job 'j9'; there is j1; info jobs

(rpl) info jobs /q
j1

(rpl) echo that is text &
that is text &

(rpl) quit

# One that still runs when the shell ends is stopped.
(rpl) profile --no-rocprof -- sleep 100 &
j1 runs in the background: profile --no-rocprof -- sleep 100

(rpl) job stop /q
stopped

(rpl) profile --no-rocprof -- sleep 200 &
j2 runs in the background: profile --no-rocprof -- sleep 200
err: note: j2 still ran and was stopped: profile --no-rocprof -- sleep 200; 'job wait' waits for it

$ job show
err: error: there are no jobs; a line with & at its end starts one: profile -- ./app &
? 1
