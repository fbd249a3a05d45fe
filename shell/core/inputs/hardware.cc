// SPDX-License-Identifier: MIT
#include "shell/core/inputs/hardware.h"

#include "engine/arch/agent.h"
#include "engine/device/cycle/parameters.h"
#include "engine/device/hip/device.h"
#include "engine/target/traits.h"
#include "shell/core/command/settings.h"
#include "shell/core/inputs/emulated_run.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/session/folders.h"
#include "shell/core/session/inputs.h"
#include "shell/core/session/workspace.h"

#include <fmt/format.h>

#include <algorithm>

namespace rpl {
namespace {

/// "lds_bytes=65536, clock_mhz=1900" as facts that name `source`.
Result<std::vector<arch::Fact>> facts_in(std::string_view text, std::string_view source) {
  std::vector<arch::Fact> facts;
  while (!text.empty()) {
    const std::size_t end = text.find(',');
    std::string_view item = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    const auto trim = [](std::string_view part) {
      while (part.starts_with(' ')) part.remove_prefix(1);
      while (part.ends_with(' ')) part.remove_suffix(1);
      return part;
    };
    item = trim(item);
    if (item.empty()) continue;
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) {
      return fail(Errc::usage, fmt::format("'{}' is not KEY=VALUE", item),
                  "set arch values lds_bytes=65536, clock_mhz=1900");
    }
    arch::Fact fact =
        TRY(arch::parse_fact(trim(item.substr(0, equals)), trim(item.substr(equals + 1))));
    fact.source = source;
    facts.push_back(std::move(fact));
  }
  return facts;
}

/// The text of a setting, "" also for `none`.
std::string wanted(const Inputs& inputs, std::string_view name) {
  const std::string& text = inputs.settings.text(name);
  return text == "none" ? std::string() : text;
}

void add_number(std::vector<arch::Fact>& facts, std::string_view key, double value,
                std::string source) {
  if (value <= 0) return;
  arch::Fact fact;
  fact.key = key;
  fact.number = value;
  fact.unit = key == "clock_mhz" ? "MHz" : "GB/s";
  fact.source = std::move(source);
  facts.push_back(std::move(fact));
}

/// Settings first, so that the options of the command win.
Result<arch::Overrides> overrides_of(const Inputs& inputs, const HardwareArgs& args) {
  arch::Overrides out;
  out.product = wanted(inputs, "arch product");
  out.facts = TRY(facts_in(wanted(inputs, "arch values"), "set arch values"));
  add_number(out.facts, "clock_mhz", inputs.settings.number("arch clock-mhz"),
             "set arch clock-mhz");
  add_number(out.facts, "bandwidth.hbm", inputs.settings.number("arch memory-bandwidth-gbps"),
             "set arch memory-bandwidth-gbps");
  add_number(out.facts, "clock_mhz", args.clock_mhz, "--clock-mhz");
  add_number(out.facts, "bandwidth.hbm", args.memory_bandwidth_gbps, "--memory-bandwidth-gbps");
  return out;
}

/// What the details of each agent say; kept with an open trace, for they do not change.
struct AgentReadings {
  std::vector<arch::AgentReading> agents;
};

arch::RecordedAgent recorded_agent(const Trace& trace, std::uint32_t agent) {
  if (agent >= trace.entities().agents.size()) return {"unknown", "", "", ""};
  const Agent& found = trace.entities().agents[agent];
  return {fmt::format("a{}", agent), found.arch, found.product, found.details};
}

OpenTrace* open_trace_of(const Inputs& inputs, const Trace& trace) {
  for (const auto& open : inputs.workspace.traces()) {
    if (!open->ready()) continue;
    const auto held = open->get(inputs.monitor);
    if (held && held->get() == &trace) return open.get();
  }
  return nullptr;
}

/// Read once for each open trace; a trace that is not open is read again.
std::shared_ptr<const AgentReadings> readings_of(const Inputs& inputs, const Trace& trace) {
  OpenTrace* open = open_trace_of(inputs, trace);
  if (open != nullptr) {
    if (auto held = open->cached<AgentReadings>()) return held;
  }
  auto made = std::make_shared<AgentReadings>();
  for (std::uint32_t i = 0; i < trace.entities().agents.size(); ++i)
    made->agents.push_back(arch::read_agent(recorded_agent(trace, i)));
  if (open != nullptr) open->cache<AgentReadings>(made);
  return made;
}

}  // namespace

