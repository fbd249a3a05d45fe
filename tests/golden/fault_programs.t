# Planted faults of whole programs: memory that kernels reach over the link, and copies that take turns with kernels.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# needs example: rpl-hip-example
# example faults: faults
# example fault_applications.lua: ../scripts/fault_applications.lua
$ --width 150 -batch -x fault_applications.lua -- faults/applications work --only reads_the
program         fault               first               named   gain %  low %  high %  holds  false_findings
reads_the_host  host-memory-access  host-memory-access  yes    -607.41      -       -      -  
(1 row)

$ --width 150 -batch -x fault_applications.lua -- faults/applications work --only shared_pages
program       fault                            first            named  gain %  low %  high %  holds  false_findings
shared_pages  page-migration, host-sync-bound  host-sync-bound  yes     42.31  15.02   76.93  yes    
(1 row)

# What a repair saves lies in the interval: copies that are hidden hold nobody up, and what is copied once is waited for once.
$ --width 150 -batch -x fault_applications.lua -- faults/applications work --only copies_in
program         fault                  first                  named  gain %  low %  high %  holds  false_findings
copies_in_turn  copies-not-overlapped  copies-not-overlapped  yes     50.13  28.22   59.59  yes    
(1 row)

# Kernels of 30 us are not bound by launching, nor do two streams that the null stream orders say what launching costs.
$ --width 150 -batch -x fault_applications.lua -- faults/applications work --only steady
program          fault            first            named  gain %  low %  high %  holds  false_findings
steady_pipeline  nothing-of-note  nothing-of-note  yes      0.00      -       -      -  
(1 row)

$ --width 150 -batch -x fault_applications.lua -- faults/applications work --only two_queues
program            fault                 first                 named  gain %  low %  high %  holds  false_findings
two_queues_memset  stream-serialization  stream-serialization  yes     40.49  36.30   56.63  yes    
(1 row)
