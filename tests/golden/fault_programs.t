# Planted faults of whole programs: memory that kernels reach over the link, and copies that take turns with kernels.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# needs example: rpl-hip-example
# example faults: faults
# example fault_applications.lua: ../scripts/fault_applications.lua
$ --width 150 -batch -x fault_applications.lua -- faults/applications work --only reads_the
program         fault               first               named  line   gain %  low %  high %  holds  false_findings
reads_the_host  host-memory-access  host-memory-access  yes       -  -607.41      -       -      -  
(1 row)

$ --width 150 -batch -x fault_applications.lua -- faults/applications work --only shared_pages
program       fault                            first            named  line  gain %  low %  high %  holds  false_findings
shared_pages  page-migration, host-sync-bound  host-sync-bound  yes       -   42.31  15.02   52.54  yes    
(1 row)

# What a repair saves lies in the interval: copies that are hidden hold nobody up, and what is copied once is waited for once.
$ --width 150 -batch -x fault_applications.lua -- faults/applications work --only copies_in
program         fault                  first                  named  line  gain %  low %  high %  holds  false_findings
copies_in_turn  copies-not-overlapped  copies-not-overlapped  yes       -   50.13  28.22   60.13  yes    
(1 row)

# Kernels of 30 us are not bound by launching, nor do two streams that the null stream orders say what launching costs.
$ --width 150 -batch -x fault_applications.lua -- faults/applications work --only steady
program          fault            first            named  line  gain %  low %  high %  holds  false_findings
steady_pipeline  nothing-of-note  nothing-of-note  yes       -    0.00      -       -      -  
(1 row)

$ --width 150 -batch -x fault_applications.lua -- faults/applications work --only two_queues
program            fault                 first                 named  line  gain %  low %  high %  holds  false_findings
two_queues_memset  stream-serialization  stream-serialization  yes       -   40.49  36.30   56.63  yes    
(1 row)

# Where the host's calls are: the constructor of a buffer is called from several lines, which are the places; what was compiled before need not be compiled again.
$ --width 170 -batch -x fault_applications.lua -- faults/applications work --only infer_server
program       fault               first               named  line  gain %  low %  high %  holds  false_findings
infer_server  allocation-in-loop  allocation-in-loop  yes    yes    83.10  78.11   88.11  yes    
(1 row)

$ --width 170 -batch -x fault_applications.lua -- faults/applications work --only tiles_event
program      fault                 first                 named  line  gain %  low %  high %  holds  false_findings
tiles_event  stream-serialization  stream-serialization  yes    yes    71.66  52.12   76.39  yes    
(1 row)

$ --width 170 -batch -x fault_applications.lua -- faults/applications work --only table_vector
program       fault            first            named  line  gain %  low %  high %  holds  false_findings
table_vector  repeated-copies  repeated-copies  yes    yes    64.23  54.05   69.79  yes    
(1 row)

$ --width 130 -batch findings work/infer_server.slow | head -n 11
app the application
1   allocation-in-loop           78 to 88 %   main.hip:37 in ~DeviceBuffer, called from main.hip:74 in answer, called from main.hip:89 in main: hipFree, 156 calls
    memory is allocated or freed between launches, and freeing waits for the device
    312 calls between the first launch and the last allocate or free
    0.831 of the span they take
    -> take hipFree (main.hip:37 in ~DeviceBuffer) out of the loop: allocate once, or use hipMallocAsync and hipFreeAsync
2   host-sync-bound              0 to 13 %    main.hip:73 in answer, called from main.hip:89 in main: hipStreamSynchronize, 39 calls
    the host waits for the device again and again, and the device for the host's next launch
    39 times the host waits for the device, and launches then
    0.0618 of the span it waits
    -> take hipStreamSynchronize (main.hip:73 in answer) out of the loop, or wait once for several rounds

# A result that is read in each round: at the most neither the wait nor the copy is there.
$ --width 150 -batch -x fault_applications.lua -- faults/applications work --only poisson
program           fault            first            named  line  gain %  low %  high %  holds  false_findings
poisson_residual  host-sync-bound  host-sync-bound  yes    yes    60.44   0.00   66.85  yes    
(1 row)

# What is sent again because the memory that had it was freed.
$ --width 170 -batch -x fault_applications.lua -- faults/applications work --only mesh_upload
program      fault                                first            named  line  gain %  low %  high %  holds  false_findings
mesh_upload  repeated-copies, allocation-in-loop  repeated-copies  yes    yes    71.71  39.36   84.51  yes    
(1 row)