std::string emulated_gpus(std::size_t products) {
  std::string out;
  const std::vector<isa::Arch> known = isa::by_preference();
  for (std::size_t i = 0; i < std::min(products, known.size()); ++i)
    out += emu::hip::usual_product(known[i]) + ", ";
  return out += isa::to_string(known.back());
}

std::string example_names(std::string_view between) {
  return fmt::format("{}{}{}", isa::usual_architecture(), between,
                     emu::hip::usual_product(isa::kUsualArch));
}

Label emulated_gpu_help() {
  return fmt::format("{} …; default: `set emu gpu`, else what suits its code", emulated_gpus());
}

void add_hardware_settings(Settings& settings) {
  settings.add("arch file", {},
               "architecture file read after those in ~/.config/rpl/arch; none: no further file");
  settings.add("arch product", {}, "product that the GPU is taken for (MI308X); none: as recorded");
  settings.add("arch values", {},
               "values of the GPU over recording and file: lds_bytes=65536, clock_mhz=1900; none: "
               "no values",
               [](const Value& value) -> Status {
                 const auto* text = value.as<std::string>();
                 if (text != nullptr && *text != "none") TRY(facts_in(*text, ""));
                 return {};
               });
  settings.add("arch clock-mhz", 0.0, at_least(0),
               "engine clock to assume; 0: the highest, as recorded or in the file");
  settings.add("arch memory-bandwidth-gbps", 0.0, at_least(0),
               "bandwidth of device memory to assume; 0: as recorded or in the file");
  settings.add("emu gpu", {},
               fmt::format("GPU that `profile` runs programs on ({}); none: what suits their code",
                           emulated_gpus()));
  const auto most = static_cast<double>(traits_of(TargetKind::emu).most_devices);
  settings.add("emu devices", 1, within(1, most), "how many such GPUs there are");
}

Result<std::shared_ptr<const cycle::Parameters>> emulated_gpu(const Inputs& inputs) {
  const std::string named = wanted(inputs, "emu gpu");
  if (named.empty()) return std::shared_ptr<const cycle::Parameters>();
  return gpu_model(inputs, named);
}

Result<std::shared_ptr<const cycle::Parameters>> gpu_model(const Inputs& inputs,
                                                           const std::string& gpu) {
  return std::make_shared<const cycle::Parameters>(
      TRY(cycle::parameters_of(TRY(hardware_named(inputs, gpu, {})))));
}

Result<arch::Catalogue> arch_catalogue(const Inputs& inputs) {
  return arch::Catalogue::with_user_files(config_folder() + "/arch", wanted(inputs, "arch file"));
}

Result<arch::Gpu> hardware_named(const Inputs& inputs, const std::string& name,
                                 const HardwareArgs& args) {
  arch::Overrides overrides = TRY(overrides_of(inputs, args));
  overrides.product.clear();  // who names a GPU means that one
  return arch::resolve(TRY(arch_catalogue(inputs)), name, overrides);
}

Result<arch::Gpu> hardware_of(const Inputs& inputs, const Trace& trace, std::uint32_t agent,
                              const HardwareArgs& args) {
  const arch::RecordedAgent recorded = recorded_agent(trace, agent);
  const arch::Catalogue catalogue = TRY(arch_catalogue(inputs));
  const arch::Overrides overrides = TRY(overrides_of(inputs, args));
  const auto readings = readings_of(inputs, trace);
  if (agent >= readings->agents.size()) return arch::resolve(catalogue, recorded, overrides);
  return arch::resolve(catalogue, recorded, readings->agents[agent], overrides);
}

std::uint32_t busiest_agent(const Trace& trace) {
  std::vector<std::uint64_t> dispatches(trace.entities().agents.size());
  for (std::size_t row = 0; row < trace.size(); ++row) {
    if (trace.lane(row).agent < dispatches.size()) ++dispatches[trace.lane(row).agent];
  }
  const auto most = std::ranges::max_element(dispatches);
  if (most == dispatches.end() || *most == 0) return kNone;
  return static_cast<std::uint32_t>(most - dispatches.begin());
}

std::vector<Bound> hardware_options() {
  using Args = HardwareArgs;
  return {
      option("clock-mhz", &Args::clock_mhz, "engine clock to assume, instead of the highest one")
          .named("N")
          .defaulting({}),
      option("memory-bandwidth-gbps", &Args::memory_bandwidth_gbps,
             "bandwidth of device memory to assume")
          .named("N")
          .defaulting({})};
}

}  // namespace rpl
