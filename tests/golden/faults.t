# Planted faults: the cause that is found first, whether its place is right, and whether the headroom holds what the kernel without the fault saves.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# example faults: faults
# example faults.lua: ../scripts/faults.lua
$ --width 150 -batch -x faults.lua -- faults work --only bank_conflicts
source                       fault                                first               named  line  gain %  low %  high %  holds  false_findings
bank_conflicts               lds-bank-conflicts                   lds-bank-conflicts  yes    yes    80.99  73.63   89.63  yes    
bank_conflicts_and_division  lds-bank-conflicts,integer-division  lds-bank-conflicts  yes    yes    55.61  34.52   85.39  yes    
(2 rows)

# Of two kernels the one that ran last is meant.
$ -batch -ex 'kernel run /q work/bank_conflicts.co slow --grid 1024,256 --workgroup 32,8 --arg f32:random(1):1048576 --arg f32:zero:1048576 --arg i32:1024' -ex 'disassemble --limit 1' -ex 'list'
17873.809523809523
kernel        slow
object        o1
architecture  gfx942
instructions  229

address  label  instruction                    target  executed  stall_share %  cause
0x1900   -      s_load_dword s8, s[0:1], 0x10  -          4,096           0.28  -
(1 of 229 rows; --limit 0 shows all; no room for source: /v, modelled)
  line      executed stall %
  10           4,096     0.9   const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  11           4,096    48.8   for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
  12           4,096     0.0   __syncthreads();
  13                           float sum = 0;
  14           4,096    50.3   for (int k = 0; k < 32; ++k) sum += tile[threadIdx.x][(threadIdx.y + k) & 31];  // fault   <- lds-bank-conflicts
  15           4,096     0.0   out[y * n + x] = sum;
  16                         }
  17                         
  18           4,096     0.0 extern "C" __global__ void slow(const float* in, float* out, int n) { rotate_tile<0>(in, out, n); }
  19                         extern "C" __global__ void fast(const float* in, float* out, int n) { rotate_tile<1>(in, out, n); }

$ --width 150 -batch -x faults.lua -- faults work --only divide_by
source           fault             first             named  line  gain %  low %  high %  holds  false_findings
divide_by_width  integer-division  integer-division  yes    yes    70.18  49.02   71.35  yes    
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only gather
source          fault             first             named  line  gain %  low %  high %  holds  false_findings
gather_structs  uncoalesced-load  uncoalesced-load  yes    yes    80.87  72.87   88.87  yes    
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only histogram
source             fault                                              first              named  line  gain %  low %  high %  holds  false_findings
histogram          contended-atomics                                  contended-atomics  yes    yes    73.87  58.92   82.36  yes    
private_histogram  nothing-of-note,bandwidth-used-up,dependent-loads  bandwidth-used-up  yes    -          -   0.00    5.00  -      
(2 rows)

$ --width 150 -batch -x faults.lua -- faults work --only private_array
source         fault            first            named  line  gain %  low %  high %  holds  false_findings
private_array  register-spills  register-spills  yes    yes    84.06  58.89   97.19  yes    
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only one_long
source                    fault                            first           named  line  gain %  low %  high %  holds  false_findings
one_long_workgroup        load-imbalance                   load-imbalance  yes    yes    99.15  92.56  100.00  yes    
one_long_row_and_columns  load-imbalance,uncoalesced-load  load-imbalance  yes    yes    98.21  96.19  100.00  yes    narrow-loads
(2 rows)

$ --width 150 -batch -x faults.lua -- faults work --only wait_for_the
source                 fault         first         named  line  gain %  low %  high %  holds  false_findings
wait_for_the_prefetch  strict-waits  strict-waits  yes    yes    40.93  33.61   49.61  yes    
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only buckets
source   fault             first             named  line  gain %  low %  high %  holds  false_findings
buckets  dependency-chain  dependency-chain  yes    yes    57.73  27.43   59.18  yes    
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only bank_conflicts_and
source                       fault                                first               named  line  gain %  low %  high %  holds  false_findings
bank_conflicts_and_division  lds-bank-conflicts,integer-division  lds-bank-conflicts  yes    yes    55.61  34.52   85.39  yes    
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

# Of whole programs in other styles: 64-bit indices, functions of double precision, comparisons of no line, pointers to either memory, a filter.
$ --width 150 -batch -x faults.lua -- faults work --only divide_size
source         fault             first             named  line  gain %  low %  high %  holds  false_findings
divide_size_t  integer-division  integer-division  yes    yes    45.95  31.86   52.29  yes    
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only branches_by
source            fault       first       named  line  gain %  low %  high %  holds  false_findings
branches_by_kind  divergence  divergence  yes    yes    63.94  40.16   78.54  yes    
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only filter_from
source              fault            first            named  line  gain %  low %  high %  holds  false_findings
filter_from_memory  redundant-loads  redundant-loads  yes    yes    34.67   7.84   51.69  yes    
(1 row)

# Rows that lie a power of two apart meet in a channel.
$ --width 150 -batch -x faults.lua -- faults work --only rows_of_4
source         fault            first            named  line  gain %  low %  high %  holds  false_findings
rows_of_4_kib  channel-camping  channel-camping  yes    yes    51.24  43.04   84.96  yes    divergence
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only tone_map
source    fault             first             named  line  gain %  low %  high %  holds  false_findings
tone_map  double-precision  double-precision  yes    yes     0.74   0.33   28.03  yes    
(1 row)

