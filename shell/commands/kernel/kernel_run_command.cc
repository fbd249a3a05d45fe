// SPDX-License-Identifier: MIT
// kernel run as a command: what it takes, what it returns, its help.
#include "shell/commands/kernel/kernel_run_command.h"

#include "engine/isa/traits/architecture.h"
#include "shell/commands/capture/kernel_report.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/launch_choice.h"

namespace rpl {
namespace {

std::vector<Bound> run_parameters() {
  return {arg("object", &KernelRunArgs::object, "code object: a file or o1")
              .required()
              .completes(Complete::file),
          arg("kernel", &KernelRunArgs::kernel,
              "its kernel: a name or unique part of one; needed when there are several"),
          option("grid", &KernelRunArgs::grid, "work-items in each direction").named("X[,Y,Z]"),
          option("programs", &KernelRunArgs::programs,
                 "workgroups in each direction, which Triton calls programs; instead of --grid")
              .named("X[,Y,Z]"),
          option("workgroup", &KernelRunArgs::workgroup,
                 "work-items of a workgroup; default: what Triton's metadata beside OBJECT says")
              .named("X[,Y,Z]"),
          option("arg", &KernelRunArgs::arg, "one parameter: TYPE:VALUE, TYPE:INIT:COUNT, or null")
              .completes(Complete::argument)
              .named("SPEC"),
          option("dynamic-lds", &KernelRunArgs::dynamic_lds,
                 "bytes of dynamic LDS; default: what Triton's metadata says, else 0")
              .in(kDynamicLds)
              .named("BYTES"),
          option("dump", &KernelRunArgs::dump, "write a buffer's bytes after the run")
              .needs({Capability::write})
              .writes_file()
              .named("ARGUMENT=FILE"),
          option("expect", &KernelRunArgs::expect, "compare a buffer with the bytes of a file")
              .named("ARGUMENT=FILE"),
          option("tolerance", &KernelRunArgs::tolerance,
                 "relative difference that --expect allows for floats")
              .named("SHARE"),
          option("capture", &KernelRunArgs::capture, "freeze the dispatch in a new folder")
              .needs({Capability::write})
              .named("DIR")
              .completes(Complete::file),
          option("att", &KernelRunArgs::att,
                 "write the modelled thread trace of one compute unit into a folder")
              .needs({Capability::write})
              .named("DIR")
              .completes(Complete::file),
          option("budget", &KernelRunArgs::budget,
                 "wave-instructions after which to give up; 0: no limit")
              .in(at_least(0))
              .named("N"),
          option("max-waves", &KernelRunArgs::max_waves,
                 "run a sample of the workgroups, of so many waves; 0: all")
              .in(at_least(0))
              .named("N"),
          option("threads", &KernelRunArgs::threads,
                 "threads that run workgroups; 0: one for each core")
              .in(within(0, 256))
              .named("N"),
          flag("races", &KernelRunArgs::races, "look for races within workgroups"),
          flag("debug", &KernelRunArgs::debug,
               "under the debugger, also without breakpoints: Ctrl-C and faults leave it stopped"),
          flag("stop", &KernelRunArgs::stop,
               "under the debugger, stopped before the first instruction"),
          flag("functional", &KernelRunArgs::functional, "results only: the fastest"),
          flag("counted", &KernelRunArgs::counted, "results and counts, no cycle model"),
          flag("modelled", &KernelRunArgs::modelled,
               "results, counts and modelled cycles (the default)")};
}

std::string run_help() {
  return "Executes the machine code of OBJECT, a " + isa::architecture_names() +
         " ELF file or offload bundle, on fresh "
         "memory. "
         "Give one `--arg` for each parameter, in order: `TYPE:VALUE` for a scalar (i32:1024), "
         "`TYPE:INIT:COUNT` for a buffer (f32:random(7):4096), `TYPE:@FILE` for the bytes of a "
         "file, in "
         "a "
         "buffer or as a struct by value. TYPE is i8 to u64, f16, bf16, f32 or f64; INIT is zero, "
         "one, "
         "iota, random, random(SEED), nan, or, in u64, pointers: chain(STRIDE,SEED) is a linked "
         "list of "
         "nodes of "
         "STRIDE elements, in one ring in random order, whose first element is the address of the "
         "next "
         "node and "
         "whose others are their own index; addresses(2,3) repeats the addresses of arguments 2 "
         "and 3; null is a pointer to nothing. Beside an OBJECT.hsaco of Triton lies OBJECT.json, "
         "which says the size "
         "of a workgroup and its LDS; the pointers to scratch memory that Triton adds as last "
         "parameters need no `--arg`. "
         "`--dump` "
         "and `--expect` number arguments from 1. Integers "
         "must "
         "be as expected exactly; floats within a relative 1e-12 (f64), 1e-5 (f32), 1e-3 (f16) or "
         "1e-2 "
         "(bf16), "
         "or `--tolerance`, plus a tenth of it of the root mean square; what differs ends with "
         "exit "
         "status 5. "
         "Cycles and times come from the named cycle model, never from a clock. An access outside "
         "the "
         "buffers, "
         "a trap, an instruction without semantics and a loop that only repeats itself end the run "
         "with "
         "the "
         "place, the wave and the address. `--functional` and `--counted` share the workgroups out "
         "to "
         "all "
         "cores; `--threads 1` runs them in a fixed order, as `--capture` and the cycle model do. "
         "`--races` "
         "looks for accesses of different waves of a workgroup to the same bytes without a barrier "
         "between, "
         "and `--max-waves` runs an even sample of the workgroups; both count. Where `break` has "
         "set "
         "breakpoints, or with `--debug` or "
         "`--stop`, the kernel runs under the debugger (docs/debugging.md): on one thread, without "
         "counts and cycles.";
}

}  // namespace

std::vector<Column> kernel_run_fields() {
  std::vector<Column> fields = described(kRunFields);
  const auto add = [&](std::vector<Column> more) {
    fields.insert(fields.end(), more.begin(), more.end());
  };
  add(executed_fields());
  add(described({kCheckFields, kKeptCapture, kKeptTrace}));
  fields.push_back(kStoppedWorkgroup.about);
  add_stop_fields(fields);
  return fields;
}

void add_kernel_run_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "kernel run",
                  .does = kKeeps,
                  .chapter = Class::capture,
                  .summary = "Run one kernel of a code object on the emulated device.",
                  .help = run_help(),
                  .fields = kernel_run_fields(),
                  .columns = described(kRunColumns),
                  .scalar = "time_ns",
                  .examples =
                      {"kernel run OBJECT vector_add --grid 512 --workgroup 256 --arg "
                       "f32:iota:500 --arg f32:one:500 --arg f32:nan:500 --arg i32:500",
                       "kernel run OBJECT vector_add --grid 512 --workgroup 256 --arg "
                       "f32:random:500 --arg f32:random:500 --arg f32:zero:500 --arg i32:500 "
                       "--counted --dump 3=sum.bin",
                       "kernel run OBJECT vector_add --grid 512 --workgroup 256 --arg f32:one:500 "
                       "--arg f32:one:500 --arg f32:zero:500 --arg i32:500 --races"}},
          run_parameters(), run_kernel_command));
}

}  // namespace rpl
