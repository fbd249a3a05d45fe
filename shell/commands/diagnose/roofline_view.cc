// SPDX-License-Identifier: MIT
#include "shell/commands/diagnose/roofline_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "engine/device/execute/launch/hardware_counters.h"
#include "engine/isa/traits/architecture.h"
#include "engine/metrics/roofline/points.h"
#include "engine/trace/import/open.h"
#include "shell/core/inputs/counter_files.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

/// The roofline.csv beside the recording; "" for none.
std::string measured_beside(const Loaded& loaded) {
  for (const std::string& path : loaded.open->paths()) {
    std::error_code ignored;
    const fs::path folder =
        fs::is_directory(path, ignored) ? fs::path(path) : fs::path(path).parent_path();
    const fs::path found = folder / "roofline.csv";
    if (fs::is_regular_file(found, ignored)) return found.string();
  }
  return {};
}

/// The recording that --times names, opened without becoming current.
Result<std::shared_ptr<const Trace>> times_trace(const Workspace& workspace, const Monitor& monitor,
                                                 const std::string& name) {
  for (const auto& open : workspace.traces()) {
    const bool same = open->id() == name || std::ranges::count(open->paths(), name) > 0;
    if (same) return open->get(monitor);
  }
  return open_trace(std::vector{name}, {}, monitor);
}

/// Durations from a run without counters, if one is at hand; says what it took.
Status take_times(const Inputs& inputs, RooflineView& view, std::vector<KernelMeasurement>& kernels,
                  const std::string& named) {
  if (!named.empty()) {
    const auto plain = TRY(times_trace(inputs.workspace, inputs.monitor, named));
    const std::size_t found = use_times_of(*plain, *view.loaded.trace, kernels);
    if (found == 0) {
      return fail(Errc::not_found,
                  fmt::format("{} has none of the kernels that were counted", named),
                  "record the same program: rocprofv3 --kernel-trace -- APP");
    }
    view.notes.push_back(
        fmt::format("times of {} of {} kernels are from {}", found, kernels.size(), named));
    return {};
  }
  const auto counted_time = [](const KernelMeasurement& kernel) {
    return kernel.time.source == TimeSource::instrumented;
  };
  for (const auto& open : inputs.workspace.traces()) {
    if (open.get() == view.loaded.open || std::ranges::none_of(kernels, counted_time)) continue;
    const auto other = open->get(inputs.monitor);
    if (!other || (*other)->presence().counters) continue;
    if (use_times_of(**other, *view.loaded.trace, kernels) > 0) {
      view.notes.push_back(fmt::format("times are from {} ({}), a run without counters", open->id(),
                                       fmt::join(open->paths(), ", ")));
      return {};
    }
  }
  if (std::ranges::any_of(kernels, counted_time)) {
    view.notes.emplace_back(
        "times are those of the counting run, serialised and slowed down: rates are lower than in "
        "a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'");
  }
  return {};
}

void say_what_is_missing(RooflineView& view) {
  std::set<std::string> missing;
  for (const KernelRoofline& kernel : view.kernels)
    missing.insert(kernel.missing.begin(), kernel.missing.end());
  view.missing.assign(missing.begin(), missing.end());
  constexpr std::size_t kNamed = 4;
  if (!missing.empty() && view.loaded.trace->presence().modelled) {
    const auto known = emu::known_hardware_counters(
        isa::find_architecture(view.gpu.arch).value_or(isa::kUsualArch));
    const bool could = std::ranges::any_of(
        known, [&](const emu::HardwareCounter& counter) { return missing.contains(counter.name); });
    view.notes.push_back(fmt::format(
        "{} not counted; {}",
        missing.size() > kNamed ? fmt::format("{} counters of the set 'roofline'", missing.size())
                                : fmt::format("{}", fmt::join(missing, ", ")),
        could ? "'profile --roofline' counts what the emulated device has"
              : "the emulated device has no such counter"));
  } else if (missing.size() > kNamed) {
    view.notes.push_back(
        fmt::format("{} counters of the set 'roofline' were not collected, {} among them: counters "
                    "plan --set roofline --arch {}",
                    missing.size(), *missing.begin(), view.gpu.arch));
  } else if (!missing.empty()) {
    view.notes.push_back(fmt::format("not collected: {}; {}", fmt::join(missing, ", "),
                                     plan_command(view.missing, view.gpu.arch)));
  }
  if (isa::is_rdna(view.gpu.arch) || view.gpu.text("flop_counters") == "none") {
    view.notes.push_back(
        fmt::format("{} has no counters of floating-point operations: bytes only", view.gpu.arch));
  }
}