# Of lanes that each walk a row, wider loads are a part of what loading in order gives; a table that is read in no order is read by every die.
$ --width 150 -batch -x faults.lua -- faults work --only sparse_rows
source       fault             first             named  line  gain %  low %  high %  holds  false_findings
sparse_rows  uncoalesced-load  uncoalesced-load  yes    yes    69.44  16.51   91.23  yes    
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only embedding_bag
source         fault         first         named  line  gain %  low %  high %  holds  false_findings
embedding_bag  unused-lanes  unused-lanes  yes       -    3.85   0.00   21.23  yes    
(1 row)

# Loads of a volatile array, waited for one by one; integers that are no addresses; stores and lanes that hide what small workgroups cost.
$ --width 150 -batch -x faults.lua -- faults work --only volatile_box
source        fault         first         named  line  gain %  low %  high %  holds  false_findings
volatile_box  strict-waits  strict-waits  yes    yes    39.41  30.86   56.95  yes    redundant-loads
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only unrolled_hash
source         fault              first              named  line  gain %  low %  high %  holds  false_findings
unrolled_hash  instruction-cache  instruction-cache  yes    yes   -18.79   0.00    5.00  no     
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only tiny_and_scatter
source            fault                                            first              named  line  gain %  low %  high %  holds  false_findings
tiny_and_scatter  unused-lanes,uncoalesced-store,small-workgroups  uncoalesced-store  yes    yes    69.34  30.06   80.23  yes    
(1 row)

# A tree of barriers; one barrier is an exchange, and a single instruction of the transcendental unit is the fastest that there is.
$ --width 150 -batch -x faults.lua -- faults work --only layernorm
source            fault     first     named  line  gain %  low %  high %  holds  false_findings
layernorm_blocks  barriers  barriers  yes    yes    33.67   0.00   39.65  yes    
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only half_transpose
source          fault                              first              named  line  gain %  low %  high %  holds  false_findings
half_transpose  nothing-of-note,bandwidth-used-up  bandwidth-used-up  yes       -       -   0.00    5.00      -  
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only nbody_ok
source    fault                            first            named  line  gain %  low %  high %  holds  false_findings
nbody_ok  nothing-of-note,compute-used-up  compute-used-up  yes       -       -   0.00   14.98      -  
(1 row)

# Lanes along the wrong axis, whose lines the L2 has; sums that go down a tree in LDS; loads that repeat others, whose addresses and waits go with them.
$ --width 150 -batch -x faults.lua -- faults work --only heat_3d
source              fault                               first             named  line  gain %  low %  high %  holds  false_findings
heat_3d_wrong_axis  uncoalesced-load,uncoalesced-store  uncoalesced-load  yes    yes    75.75  57.89   85.51  yes    
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only rms_norm
source         fault     first     named  line  gain %  low %  high %  holds  false_findings
rms_norm_tree  barriers  barriers  yes    yes    60.24  10.63   72.01  yes    divergence
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only template_match
source          fault            first            named  line  gain %  low %  high %  holds  false_findings
template_match  redundant-loads  redundant-loads  yes    yes    46.05   7.30   50.60  yes    
(1 row)

# A division of 64 bits whose reciprocal stands before the loop; a product in tiles that waits at its barriers.
$ --width 150 -batch -x faults.lua -- faults work --only hash_insert
source             fault             first             named  line  gain %  low %  high %  holds  false_findings
hash_insert_slots  integer-division  integer-division  yes    yes    33.35  23.23   42.70  yes    
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only covariance
source             fault              first              named  line  gain %  low %  high %  holds  false_findings
covariance_halves  matrix-units-idle  matrix-units-idle  yes    yes    72.52  13.75   67.46  no     barriers
(1 row)

# Bytes that lanes load and store one by one; walks along links, whose lines lie where the links lead; half waves whose rows are a quarter of a line.
$ --width 150 -batch -x faults.lua -- faults work --only equalise
source          fault                                            first              named  line  gain %  low %  high %  holds  false_findings
equalise_bytes  narrow-loads,uncoalesced-load,uncoalesced-store  uncoalesced-store  yes    yes    51.92  21.67   57.46  yes    
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only graph_walks
source       fault                        first             named  line  gain %  low %  high %  holds  false_findings
graph_walks  dependency-chain,small-grid  dependency-chain  yes    yes    49.44  38.46   75.11  yes    
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only sobel
source              fault                          first         named  line  gain %  low %  high %  holds  false_findings
sobel_small_blocks  unused-lanes,small-workgroups  unused-lanes  yes       -   36.50   6.95   61.28  yes    xcd-placement
(1 row)

# Ways that some lanes walk, with loops that are mostly scalar; a message a lane, byte by byte; two faults at once.
$ --width 150 -batch -x faults.lua -- faults work --only gillespie
source         fault       first       named  line  gain %  low %  high %  holds  false_findings
gillespie_ssa  divergence  divergence  yes    yes    50.33  33.86   70.79  yes    
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only adler
source          fault                          first         named  line  gain %  low %  high %  holds  false_findings
adler_messages  uncoalesced-load,narrow-loads  narrow-loads  yes    yes    20.41  44.21   68.92  no     
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only octree
source         fault                               first              named  line  gain %  low %  high %  holds  false_findings
octree_counts  integer-division,contended-atomics  contended-atomics  yes    yes    69.78  40.56   94.17  yes    
(1 row)

# A loop that lanes leave one after the other; neighbours that are loaded again.
$ --width 150 -batch -x faults.lua -- faults work --only mandelbrot
source           fault       first       named  line  gain %  low %  high %  holds  false_findings
mandelbrot_like  divergence  divergence  yes    yes    25.60   0.59   36.22  yes    
(1 row)

$ --width 150 -batch -x faults.lua -- faults work --only stencil_from
source               fault            first            named  line  gain %  low %  high %  holds  false_findings
stencil_from_memory  redundant-loads  redundant-loads  yes    yes    21.50  10.83   57.66  yes    
(1 row)
