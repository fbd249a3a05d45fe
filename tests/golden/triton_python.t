# A Python program that launches a kernel of Triton through ctypes.
# modelled
# example triton: triton
# needs python: /usr/bin/python3
$ profile --output out -- python3 triton/launch.py
8 rows are right
ran python3 triton/launch.py on 1 x MI300X, emulated: every time below is modelled
t1: 1 dispatch, 1 kernel, 1 stream, gfx942 x1, 2.790 us (rocpd 3)
  k9a5fd6  softmax                                   1 x    2.790 us  100.0 %
wrote out: profile.json roofline.json dag.json analysis.json, and the database
