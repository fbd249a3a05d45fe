# At least three of the example kernels become faster by rules alone: guarded, built, verified, measured, approved, and their programs run again.
# needs clang: /usr/lib/llvm-19/bin/clang
# example hip: hip
# example improve.lua: ../scripts/improve.lua
$ -batch -x improve.lua -- hip work --rounds 1 --kernels transpose_unpadded
kernel              approved  before us  after us  ratio x
transpose_unpadded              246.786   246.786    1.000
(1 row)

$ -batch -x improve.lua -- hip work2 --rounds 1 --kernels row_scale
kernel     approved  before us  after us  ratio x
row_scale  p25         282.082   274.357    1.721
(1 row)

$ -batch -x improve.lua -- hip work3 --rounds 1 --kernels softmax
kernel   approved  before us  after us  ratio x
softmax  p61         245.911   241.239    1.401
(1 row)

! diff hip/transpose_unpadded.hip work/transpose_unpadded.hip; diff hip/row_scale.hip work2/row_scale.hip; diff hip/softmax.hip work3/softmax.hip

! rpl info proposals /c | cut -d, -f3,4,5,6 | sort | uniq -c | sort -rn | head -3
      3 rule,store to out past the caches,rejected,equivalent
      3 rule,compile with -mllvm -amdgpu-schedule-metric-bias=100,rejected,
      3 rule,compile with -mllvm -amdgpu-disable-unclustered-high-rp-reschedule,rejected,
