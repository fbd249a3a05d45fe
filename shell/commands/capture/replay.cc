// SPDX-License-Identifier: MIT
// replay: a captured dispatch again.
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "engine/replay/emulated.h"
#include "shell/commands/capture/replay_report.h"
#include "shell/commands/debug/debugging.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/launch_choice.h"
#include "shell/core/inputs/open_loop.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/inputs/targets.h"
#include "shell/core/session/debug_state.h"
#include "shell/core/session/jobs.h"

namespace rpl {
namespace {

/// Which capture, for both commands.
struct CaptureChoice {
  std::string capture, capture_dir;
};

struct ReplayArgs : CaptureChoice, LaunchChoice {
  std::string hsaco, kernel, target, proposal;
  std::int64_t iterations = 1, warmup = 0, budget = 0, timeout = 0;
  bool recopy = true, cold = false, stop = false;
};

Result<CaptureEntry> capture_of(const CaptureChoice& args, const Inputs& inputs) {
  return capture_named(inputs, args.capture.empty() ? args.capture_dir : args.capture);
}

/// What runs instead of the captured code, and how it is launched.
struct Variant {
  ObjectEntry object;  ///< null: the captured one
  std::string kernel;
  LaunchPlan launch;
  FusionPlan fusion = {};
};

/// The code and the launch of a proposal; where no capture is named, its own is meant.
Result<Variant> variant_of_proposal(ReplayArgs& args, const Inputs& inputs, SessionLog& log) {
  if (!args.hsaco.empty() || !args.kernel.empty() || !TRY(launch_plan_of(args)).empty())
    return fail(Errc::usage, "--proposal brings its own code and launch",
                "leave --hsaco, --kernel, --workgroup, --items and --lds out");
  const auto store = TRY(loop_store(log));
  const Proposal proposal = TRY(store->proposal(args.proposal));
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(proposal.candidate_object(), ignored))
    return fail(Errc::not_found, fmt::format("{} has not been built", proposal.id()),
                fmt::format("'finish {}' takes it to its decision", proposal.id()));
  if (args.capture.empty() && args.capture_dir.empty())
    args.capture = shown_path(TRY(store->optimization(proposal.optimization)).capture);
  Variant out;
  out.object = TRY(object_named(inputs, shown_path(proposal.candidate_object())));
  out.launch = proposal.launch;
  out.fusion = proposal.fusion;
  return out;
}

Result<Variant> variant_of(ReplayArgs& args, const Inputs& inputs, SessionLog& log) {
  if (!args.proposal.empty()) return variant_of_proposal(args, inputs, log);
  Variant out;
  out.kernel = args.kernel;
  out.launch = TRY(launch_plan_of(args));
  if (!args.hsaco.empty()) out.object = TRY(object_named(inputs, args.hsaco));
  return out;
}

/// Where breakpoints are set, a replay on the emulated device runs so that they stop it.
bool breaks(const DebugState& state) {
  return state.debugging && state.debugging->points.any_enabled();
}

/// Whether it runs under the debugger, which moves what the machine alone would run on its GPU.
struct ReplayPlace {
  TargetKind target = TargetKind::emu;
  bool debugged = false;
};
Result<ReplayPlace> place_of(const ReplayArgs& args, const Settings& settings,
                             const DebugState& state) {
  const Ability need = args.stop ? Ability::debugger : Ability::replay;
  const TargetChoice choice = TRY(target_for(settings, need, args.target));
  if (args.cold) TRY(require(choice.kind, Ability::cold_caches));
  const bool debugged =
      args.stop || (breaks(state) && (choice.kind == TargetKind::emu || !choice.asked));
  return ReplayPlace{.target = debugged ? TargetKind::emu : choice.kind, .debugged = debugged};
}

/// Memory of a launch that ran to its end, against the post image.
Status say_post_image(const Capture& capture, const debug::Session& session, Document& out) {
  const auto image = TRY(
      image_of(session.memory(), capture, *session.launch().object, session.prepared().load_base));
  const ImageComparison comparison = TRY(compare_with_post_image(capture, image));
  out.text += fmt::format("post image {}\n", to_string(comparison.match));
  for (const ImageDifference& difference : comparison.differences) {
    out.text += fmt::format("  {}: {} bytes differ, the first at offset {}\n",
                            capture.regions[difference.region].name, difference.differing_bytes,
                            difference.first_offset);
  }
  return {};
}

Result<Document> debug_replay(const ReplayArgs& args, const Debugger& debugger,
                              const Monitor& monitor, const CaptureEntry& entry,
                              const Variant& code, ReplayedKernel of) {
  if (args.iterations != 1 || args.warmup != 0 || !args.recopy)
    return fail(Errc::usage, "--iterations, --warmup and --no-recopy do not go with the debugger",
                "'disable' the breakpoints, or leave them out");
  const ObjectEntry& variant = code.object;
  emu::KernelRun run =
      TRY(launch_of(entry->value, variant ? variant->value : nullptr, code.kernel, code.launch));
  run.options.monitor = monitor;
  const auto at_end = [capture = entry->value](const debug::Session& session, Document& out) {
    if (const Status said = say_post_image(*capture, session, out); !said)
      out.notes.push_back("the post image was not compared: " + said.error().message);
  };
  Document out = TRY(start_debugging(debugger, std::move(run), variant ? variant->id : entry->id,
                                     variant ? variant->path : entry->path, args.stop, at_end));
  of.kernel.name = debugging(debugger).session->program().kernel;
  // What stops tell has the kernel's name alone.
  std::erase_if(out.record, [](const auto& field) { return field.first == "kernel"; });
  out.put(kReplayedKernelFields, of);
  return out;
}

Result<Document> run_replay(const ReplayArgs& asked, Inputs inputs, Debugger debugger, Jobs& jobs,
                            SessionLog& log) {
  ReplayArgs args = asked;
  ReplayPlace place = TRY(place_of(args, inputs.settings, debugger.state));
  const Variant code = TRY(variant_of(args, inputs, log));
  const ObjectEntry& variant = code.object;
  const CaptureEntry entry = TRY(capture_of(args, inputs));
  if (!place.debugged && !entry->value->then.empty())
    place.target = TRY(target_for(inputs.settings, Ability::several_dispatches, args.target)).kind;
  ReplayedKernel of{entry->id, {{}, variant ? variant->path : entry->path + "/kernel.hsaco"}};
  if (place.debugged)
    return debug_replay(args, debugger, inputs.monitor, entry, code, std::move(of));
  const ReplayPlan plan{.capture = entry->value.get(),
                        .folder = entry->path,
                        .object = variant ? variant->value : nullptr,
                        .kernel = code.kernel,
                        .launch = code.launch,
                        .fusion = code.fusion,
                        .iterations = args.iterations,
                        .warmup = args.warmup,
                        .recopy = args.recopy,
                        .cold = args.cold,
                        .host_regions = host_regions_of(*entry->value),
                        .timeout = std::chrono::seconds(args.timeout),
                        .execute = {.mode = emu::Mode::modelled,
                                    .max_instructions = static_cast<std::uint64_t>(args.budget)}};
  const auto target = TRY(open_target(inputs, jobs, place.target));
  Document out = replay_document(std::move(of), plan, TRY(target->replay(plan)), place.target);
  if (!variant && out.exit_code == 0)
    out.next = {entry->value->then.empty()
                    ? fmt::format("findings {}", entry->id)
                    : fmt::format("step --source FILE --capture {}", entry->path)};
  return out;
}

/// A range of pages that a capture needs.
struct Place {
  const PageRange* range = nullptr;
  const PlaceConflict* conflict = nullptr;  ///< null: it is free
  std::string in_the_way = {}, regions = {};

