# SQL over the recording, which nothing can change.
# fixture small.db: --dispatches 60 --queues 2 --streams 3 --kernels 5 --api --markers --counters 2 --seed 7 --event-share 0.1 --copy-share 0.1 --marker-share 0.1
$ sql "select count(*) as n from kernels" --trace small.db
 n
60
(1 row, recorded)

$ sql "select 1 as one, 2.5 as two, 'x' as three, null as four, x'00ff' as five" --trace small.db --json
{
  "schema": "rpl.sql/1",
  "rows": [
    {"one": 1, "two": 2.5, "three": "x", "four": null, "five": "0x00ff"}
  ],
  "notes": [],
  "provenance": "recorded"
}

$ sql "select nosuch from kernels" --trace small.db
err: error: no such column: nosuch; rpl_dispatches and others: 'help sql'; the recorder's tables: sql select name, sql from sqlite_master
? 2

$ sql "delete from rocpd_metadata" --trace small.db
err: error: cannot modify rocpd_metadata because it is a view; rpl_dispatches and others: 'help sql'; the recorder's tables: sql select name, sql from sqlite_master
? 2

$ sql "select 1" --trace small.db --file 7
err: error: no file '7' in the trace; it has 1 database: --file 1 to 1
? 1

# A query neither sets anything, of the process either, nor opens other files.
$ sql "attach 'other.db' as other" --trace small.db
err: error: a query neither opens other files nor sets anything; recordings are only read; open another one: open FILE
? 1

$ sql "pragma temp_store_directory = '/tmp'" --trace small.db
err: error: a query neither opens other files nor sets anything; recordings are only read; open another one: open FILE
? 1

$ sql "pragma page_size" --trace small.db
page_size
     4096
(1 row, recorded)

$ sql "begin" --trace small.db
err: error: the query has no result; as in: sql select name from rpl_kernels
? 2

# Tables that are promised, for recordings of every format.
# file kernels_kernel_trace.csv:
#| "Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
#| "KERNEL_DISPATCH",1,1,"fill(int)",1,1000,1600
#| "KERNEL_DISPATCH",1,2,"work",2,2000,2100
$ sql "select name, count(*) as calls, sum(duration_ns) as ns from rpl_dispatches group by name" --trace small.db
name                                                         calls      ns
void gemm_kernel<float, 0>(float const*, float*, int)           38  308960
void layer_norm_kernel<float, 0>(float const*, float*, int)      7   96200
void reduce_kernel<float, 0>(float const*, float*, int)          1    6040
void softmax_kernel<float, 0>(float const*, float*, int)        14  301480
(4 rows, recorded)

$ sql "select id, name, queue, duration_ns from rpl_dispatches" --trace kernels_kernel_trace.csv
id  name       queue  duration_ns
 1  fill(int)      0          600
 2  work           1          100
(2 rows, recorded)

$ sql "select nosuch from rpl_kernels" --trace kernels_kernel_trace.csv
err: error: no such column: nosuch; the recording is no database, and has rpl_dispatches, rpl_kernels and others: 'help sql'
? 2

$ sql "select 1" --file 1 --trace kernels_kernel_trace.csv
err: error: no file '1' in the trace; it was read from no database: ask without --file
? 1

$ export sqlite -o small.sqlite --trace small.db
wrote small.sqlite: 10 views of 290 rows, 56.00 KiB
err: note: ask it with any program that knows SQLite: sqlite3 small.sqlite 'select * from rpl_kernels'

! python3 -c "import sqlite3; d=sqlite3.connect('small.sqlite'); print(d.execute('select count(*), sum(duration_ns) from rpl_dispatches').fetchall(), d.execute('select counter, sum(sum) from rpl_counters group by 1').fetchall(), d.execute('select count(*) from rpl_calls').fetchall())"
[(60, 712680)] [('SQ_INSTS_VALU', 36460.0), ('SQ_WAVES', 18260.0)] [(82,)]

$ export sqlite -o small.sqlite --trace small.db --json
{
  "schema": "rpl.export.sqlite/1",
  "path": "small.sqlite",
  "size_bytes": 57344,
  "written": "10 views of 290 rows",
  "notes": ["ask it with any program that knows SQLite: sqlite3 small.sqlite 'select * from rpl_kernels'"],
  "provenance": "recorded"
}

$ export sqlite -o /dev/stdout --trace small.db
err: error: /dev/stdout is open already; this output needs a file of its own; name a new file with -o FILE
? 2

# The query goes on to an option, a pipe or the end of the line.
(rpl) sql select count(*) as n from kernels --trace small.db
 n
60
(1 row, recorded)

(rpl) sql select 1 || 2 as joined, 'a  b' as text | cat -n
     1	joined  text
     2	12      a  b
     3	(1 row, recorded)

(rpl) set $n = 41

(rpl) sql select $n + 1 as n
 n
42
(1 row, recorded)

(rpl) sql select :x
err: error: the query has a parameter, :x, that nothing gives a value; write the value; a convenience variable stands alone between blanks: id = $x

(rpl) sql
err: error: 'sql' needs a SQL query; usage: sql QUERY [--file FILE]

$ sql select "'words joined'" as text --trace small.db --csv
text
words joined
