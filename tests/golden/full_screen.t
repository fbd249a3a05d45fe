# The full-screen mode is for a person at a terminal (tests/pty/full_screen_test.cc); elsewhere its commands say so. The timeline that it draws is that of timeline --indexed.
# fixture small.db: --dispatches 50 --queues 2 --seed 1
$ layout kernels
err: note: nobody sits at a terminal here, which the full-screen mode is for

$ tui enable
err: note: nobody sits at a terminal here, which the full-screen mode is for

$ tui reg
err: note: nobody sits at a terminal here, which the full-screen mode is for

$ tui disable
err: note: nobody sits at a terminal here, which the full-screen mode is for

$ layout cake
err: error: view takes one of src, asm, split, regs, kernels, timeline, loop, next, prev, not 'cake'; usage: layout VIEW
? 2

$ timeline small.db --rows 2 --width 70 --indexed
0 ns to 486.1 us, one cell is 9.919 us
s3         |######-.#=-#=    -#.-#   ######- -####.     -.=  |  53.0 %
            ^^^^^^^^^^^^^    ^^^^^   ^^^^^^^ ^^^^^^     ^^^
s1         |      -= .- .####- =- ###      -#-    =#####.-.##|  42.9 %
                  ^^ ^^ ^^^^^^ ^^ ^^^      ^^^    ^^^^^^^^^^^
path       |kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk|
            +-------------------+-------------------+--------
            0 us                200 us              400 us
not shown: 2 less busy, --rows N
path: k kernel, c copy, l launch, h host, . idle

$ timeline small.db --rows 2 --width 70 --from 100us --to 110us --indexed
100.0 us to 110.0 us, one cell is 204 ns
s2         |##############################                   |  61.2 %
s3         |                        #########################|  50.9 %
                                    ^^^^^^^^^^^^^^^^^^^^^^^^^
path       |kkkkkkkkkkkkkkkkkkkkk...kkkkkkkkkkkkkkkkkkkkkkkkk|
            +-----------------------+------------------------
            100 us                  105 us
not shown: 2 less busy, --rows N
path: k kernel, c copy, l launch, h host, . idle
