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
err: error: no such column: nosuch; tables and columns: sql select name, sql from sqlite_master
? 2

$ sql "delete from rocpd_metadata" --trace small.db
err: error: cannot modify rocpd_metadata because it is a view; tables and columns: sql select name, sql from sqlite_master
? 2

$ sql "select 1" --trace small.db --file 7
err: error: no file '7' in the trace; it has 1 database: --file 1 to 1
? 1

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
