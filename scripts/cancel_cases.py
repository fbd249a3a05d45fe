"""What scripts/cancel-latency stops: lines of every command, or why there is none.

GROUPS: lines that come before and are not stopped themselves, and lines, one a case. {examples}, {root}, {endpoint} and {numbers} are put in.
AT_ONCE: a reason, and the commands that it is of.
"""

SOFTMAX = ("kernel run {examples}/hip/objects/softmax.gfx942.co --grid 4194304 --workgroup 256 --arg f32:iota:4194304 --arg f32:zero:4194304 "
           "--arg i32:1024 --arg i32:4096")
CHASE = ("kernel run chase.co --grid 64 --workgroup 64 --arg u64:chain(2,7):200 --arg u64:zero:64 --arg u64:zero:64 "
         "--arg i32:64 --arg i32:20000000 --stop")

GROUPS = [
    ([], """
        advise --trace api.db
        classify --trace api.db
        compare api.db large.db
        counters metrics --trace api.db
        critpath --trace api.db
        critpath --trace kineto.json
        dag edges --trace api.db --limit 0
        dag nodes --trace api.db --limit 0
        dag summary --trace api.db
        explain critpath.critical_path_ns --trace api.db
        export chrome --trace api.db -o chrome.json
        export csv dispatches --trace large.db -o dispatches.csv
        export dot --nodes 0 --host --trace api.db -o dag.dot
        export json edges --trace api.db -o edges.json
        export markdown dispatches --trace large.db -o dispatches.md
        export perfetto --trace api.db -o api.pftrace
        export profile --trace api.db -o profiled
        export sqlite --trace api.db -o api.sqlite
        export svg --trace large.db -o timeline.svg
        findings --trace api.db
        gaps --trace large.db --top 0 --csv
        headroom --trace api.db
        info agents --trace large.db
        info api --trace api.db --csv
        info copies --trace api.db --csv
        info counters --trace api.db --csv
        info dispatch d900000 --trace large.db
        info dispatches --trace large.db --csv
        info kernel --trace large.db
        info kernels --trace large.db
        info markers --trace api.db --csv
        info processes --trace large.db
        info queues --trace large.db
        info streams --trace large.db
        info trace --trace api.db.gz
        info trace --trace kineto.json
        info trace --trace kineto.json.gz
        info warnings --trace api.db
        open large.db
        overlap --trace large.db --top 0 --csv
        plot memory --trace api.db -o memory.svg
        plot occupancy --trace api.db -o occupancy.svg
        plot roofline --trace api.db -o roofline.svg
        occupancy --trace api.db
        ranks --trace ranks
        ranks reduce ranks/rank0_results.db ranks/rank1_results.db
        ranks steps --trace ranks
        report html --trace api.db -o report.html
        report md --trace large.db -o report.md
        roofline --trace api.db
        slack --trace large.db --csv
        sql 'select count(*) from rocpd_event a, rocpd_event b' --trace api.db
        steps --trace api.db
        summary --trace api.db
        summary --trace large.db
        timeline --trace large.db
        trace merge api.db large.db
        trace verify --trace api.db
        whatif --trace large.db
        serve api.db --for 3
        lua local n = 0; while true do n = n + 1 end
        lua print(string.find(string.rep('a', 400000), '.-.-.-.-b'))
        shell sleep 100
        shell trap "" INT TERM; while :; do sleep 1; done
        repeat info kernels --trace api.db --every 0.1
        source forever.lua
        with pager off -- summary --trace large.db
        trust large.lua
    """),
    (["open large.db"], """
        backtrace d900000
        select d900000
        trace window 1ms 100s
    """),
    (["record start typed.rpl", "repeat echo some line --every 0 --count 2000"], """
        record stop
        session export session.json
        session log --limit 0 --csv
        show commands --limit 0
        show values
    """),
    (["background profile --no-rocprof -- sleep 100"], """
        job wait
        job stop
        job show
    """),
    ([], """
        build {examples}/hip/softmax.hip --device-only -o softmax.co
        regress {examples}/hip/softmax.hip --flags-a=-O1 --flags-b=-O3
        guard check {examples}/hip/softmax.hip --kernel softmax --edited {examples}/hip/softmax.hip
        prompt {examples}/hip/softmax.hip {examples}/hip/objects/softmax.gfx942.co
        doctor
        object contents {examples}/hip/objects/attention.gfx942.co
        object diff {examples}/hip/objects/attention.gfx90a.co {examples}/hip/objects/attention.gfx942.co
        object kernel {examples}/hip/objects/attention.gfx942.co
        object meta {examples}/hip/objects/attention.gfx942.co
        disassemble {examples}/hip/objects/attention.gfx942.co
        kernel run {examples}/hip/objects/softmax.gfx942.co --grid 4194304 --workgroup 256 --arg f32:random(1):200000000 --arg f32:zero:4194304 --arg i32:1024 --arg i32:4096
    """),
    ([], "\n" + SOFTMAX + "\n" + SOFTMAX + " --counted\n" + SOFTMAX + " --modelled\n" + SOFTMAX + " --capture taken\n" + SOFTMAX + " --att waves\n"),
    ([], """
        capture diff big big2
        capture info big
        capture list
        capture open big
        capture pack big -o big.tar.zst
        capture regions big
        capture rm big2
        capture unpack packed.tar.zst -o unpacked
        capture verify big
        kernel caches softmax
        kernel counters softmax
        kernel counts softmax
        replay softmax --iterations 1000
        replay big --iterations 1000
        replay reserve-check big --target emu
        bench aa --capture softmax
        bench ab softmax.built.co softmax.built.co --capture softmax
        bench import {root}/tests/engine/optimize/measure/noise/noise.jsonl.gz --kernel stream --gain 0.02
        bench rates --recorded {root}/tests/engine/optimize/measure/noise/noise.jsonl.gz --sessions 100000
    """),
    ([], """
        att counters waves.att
        att diff waves.att waves2.att
        att hidden waves.att
        att insts waves.att
        att lines waves.att
        att list --att waves.att
        att model waves.att
        att open waves.att
        att summary waves.att
        att waits waves.att
        plot cycles waves.att -o cycles.svg
        plot stalls waves.att -o stalls.svg
        plot states waves.att -o states.svg
    """),
    ([], """
        profile -- ./softmax_main
        capture run softmax -o taken -- ./softmax_main
        optimize {examples}/hip/host/softmax_main.hip ./softmax_main
        autotune --space {examples}/tuning/tiles.json --source {examples}/tuning/tiled_matmul_main.hip --target emu
        tune evaluate {examples}/tuning/folder --point 2
        tune simulate {examples}/tuning/tiled_matmul.cache.json --seeds 1000
        tune import {examples}/tuning/tiled_matmul.cache.json
        tune best {examples}/tuning/tiled_matmul.cache.json
        tune export {examples}/tuning/tiled_matmul.cache.json -o tuned.json
        plot tuning {examples}/tuning/tiled_matmul.cache.json -o tuning.svg
        space count {examples}/tuning/tiles.json
        space load {examples}/tuning/tiles.json
        space define A={numbers} B={numbers} --where 'A <= B' -o space.json
    """),
    (["tune import {examples}/tuning/tiled_matmul.cache.json"], """
        tune resume
        tune status
    """),
    ([], """
        iterate --source softmax.hip --capture softmax --all
        step --source softmax.hip --capture softmax
        next --source softmax.hip --capture softmax
    """),
    (["iterate --source softmax.hip --capture softmax --to select"], """
        propose rule
        propose edit faster.hip
        propose import faster.diff
        contract check
        continue
        lineage
        info proposals
        info measurements
    """),
    (["iterate --source softmax.hip --capture softmax --to propose --all"], """
        verify p1
        bench p1
        finish p1
        info proposal p1
        reject p1 --why slower
        session undo
    """),
    (["iterate --source softmax.hip --capture softmax --all"], "export evidence p1 -o evidence.json\n"),
    (["set llm endpoint {endpoint}", "set llm model m", "set llm consent on"], """
        llm-optimize softmax.hip --capture softmax
    """),
    (["set llm endpoint {endpoint}", "set llm model m", "set llm consent on", "iterate --source softmax.hip --capture softmax --to select"], """
        propose llm
    """),
    ([CHASE], """
        stepi 100000000
        nexti 100000000
        step 100000000
        next 100000000
        finish
        continue
        until
        advance 21
        run
        start
        jump 20
        call steps
        kill
    """),
    ([CHASE, "watch steps"], "continue\n"),
    ([CHASE, "stepi 200000"], """
        reverse-continue
        reverse-finish
        reverse-next 100000
        reverse-step 100000
        reverse-stepi 100000
    """),
    ([CHASE], """
        faas info locals
        taas info locals
        thread apply all info locals
        frame apply all info locals
    """),
]

