# A recording whose file is damaged: what is said, and where.
# fixture good.db: --dispatches 300 --kernels 3 --seed 7
$ trace verify/q good.db
0

# One row less in a page of the dispatches, whose count of cells is one less.
! python3 -c "import sqlite3; d = bytearray(open('good.db', 'rb').read()); at = lambda n: int.from_bytes(d[n:n + 2], 'big'); root = (sqlite3.connect('good.db').execute('SELECT rootpage FROM sqlite_master WHERE name LIKE \'rocpd_kernel_dispatch_%\'').fetchone()[0] - 1) * 4096; leaf = (int.from_bytes(d[root + at(root + 12):][:4], 'big') - 1) * 4096; print(at(leaf + 3), 'rows'); d[leaf + 4] -= 1; open('bad.db', 'wb').write(d)"
43 rows

$ info trace/q bad.db
299
err: note: t1 is damaged, and this may be wrong: page 36 of rocpd_kernel_dispatch does not account for all of its bytes: a row is missing or was changed (and 2 more: info warnings)

$ info kernels bad.db --limit 1
id       kernel                    calls  total us  mean us  min us  max us  stddev ns  share %
k858257  softmax_kernel<float, 0>     77  1667.800   21.660  19.560  23.720       1272    46.71
(1 of 3 rows; --limit 0 shows all; no room for variation: /v, recorded)
err: note: t1 is damaged, and this may be wrong: page 36 of rocpd_kernel_dispatch does not account for all of its bytes: a row is missing or was changed (and 2 more: info warnings)

$ info warnings bad.db
lost: 1 dispatch between the 299 that were recorded is missing, as the ids show: dropped by the recorder, or left out on purpose
file: page 36 of rocpd_kernel_dispatch does not account for all of its bytes: a row is missing or was changed
file: rocpd_kernel_dispatch has 299 rows and row ids up to 300: rows were deleted or are lost
file: SQLite finds: Fragmentation of 92 bytes reported as 0 on page 36

$ trace verify bad.db --limit 2
path       bad.db
tables     21
pages      32
rows_read  678
findings   3

table                                                       rows  pages  faults
rocpd_kernel_dispatch_00000038_7520_7000_800b_538454127b06   299      8       2
rocpd_event_00000038_7520_7000_800b_538454127b06             309      5       0
(2 of 21 rows; --limit 0 shows all, recorded)
err: note: page 36 of rocpd_kernel_dispatch does not account for all of its bytes: a row is missing or was changed
err: note: rocpd_kernel_dispatch has 299 rows and row ids up to 300: rows were deleted or are lost
err: note: SQLite finds: Fragmentation of 92 bytes reported as 0 on page 36
? 3

$ trace verify/q bad.db
3
err: note: page 36 of rocpd_kernel_dispatch does not account for all of its bytes: a row is missing or was changed
err: note: rocpd_kernel_dispatch has 299 rows and row ids up to 300: rows were deleted or are lost
err: note: SQLite finds: Fragmentation of 92 bytes reported as 0 on page 36
? 3

$ classify bad.db --json | grep -c confidence
3
