# At least three of the example kernels become faster by rules alone: guarded, built, verified, measured, approved, and their programs run again.
# needs clang: /usr/lib/llvm-19/bin/clang
# example hip: hip
# example improve.lua: ../scripts/improve.lua
$ -batch -x improve.lua -- hip work --rounds 1 --kernels transpose_unpadded

$ -batch -x improve.lua -- hip work2 --rounds 1 --kernels row_scale

$ -batch -x improve.lua -- hip work3 --rounds 1 --kernels softmax

! diff hip/transpose_unpadded.hip work/transpose_unpadded.hip; diff hip/row_scale.hip work2/row_scale.hip; diff hip/softmax.hip work3/softmax.hip

! rpl info proposals /c | cut -d, -f3,4,5,6 | sort | uniq -c | sort -rn | head -3
