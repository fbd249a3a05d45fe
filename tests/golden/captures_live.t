# Programs that run with the capture tool, where none does, and programs that no GPU is there for.
$ info live
pid  dispatches  wanted  matches  held  capture
(0 rows)
err: note: no program runs with the capture tool; start one in the background: capture run - --target local -- ./app &

$ capture live
kernel  count
(0 rows)
err: note: no program runs with the capture tool; start one in the background: capture run - --target local -- ./app &

$ capture live arm scale
err: error: no program runs with the capture tool; start one in the background: capture run - --target local -- ./app &
? 1

$ capture live hold
err: error: hold needs a kernel; capture live hold /./ takes any
? 2

$ capture live go scale
err: error: go takes no kernel; capture live go
? 2

$ capture run scale --target local --gpu MI300X -- /bin/true
err: error: --gpu and --devices choose emulated devices; a program on hardware takes what is there; leave them out, or --target emu; HIP_VISIBLE_DEVICES=0 chooses GPUs
? 2

$ capture run scale --grid 0 -- /bin/true
err: error: --grid 0 is not one to three numbers of work-items; --grid 1024,1,1
? 2

$ capture run - -- /bin/true
err: error: a kernel must be named on the emulated devices; capture run KERNEL -- ./app
? 2
