# What a verdict follows from as one file, the same verdict in another folder, and what it says when something was altered.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# example softmax_example.hip: hip/softmax.hip
# example frozen: captures/softmax
! cat softmax_example.hip > softmax.hip

$ lineage
nothing
err: note: no kernel was optimized yet: 'step --source FILE.hip --capture DIR' begins

$ iterate /q --source softmax.hip --capture frozen --to propose
null

$ export evidence p1 -o early.tar.zst
err: error: p1 was not measured: there is no verdict to prove; 'finish p1' takes it to its decision
? 1

$ finish /q p1
accepted

$ export evidence p1 -o p1.tar.zst
wrote p1.tar.zst: the evidence of p1

$ export evidence p1 -o p1.tar.zst
err: error: p1.tar.zst exists already; name another file: -o FILE
? 1

! mkdir elsewhere && cp p1.tar.zst elsewhere && cd elsewhere && rpl audit p1.tar.zst
intact            yes
proposal          p1
kernel            softmax
title             unroll the loop in line 11 by 2
program           rpl 0.1.0
time_source       modelled
model             rpl-cycle/0.4 MI300X
recorded_verdict  improved
verdict           improved
ratio             1.049 x
ci_low            1.049 x
ci_high           1.049 x
floor             1.00 %
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
verdict           yes     improved again, ratio 1.0490
floor             yes     58393.3 ns are not faster than the machine can
patch             yes     is the difference of the two sources
code              yes     other machine code of the same interface
(12 rows, recorded)

! cd elsewhere && tar --zstd -xf p1.tar.zst && mv evidence clean && ls clean && ls -a
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
p1.tar.zst

$ audit/q elsewhere/clean
true

# One sample.
! cd elsewhere && cp -r clean sample && sed -i 's/"a": \[[0-9.]*/"a": [60000.5/' sample/measurement.json && rpl audit sample | grep '  no  '
measurement.json               no      was altered: it has not the hash of the manifest
process 1 of measurement.json  no      its samples are not those that were recorded
verdict                        no      ratio: recorded 1.048962, recomputed 1.027523; ci_low: recorded 1.048962, recomputed 1.027523

# One hash.
! cd elsewhere && cp -r clean hash && sed -i 's/"base.co": "./"base.co": "x/' hash/manifest.json && rpl audit hash | grep '  no  '
seal              no      is not the hash of the manifest: one of the two was altered
base.co           no      has not the hash of the manifest, which was altered itself

# One file.
! cd elsewhere && cp -r clean file && sed -i 's/unroll 2/unroll 3/' file/candidate.hip && rpl audit file | grep '  no  '
candidate.hip     no      was altered: it has not the hash of the manifest
patch             no      is not the difference of the two sources

# The verdict itself.
! cd elsewhere && cp -r clean verdict && sed -i 's/"ratio": 1/"ratio": 7/' verdict/verdict.json && rpl audit verdict | grep '  no  '
verdict.json      no      was altered: it has not the hash of the manifest
verdict           no      ratio: recorded 7.048962, recomputed 1.048962

! cd elsewhere && cp -r clean gone && rm gone/base.hip && rpl audit gone | grep '  no  '
base.hip          no      is missing

! cd elsewhere && head -c 2000 p1.tar.zst > cut.tar.zst && rpl audit cut.tar.zst
err: error: cut.tar.zst: ends too early
? 1

$ lineage | head -3
o1   softmax in softmax.hip
  p1   accepted 1.049 x: unroll the loop in line 11 by 2
  p2   proposed: unroll the loop in line 11 by 4