  [[nodiscard]] std::string_view status() const {
    if (conflict == nullptr) return "exact";
    return conflict->got == 0 ? "taken" : "relocated";
  }
  [[nodiscard]] std::optional<std::string> got() const {
    if (conflict == nullptr || conflict->got == 0) return std::nullopt;
    return hex(conflict->got);
  }
};

constexpr auto kPlaceColumns = bound_to<Place>(
    column<&Place::range, &PageRange::base>("base", "first address of a range of whole pages")
        .as(Type::address),
    column<&Place::range, &PageRange::bytes>("size_bytes", "its size"),
    column<&Place::status>("status", "exact, taken or relocated"),
    column<&Place::got>("got", "where the runtime put it instead").as(Type::address).if_room(),
    column<&Place::in_the_way>("in_the_way", "what lies there").or_null(),
    column<&Place::regions>("regions", "memory of the capture that it holds"));

struct Reserved {
  std::string capture;
  std::string_view status = "failed";
  std::optional<int> attempts = {};
};
constexpr auto kReservedFields =
    bound_to<Reserved>(column<&Reserved::capture>("capture", "the capture, now open").as(Type::id),
                       column<&Reserved::status>("status", "exact, relocation or failed"),
                       column<&Reserved::attempts>("attempts", "processes that were started")
                           .in(Unit::none)
                           .if_known());

Place place_of(const Capture& capture, const ReserveReport& report, const PageRange& range) {
  Place out{.range = &range};
  const auto conflict = std::ranges::find(report.conflicts, range.base, &PlaceConflict::base);
  if (conflict != report.conflicts.end()) {
    out.conflict = &*conflict;
    out.in_the_way = fmt::format("{}", fmt::join(conflict->in_the_way, ", "));
  }
  for (const std::size_t region : range.regions)
    out.regions += (out.regions.empty() ? "" : ", ") + capture.regions[region].name;
  return out;
}

struct ReserveArgs : CaptureChoice {
  std::string target;
};

/// The exit statuses are those of the older tool.
Result<Document> run_reserve_check(const ReserveArgs& args, Inputs inputs, Jobs& jobs) {
  constexpr int kFailure = 1, kRelocation = 2;
  const TargetChoice choice = TRY(target_for(inputs.settings, Ability::reserve_check, args.target));
  const TargetKind target = choice.kind;
  const CaptureEntry entry = TRY(capture_of(args, inputs));
  const Capture& capture = *entry->value;
  const ReplayPlan plan{
      .capture = &capture, .folder = entry->path, .host_regions = host_regions_of(capture)};
  Reserved found{.capture = entry->id};
  Document out;
  const auto report = [&]() -> Result<ReserveReport> {
    return TRY(open_target(inputs, jobs, target))->reserve_check(plan);
  }();
  if (!report) {
    out.put(kReservedFields, found);
    out.notes.push_back(report.error().message +
                        (report.error().hint.empty() ? "" : "; " + report.error().hint));
    out.exit_code = kFailure;
    return out;
  }
  found.status = report->conflicts.empty() ? "exact" : "relocation";
  found.attempts = report->attempts;
  out.put(kReservedFields, found);
  if (!report->conflicts.empty()) out.exit_code = kRelocation;
  std::vector<Place> places;
  for (const PageRange& range : report->ranges) places.push_back(place_of(capture, *report, range));
  out.table(kPlaceColumns, places);
  if (target == TargetKind::local) out.provenance = traits_of(target).times;
  out.next = {fmt::format("replay --target {}",
                          to_string(report->conflicts.empty() ? target : TargetKind::emu))};
  return out;
}

std::vector<Bound> capture_params() {
  std::vector<Bound> params;
  params.push_back(
      arg("capture", &CaptureChoice::capture, "capture: a folder or c1; the current one without")
          .completes(Complete::capture));
  params.push_back(option("capture-dir", &CaptureChoice::capture_dir, "the same as an option")
                       .named("DIR")
                       .completes(Complete::file));
  return params;
}

void add_reserve_check(Registry& registry) {
  std::vector<Bound> own{target_option(&ReserveArgs::target)};
  add(registry,
      command<ReserveArgs>(
          Command{.path = "replay reserve-check",
                  .does = kReads,
                  .chapter = Class::capture,
                  .summary = "Check whether a GPU can put memory where a capture had it.",
                  .help =
                      "A process of its own starts the HSA runtime, takes every address range that "
                      "a `replay --target local` needs, and gives "
                      "them back; nothing is loaded and nothing runs. Ranges that are `taken` hold "
                      "something of that process already, "
                      "`relocated` ones the runtime would put elsewhere; `in_the_way` is what lies "
                      "there. It is tried again without address "
                      "randomization before it gives up. Exit status 0: all can be had; 2: some "
                      "cannot; 1: it failed.",
                  .fields = described(kReservedFields),
                  .columns = described(kPlaceColumns),
                  .scalar = "status",
                  .examples = {"replay reserve-check CAPTURE --target emu"}},
          joined(inherited<ReserveArgs, CaptureChoice>(capture_params()), std::move(own)),
          run_reserve_check));
}

}  // namespace

