# Planted faults whose figures follow from what the device libraries and HIP's headers of Debian 12 make of a function: other versions cost other numbers of cycles.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# needs libraries: /usr/lib/x86_64-linux-gnu/amdgcn/bitcode/ocml.bc
# example faults: faults
# example faults.lua: ../scripts/faults.lua
$ --width 150 -batch -x faults.lua -- faults work --only gelu
source          fault             first             named  line  gain %  low %  high %  holds  false_findings
gelu_in_double  double-precision  double-precision  yes    yes    38.28  12.26   43.54  yes    
gelu_erf        transcendentals   transcendentals   yes    yes    58.77  42.82   87.05  yes    
(2 rows)

$ --width 150 -batch -x faults.lua -- faults work --only either
source        fault                        first        named  line  gain %  low %  high %  holds  false_findings
either_space  flat-access,redundant-loads  flat-access  yes    yes    10.69   1.52   39.03  yes    
(1 row)

# What functions cost: the whole of an accurate power; of arithmetic in double precision no more than its conversions.
$ --width 150 -batch -x faults.lua -- faults work --only gravity
source   fault            first            named  line  gain %  low %  high %  holds  false_findings
gravity  transcendentals  transcendentals  yes    yes    85.05  49.46   97.38  yes    
(1 row)