AT_ONCE = {
    "shows or changes what this shell holds, and starts nothing": """
        alias; apropos; clear; close; commands; complete; condition; define; demangle; delete; disable; disable display; display; document; echo; enable; enable count;
        enable delete; enable display; enable once; help; ignore; info breakpoints; info capabilities; info display; info jobs; info live; info profile;
        info watchpoints; layout; object list; pwd; quit; rbreak; save breakpoints; session info; set; show; show convenience; show user; show version; target;
        trace list; trace select; undisplay; break; tbreak; watch; awatch; rwatch; trust session; tutorial""",
    "begins something that goes on by itself": "background; record start",
    "looks at one stopped launch, a frame, a wave, a register or an expression of it": """
        down; frame; frame function; info address; info all-registers; info args; info files; info frame; info functions; info lanes; info line; info locals;
        info registers; info scope; info sharedlibrary; info source; info sources; info symbol; info target; info waves; info workgroups; lane; list; output; print;
        printf; ptype; reverse-search; search; thread; up; wave; whatis; workgroup; x""",
    "reads tables that come with rpl": "counters list; counters plan; info arch",
    "changes some lines of a contract, or asks a person": "contract drop; contract edit; contract set; contract show",
    "writes or restores one source, once a person said yes": "approve; revert",
    "reads one file of bounded size": "audit",
    "sends one request to a program on this machine, which answers within a second or is given up": "capture live",
    "is of the full screen, which tests/pty/full_screen_test.cc drives": "tui disable; tui enable; tui reg",
    "writes generated pages, for who changes rpl": """
        maint capabilities; maint docs; maint gallery; maint instructions; maint memory; maint model-table; maint promises; maint reference; maint schemas;
        maint sql-views""",
}
