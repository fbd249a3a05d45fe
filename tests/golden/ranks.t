# Ranks of a distributed training on hosts whose clocks differ: one trace, who is waited for, and how evenly work lies.
# fixture train: --ranks 8 --ranks-of-host 4 --steps 12 --collectives 3 --kernels 5 --straggler 5 --seed 3
# fixture loose: --ranks 4 --ranks-of-host 2 --steps 6 --collectives 2 --kernels 5 --jitter-ns 900000 --seed 4
# fixture one.db: --dispatches 50
$ open train

$ ranks train

$ ranks train --top 1 --json

$ ranks steps train --top 3

$ info processes train --limit 1 --json

$ ranks loose --top 2

$ ranks steps loose --top 2

$ ranks one.db

