# What a verdict follows from as one file, the same verdict in another folder, and what it says when something was altered.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# example softmax_example.hip: hip/softmax.hip
# example frozen: captures/softmax
! cat softmax_example.hip > softmax.hip

$ lineage
nothing
err: note: no kernel was optimized yet: 'step --source FILE.hip --capture DIR' begins

$ -batch -ex 'set optimize scope v1' -ex 'iterate /q --source softmax.hip --capture frozen --to propose'
null

$ export evidence p1 -o early.tar.zst
err: error: p1 was not measured: there is no verdict to prove; 'finish p1' takes it to its decision
? 1

$ propose rule restrict --assume-captured | tail -n 2
p13  rule    promise that in, out do not alias  proposed  -              -  -           -
(1 row)

$ finish /q p13
accepted

$ export evidence p13 -o p13.tar.zst
wrote p13.tar.zst: the evidence of p13

$ export evidence p13 -o p13.tar.zst
err: error: p13.tar.zst exists already; name another file: -o FILE
? 1

! mkdir elsewhere && cp p13.tar.zst elsewhere && cd elsewhere && rpl audit p13.tar.zst
intact            yes
proposal          p13
kernel            softmax
title             promise that in, out do not alias
program           rpl 0.1.0
time_source       modelled
model             rpl-cycle/0.5 MI300X
recorded_verdict  improved
verdict           improved
ratio             1.593 x
ci_low            1.264 x
ci_high           2.007 x
floor             0.00 %
samples           2
design            1 process × 1 block × 1 dispatch, modelled
looks             1
confidence        95.00 %

what              intact  message
seal              yes     is that of the manifest
base.hip          yes     has the hash of the manifest
candidate.hip     yes     has the hash of the manifest
base.co           yes     has the hash of the manifest
candidate.co      yes     has the hash of the manifest
patch.diff        yes     has the hash of the manifest
measurement.json  yes     has the hash of the manifest
verdict.json      yes     has the hash of the manifest
verdict           yes     improved again, ratio 1.5926
floor             yes     38460.0 ns are not faster than the machine can
other inputs      yes     the gain is there, too
patch             yes     is the difference of the two sources
code              yes     other machine code of the same interface
(13 rows, recorded)

! cd elsewhere && tar --zstd -xf p13.tar.zst && mv evidence clean && ls clean && ls -a
base.co
base.hip
candidate.co
candidate.hip
manifest.json
measurement.json
patch.diff
seal
verdict.json
.
..
clean
p13.tar.zst

$ audit/q elsewhere/clean
true

# One sample.
! cd elsewhere && cp -r clean sample && sed -i 's/"a": \[[0-9.]*/"a": [60000.5/' sample/measurement.json && rpl audit sample | grep '  no  '
measurement.json               no      was altered: it has not the hash of the manifest
process 1 of measurement.json  no      its samples are not those that were recorded
verdict                        no      ratio: recorded 1.592626, recomputed 1.560075; ci_low: recorded 1.263989, recomputed 1.238155

# One hash.
! cd elsewhere && cp -r clean hash && sed -i 's/"base.co": "./"base.co": "x/' hash/manifest.json && rpl audit hash | grep '  no  '
seal              no      is not the hash of the manifest: one of the two was altered
base.co           no      has not the hash of the manifest, which was altered itself

# One file.
! cd elsewhere && cp -r clean file && sed -i 's/restrict__ in/restrict__  in/' file/candidate.hip && rpl audit file | grep '  no  '
candidate.hip     no      was altered: it has not the hash of the manifest
patch             no      is not the difference of the two sources

# The verdict itself.
! cd elsewhere && cp -r clean verdict && sed -i 's/"ratio": 1/"ratio": 7/' verdict/verdict.json && rpl audit verdict | grep '  no  '
verdict.json      no      was altered: it has not the hash of the manifest
verdict           no      ratio: recorded 7.592626, recomputed 1.592626

! cd elsewhere && cp -r clean gone && rm gone/base.hip && rpl audit gone | grep '  no  '
base.hip          no      is missing

! cd elsewhere && head -c 2000 p13.tar.zst > cut.tar.zst && rpl audit cut.tar.zst
err: error: cut.tar.zst: ends too early
? 1

$ lineage | head -3
o1   softmax in softmax.hip
  p1   proposed: unroll the loop in line 11 by 2
  p2   proposed: unroll the loop in line 11 by 4
