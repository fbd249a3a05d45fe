# Planted faults: the cause that is found first, whether its place is right, and whether the headroom holds what the kernel without the fault saves.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# example faults: faults
# example faults.lua: ../scripts/faults.lua
$ --width 150 -batch -x faults.lua -- faults work --only bank_conflicts
source          fault               first               named  line  gain %  low %  high %  holds  false_findings
bank_conflicts  lds-bank-conflicts  lds-bank-conflicts  yes    yes    80.99  69.63   93.63  yes    
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only divide_by
source           fault             first             named  line  gain %  low %  high %  holds  false_findings
divide_by_width  integer-division  integer-division  yes    yes    70.18  51.35   75.35  yes    
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only gather
source          fault             first             named  line  gain %  low %  high %  holds  false_findings
gather_structs  uncoalesced-load  uncoalesced-load  yes    yes    80.87  68.87   92.87  yes    
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only histogram
source     fault              first              named  line  gain %  low %  high %  holds  false_findings
histogram  contended-atomics  contended-atomics  yes    yes    73.87  62.36   86.36  yes    
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only private_array
source         fault            first            named  line  gain %  low %  high %  holds  false_findings
private_array  register-spills  register-spills  yes    yes    84.06  73.50   97.50  yes    
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only one_long
source              fault           first           named  line  gain %  low %  high %  holds  false_findings
one_long_workgroup  load-imbalance  load-imbalance  yes    yes    99.15  86.14  100.00  yes    
(1 row)

# Kernels without a fault.
$ --width 150 -batch -x faults.lua -- faults work --only good_saxpy
source      fault              first              named  line  gain %  low %  high %  holds  false_findings
good_saxpy  bandwidth-used-up  bandwidth-used-up  yes       -       -   0.00    5.00      -  
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only polynomial
source      fault            first            named  line  gain %  low %  high %  holds  false_findings
polynomial  compute-used-up  compute-used-up  yes       -       -   0.00    5.00      -  
(1 row)
