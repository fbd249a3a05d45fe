# Measuring on a GPU: here the double of the HSA runtime, where a dispatch takes as long as it is told to.
# needs RPL_HSA_RUNTIME: hsa-double/libhsa-runtime64.so.1
# example softmax: captures/softmax
# example softmax.co: hip/objects/softmax.gfx942.co
! RPL_HSA_DOUBLE_CLOCK_STEP=5000 rpl bench ab softmax.co softmax.co --capture softmax --target local --blocks 2 --dispatches 2
id           b1
capture      c1
kernel       softmax
target       local
time_source  measured
candidate    softmax.co
verdict      equivalent
ratio        1.000 x
ci_low       1.000 x
ci_high      1.000 x
floor        1.00 %
samples      20
design       5 processes × 2 blocks × 2 dispatches
looks        1
confidence   97.46 %

candidate   measurement  verdict     ratio x  ci_low x  ci_high x  floor %  samples  design                                 looks  confidence %
softmax.co  first        equivalent    1.000     1.000      1.000     1.00       20  5 processes × 2 blocks × 2 dispatches      1         97.46
(1 row, measured)
err: note: this session has no A/A calibration of the kernel on this target: 'bench aa' makes one
? 4

! RPL_HSA_DOUBLE_CLOCK_STEP=5000 rpl bench aa --capture softmax --target local --blocks 2 --dispatches 2
id           b2
capture      c1
kernel       softmax
target       local
time_source  measured
noise_floor  0.00 %
verdict      equivalent
ratio        1.000 x
ci_low       1.000 x
ci_high      1.000 x
floor        1.00 %
samples      36
design       9 processes × 2 blocks × 2 dispatches
looks        1
confidence   95.00 %
(measured)

# The calibration is kept, and found.
! RPL_HSA_DOUBLE_CLOCK_STEP=5000 rpl bench ab softmax.co softmax.co --capture softmax --target local --blocks 2 --dispatches 2 2>&1 | grep -e verdict -e note
verdict      equivalent
candidate   measurement  verdict     ratio x  ci_low x  ci_high x  floor %  samples  design                                 looks  confidence %