Result<std::vector<KernelMeasurement>> chosen_measurements(const Workspace& workspace,
                                                           const RooflineView& view,
                                                           const std::string& kernel) {
  auto kernels = TRY(measure_kernels(*view.loaded.trace));
  if (kernel.empty()) return kernels;
  const auto only = TRY(resolve_kernels(workspace, *view.loaded.trace, kernel));
  std::erase_if(kernels, [&](const KernelMeasurement& each) {
    return std::ranges::count(only, each.kernel) == 0;
  });
  if (kernels.empty()) {
    return fail(Errc::not_found, fmt::format("no counters were recorded of '{}'", kernel),
                "'roofline' lists those that have them");
  }
  return kernels;
}

}  // namespace

std::string plan_command(const std::vector<std::string>& missing, const std::string& arch) {
  return fmt::format("counters plan {} --arch {}", fmt::join(missing, " "), arch);
}

std::string counters_source(const Loaded& loaded, const KernelMeasurement& measured) {
  const std::string file = fs::path(loaded.open->paths().front()).filename().string();
  return fmt::format("mean of {} dispatch{} in {}", measured.calls, measured.calls == 1 ? "" : "es",
                     file);
}

Result<Ceilings> ceilings_for(const Loaded& loaded, const arch::Gpu& gpu,
                              const RooflineArgs& args) {
  return ceilings_for(measured_beside(loaded), gpu, args);
}

Result<Ceilings> ceilings_for(const std::string& beside, const arch::Gpu& gpu,
                              const RooflineArgs& args) {
  const bool by_user = args.peak_gflops > 0 || args.clock_mhz > 0 || args.memory_bandwidth_gbps > 0;
  CeilingKind kind = by_user ? CeilingKind::user : CeilingKind::spec;
  if (!args.measured.empty()) kind = CeilingKind::measured;
  if (!args.ceilings.empty()) kind = TRY(ceiling_kind(args.ceilings));
  const Ceilings spec = spec_ceilings(gpu);
  if (kind == CeilingKind::spec) return spec;
  if (kind == CeilingKind::user) {
    if (!by_user) {
      return fail(Errc::usage, "no ceiling was given",
                  "say --peak-gflops N, --memory-bandwidth-gbps N or --clock-mhz N; `set arch "
                  "values` for others");
    }
    return user_ceilings(spec,
                         args.peak_gflops > 0 ? std::optional(args.peak_gflops) : std::nullopt);
  }
  const std::string path = args.measured.empty() ? beside : args.measured;
  if (path.empty()) {
    return fail(Errc::not_found, "there is no roofline.csv beside the recording",
                "name one: --measured FILE");
  }
  return measured_ceilings(TRY(read_measured_ceilings(path, args.device)), spec);
}

Result<RooflineView> roofline_view(const Inputs& inputs, const RooflineArgs& args) {
  TRY(load_counter_files(inputs.settings));
  RooflineView view;
  view.loaded = TRY(loaded(inputs));
  const Trace& trace = *view.loaded.trace;
  view.provenance = provenance_of(trace);
  auto kernels = TRY(chosen_measurements(inputs.workspace, view, args.kernel));
  const std::uint32_t agent = kernels.empty() ? busiest_agent(trace) : kernels.front().agent;
  view.gpu = TRY(hardware_of(inputs, trace, agent, args));
  view.ceilings = TRY(ceilings_for(view.loaded, view.gpu, args));
  if (kernels.empty()) {
    view.notes.emplace_back(
        "the recording has no hardware counters: 'counters plan' says how to collect them");
    return view;
  }
  TRY(take_times(inputs, view, kernels, args.times));
  const std::string arch = kernels.front().arch;
  std::size_t elsewhere = 0;
  for (KernelMeasurement& kernel : kernels) {
    if (kernel.arch != arch && !kernel.arch.empty()) {
      ++elsewhere;
      continue;
    }
    view.names.push_back(trace.kernels()[kernel.kernel].name);
    MetricInputs counted = metric_inputs(kernel.counters, view.gpu,
                                         counters_source(view.loaded, kernel), view.provenance);
    view.kernels.push_back(kernel_roofline(std::move(kernel), std::move(counted), view.ceilings));
  }
  if (elsewhere > 0)
    view.notes.push_back(fmt::format("{} kernels of another architecture are left out", elsewhere));
  for (const std::string& note : view.ceilings.notes) view.notes.push_back(note);
  for (const std::string& note : view.gpu.notes) view.notes.push_back(note);
  say_what_is_missing(view);
  return view;
}

std::vector<Bound> roofline_options() {
  using Args = RooflineArgs;
  return {option("ceilings", &Args::ceilings, "whose roofs: spec, measured or user")
              .named("KIND")
              .one_of({"spec", "measured", "user"})
              .defaulting({}),
          option("measured", &Args::measured, "roofline.csv with measured ceilings")
              .named("FILE")
              .defaulting({}),
          option("device", &Args::device, "its row for this device; the first without")
              .named("N")
              .defaulting({}),
          option("peak-gflops", &Args::peak_gflops, "compute roof to assume, for every type")
              .named("N")
              .defaulting({}),
          option("times", &Args::times,
                 "take durations from this recording without counters: t2 or a file")
              .named("TRACE")
              .defaulting({})};
}

}  // namespace rpl