void add_replay_commands(Registry& registry) {
  std::vector<Bound> own{
      option("iterations", &ReplayArgs::iterations, "how often to run").in(at_least(1)).named("N"),
      option("warmup", &ReplayArgs::warmup, "runs before them that are not kept")
          .in(at_least(0))
          .named("N"),
      flag("recopy", &ReplayArgs::recopy, "restore memory before each iteration (the default)"),
      flag("cold", &ReplayArgs::cold, "empty the GPU's caches before each iteration"),
      option("hsaco", &ReplayArgs::hsaco, "run this code object instead of the captured one")
          .named("FILE")
          .completes(Complete::file),
      option("kernel", &ReplayArgs::kernel, "its kernel, when not of the captured name")
          .named("NAME"),
      option("proposal", &ReplayArgs::proposal,
             "the code of this proposal, launched as it is; the capture is its own")
          .completes(Complete::proposal)
          .named("PROPOSAL"),
      target_option(&ReplayArgs::target),
      flag("stop", &ReplayArgs::stop, "under the debugger, stopped before the first instruction"),
      option("timeout", &ReplayArgs::timeout, "seconds for each run on a GPU; 0: a minute")
          .in(at_least(0))
          .named("S"),
      option("budget", &ReplayArgs::budget,
             "wave-instructions after which to give up on the emulated device; 0: no limit")
          .in(at_least(0))
          .named("N")};
  add(registry,
      command<ReplayArgs>(
          Command{.path = "replay",
                  .does = kKeeps,
                  .may = {Capability::run},
                  .chapter = Class::capture,
                  .summary = "Run a captured dispatch again and check what it leaves.",
                  .help =
                      "Every region of memory is put back at its captured address, the kernel "
                      "runs with the captured arguments (of a capture of several dispatches "
                      "each, in order), and memory afterwards is "
                      "compared byte by byte with the post image of the capture: `differs` "
                      "ends with exit status 5. `--hsaco` runs another build of the "
                      "kernel on the same memory; it must take the same parameters, and may "
                      "leave other bytes. `--proposal` runs the code of a proposal with its "
                      "launch; `--workgroup`, `--items` and `--lds` launch it otherwise than it "
                      "was "
                      "captured. With `--no-recopy` each iteration starts "
                      "from what the one before it left. On the emulated device times are "
                      "modelled and equal runs are equal. `--target local` runs on "
                      "a GPU of this machine, in a process of its own: every address that the "
                      "capture needs is taken before anything is loaded, or the "
                      "conflicts are listed; times are the GPU's, warm unless `--cold`. "
                      "Differences there that numbers of the argument's type explain are "
                      "`close`. Where breakpoints are set, or with `--stop`, it runs under the "
                      "debugger on the emulated device, and memory is compared when it "
                      "ends.",
                  .fields = replay_fields(),
                  .columns = replay_columns(),
                  .scalar = "median_ns",
                  .aliases = {"replay full-vm"},
                  .examples = {"replay CAPTURE", "replay CAPTURE --iterations 3 --no-recopy"},
                  .repeatable = true},
          with_launch_options<ReplayArgs>(
              joined(inherited<ReplayArgs, CaptureChoice>(capture_params()), std::move(own)), ""),
          run_replay));
  add_reserve_check(registry);
}

}  // namespace rpl
