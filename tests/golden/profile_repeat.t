# Two equal modelled runs, and runs that differ.
# modelled
# needs example: rpl-hip-example
# file vary.sh:
#| #!/bin/sh
#| n=$(cat n 2>/dev/null || echo 2)
#| echo $((n * 3)) > n
#| exec rpl-hip-example --dispatches $n
# The documents are equal but for paths and process ids.
! for d in one two; do rpl profile --quiet --deep-analysis -o $d -- rpl-hip-example >/dev/null 2>&1; done

! for f in profile roofline dag analysis; do for d in one two; do sed -E "s/[0-9]+_(results.db|att)/PID_\1/g; s/\b$d\b/DIR/g" $d/$f.json > $d.$f; done; cmp one.$f two.$f && wc -l < one.$f; done
23
16
38
9

# What launches something else each time is unstable, and why that matters is said.
! chmod +x vary.sh

$ profile --runs 3 --quiet -o varied -- ./vary.sh
ran ./vary.sh on 1 x MI300X, emulated: every time below is modelled
t1: 4 dispatches, 1 kernel, 3 streams, gfx942 x1, 32.63 us (rocpd 3)
  k5e4c39  vector_add                                4 x    6.203 us  100.0 %
3 runs: mean 15.20 us, standard deviation 11.23 us, cv 0.739: unstable
wrote varied: profile.json roofline.json dag.json analysis.json, and the database
err: note: unstable: runtime_ms differs by 73.9 % (standard deviation / mean) between 3 runs, and on the emulated device equal work takes equal time: the program asks for something else in each run; fix its seeds and sizes

! grep -o '"stability": {[^}]*}' varied/profile.json
"stability": {"runs": 3, "mean_ms": 0.015196333333333333, "stddev_ms": 0.011232669733119252, "cv": 0.7391697382999793, "classification": "unstable", "samples_ms": [0.006203, 0.011599, 0.027787]}
