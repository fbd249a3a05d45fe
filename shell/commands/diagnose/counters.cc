// SPDX-License-Identifier: MIT
// counters list and counters plan: which hardware counters there are, and how many runs it takes to read them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/arch/resolve.h"
#include "engine/base/output_file.h"
#include "engine/document/bound.h"
#include "engine/isa/traits/architecture.h"
#include "engine/metrics/counters/catalogue.h"
#include "engine/metrics/counters/plan.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/counter_files.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

/// The architecture that was named, that of the open trace, or the most common one, with a note.
Result<std::string> arch_for(const Inputs& inputs, const std::string& named, Document& out) {
  if (!named.empty()) return named;
  if (inputs.workspace.current()) {
    const Loaded now = TRY(loaded(inputs));
    for (const Agent& agent : now.trace->entities().agents) {
      if (agent.gpu && !agent.arch.empty()) return agent.arch;
    }
  }
  std::string usual = isa::usual_architecture();
  out.notes.push_back(
      fmt::format("for {}; --arch names another one, and so does an open recording", usual));
  return usual;
}

struct ListArgs {
  std::string pattern, arch, block;
};

bool contains_word(std::string_view text, std::string_view part) {
  return std::ranges::search(text, part, [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) ==
                  std::tolower(static_cast<unsigned char>(b));
         }).begin() != text.end();
}

using Counter = CounterInfo;

constexpr auto kCounterColumns = bound_to<Counter>(
    column<&Counter::name>("counter", "name"), column<&Counter::block>("block", "hardware block"),
    column<&Counter::unit>("unit", "of one count").if_room(),
    column<&Counter::instances>("instances", "sum or max").if_room(),
    column<&Counter::slots>("slots", "of the block, in a pass").never(),
    column<&Counter::consumes>("consumes", "counters whose slots it takes instead").never(),
    column<&Counter::description>("description", "what it counts"));

/// Of an architecture so many counters are known.
using Known = std::pair<std::string, std::size_t>;

constexpr auto kKnownFields =
    bound_to<Known>(column<&Known::first>("arch", "architecture"),
                    column<&Known::second>("known", "counters that are known of it"));

Result<Document> run_counters_list(const ListArgs& args, Inputs inputs) {
  TRY(load_counter_files(inputs.settings));
  Document out;
  const std::string arch = TRY(arch_for(inputs, args.arch, out));
  TRY(counters_known(arch));
  const auto known = CounterCatalogue::current().of(arch);
  std::vector<CounterInfo> wanted;
  for (const CounterInfo* counter : known) {
    if ((args.pattern.empty() || contains_word(counter->name, args.pattern) ||
         contains_word(counter->description, args.pattern)) &&
        (args.block.empty() || counter->block == args.block))
      wanted.push_back(*counter);
  }
  out.put(kKnownFields, Known{arch, known.size()});
  out.table(kCounterColumns, wanted);
  if (wanted.empty())
    out.notes.emplace_back("nothing matches; without arguments all counters are listed");
  if (isa::is_rdna(arch)) {
    out.notes.emplace_back(
        "RDNA has no counters of floating-point operations: bytes, waves and instructions only");
  }
  out.next = {"counters plan roofline --arch " + arch};
  return out;
}

struct PlanArgs {
  std::vector<std::string> counters;
  std::string set, arch, format, output;
};

/// "SQ 8/8  TCC 3/4".
std::string slots_text(const CounterPass& pass, const BlockLimits& limits) {
  std::string out;
  for (const auto& [block, used] : pass.used) {
    const auto limit = limits.find(block);
    out += fmt::format("  {} {}{}", block, used,
                       limit == limits.end() ? "" : fmt::format("/{}", limit->second));
  }
  return out;
}

std::string wrapped_words(const std::vector<std::string>& words, std::size_t width) {
  std::string out, line = " ";
  for (const std::string& word : words) {
    if (line.size() > 1 && line.size() + 1 + word.size() > width) {
      out += line + "\n";
      line = " ";
    }
    line += " " + word;
  }
  return out + line + "\n";
}

std::string plan_picture(const CounterPlan& plan, const BlockLimits& limits, std::string_view what,
                         std::size_t width) {
  std::size_t count = 0;
  for (const CounterPass& pass : plan.passes) count += pass.counters.size();
  std::string out =
      fmt::format("{} on {}: {} counters in {} pass{}{}\n", what, plan.arch, count,
                  plan.passes.size(), plan.passes.size() == 1 ? "" : "es",
                  !plan.unlimited.empty()            ? ""
                  : plan.passes.size() == plan.least ? ", no plan has fewer"
                                                     : fmt::format(", at least {}", plan.least));
  for (std::size_t i = 0; i < plan.passes.size(); ++i) {
    out += fmt::format("pass {}{}\n", i + 1, slots_text(plan.passes[i], limits));
    out += wrapped_words(plan.passes[i].counters, width);
  }
  return out;
}

/// A plan, and the file that it was written into.
using Written = std::pair<CounterPlan, std::optional<std::string>>;

constexpr auto kPlanFields = bound_to<Written>(
    column<&Written::first, &CounterPlan::arch>("arch", "architecture"),
    column<+[](const Written& written) { return written.first.passes.size(); }>(
        "passes", "runs of the application"),
    column<&Written::first, &CounterPlan::least>("least_passes", "no plan can have fewer"),
    column<&Written::second>("path", "the file that was written, or null"));

/// Counted from 1.
using Pass = std::pair<std::size_t, const CounterPass*>;

constexpr auto kPassColumns = bound_to<Pass>(
    column<&Pass::first>("pass", "1 is the first").in(Unit::none),
    column<&Pass::second, &CounterPass::used>("used", "slots taken, by block"),
    column<&Pass::second, &CounterPass::counters>("counters", "what is counted in it"));

/// Writes the input file of rocprofv3 and says how to use it.
Status write_plan(const CounterPlan& plan, const PlanArgs& args, Document& out) {
  const PlanFormat format = TRY(plan_format(args.format.empty() ? args.output : args.format));
  if (args.output.empty()) {
    out.text = plan_text(plan, format);
    return {};
  }
  auto file = TRY(OutputFile::create(args.output, OutputFile::Place::named));
  TRY(file.write(OutputBytes::raw(plan_text(plan, format))));
  TRY(file.commit());
  out.text += fmt::format("wrote {}: rocprofv3 -i {} -- APP\n", args.output, args.output);
  return {};
}

/// What was asked for: sets by --set or by name, and single counters; the roofline when nothing was.
struct Wanted {
  std::vector<CounterGroup> groups;
  std::string text;   ///< "roofline and chosen counters"
  std::string words;  ///< to ask for it again: " roofline SQ_WAVES"
};

Result<Wanted> wanted_counters(const PlanArgs& args, const std::string& arch) {
  std::vector<std::string> names = args.counters;
  if (!args.set.empty()) names.insert(names.begin(), args.set);
  if (names.empty()) names = {"roofline"};
  Wanted out;
  bool single = false;
  for (const std::string& name : names) {
    const auto sets = counter_sets();
    out.words += " " + name;
    if (name != args.set && std::ranges::count(sets, name, &CounterSetInfo::name) == 0) {
      out.groups.push_back({name});
      single = true;
      continue;
    }
    for (CounterGroup& group : TRY(counter_set(name, arch))) out.groups.push_back(std::move(group));
    out.text += fmt::format("{}{}", out.text.empty() ? "" : ", ", name);
  }
  if (single) out.text += out.text.empty() ? "chosen counters" : " and chosen counters";
  return out;
}

Result<Document> run_counters_plan(const PlanArgs& args, Inputs inputs, Screen screen) {
  TRY(load_counter_files(inputs.settings));
  Document out;
  const std::string arch = TRY(arch_for(inputs, args.arch, out));
  const arch::Gpu gpu = TRY(arch::resolve(arch::Catalogue::builtin(), arch, {}));
  const Wanted wanted = TRY(wanted_counters(args, gpu.arch));
  const CounterPlan plan = TRY(plan_passes(gpu, wanted.groups));
  const BlockLimits limits = block_limits(gpu);
  std::vector<Pass> passes;
  for (const CounterPass& pass : plan.passes) passes.push_back({passes.size() + 1, &pass});
  out.table(kPassColumns, passes);
  out.text = plan_picture(plan, limits, wanted.text, screen.width);
  if (!args.format.empty() || !args.output.empty()) TRY(write_plan(plan, args, out));
  out.put(kPlanFields,
          Written{plan, args.output.empty() ? std::nullopt : std::optional(args.output)});
  if (!plan.groups_kept)
    out.notes.emplace_back("counters of one ratio are in different passes, to save passes");
  if (!plan.unlimited.empty()) {
    out.notes.push_back(
        fmt::format("the limits of {} are not known: check with 'rocprofv3-avail pmc-check {}'",
                    arch, fmt::join(plan.unlimited, " ")));
  }
  out.notes.emplace_back(
      "each pass runs the application once, and its times are not those of a normal run: record "
      "times apart with 'rocprofv3 --kernel-trace'");
  if (args.output.empty()) {
    out.next = {fmt::format("counters plan{} --arch {} -o counters.yaml", wanted.words, gpu.arch)};
  }
  return out;
}

void add_counters_list(Registry& registry) {
  add(registry,
      command(
          Command{.path = "counters list",
                  .does = kReads,
                  .chapter = Class::analysis,
                  .summary = "List the hardware counters of an architecture.",
                  .help = "What each counter counts, in which block, how many of the block's slots "
                          "it takes in a pass, and how its instances (XCCs, shader engines, "
                          "channels) make one value: `max` where they count the same time. A "
                          "counter that consumes others is computed from them by the recorder. "
                          "Without --arch it is the architecture of the open recording.",
                  .fields = described(kKnownFields),
                  .columns = described(kCounterColumns),
                  .scalar = "counter",
                  .examples = {"counters list LDS --arch gfx942",
                               "counters list --arch gfx90a --block GRBM"}},
          {arg("pattern", &ListArgs::pattern, "part of the name or of the description"),
           option("arch", &ListArgs::arch, "architecture: " + isa::usual_architecture()),
           option("block", &ListArgs::block, "only of this block: SQ, TCC, …")},
          run_counters_list));
}

void add_counters_plan(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "counters plan",
              .does = kReads,
              .chapter = Class::analysis,
              .summary = "Plan how many runs it takes to read a set of counters.",
              .help =
                  "Distributes counters over passes within the limits of each hardware block, as "
                  "few passes as there can be; counters of one ratio stay together where that "
                  "costs no pass. Sets: `roofline`, `memory`, `lds`, `occupancy`, `stalls`; "
                  "without a set and names it is `roofline`. -o writes the input file of "
                  "`rocprofv3 -i` (.yaml, .json, or .txt up to ROCm 7.2); --format prints it.",
              .fields = described(kPlanFields),
              .columns = described(kPassColumns),
              .scalar = "passes",
              .examples = {"counters plan roofline --arch gfx942",
                           "counters plan SQ_WAVES TCC_HIT TCC_MISS --arch gfx90a --format txt"}},
          {arg("counters", &PlanArgs::counters, "counters or sets of them")
               .completes(Complete::counters),
           option("set", &PlanArgs::set, "named set: roofline, memory, lds, occupancy, stalls"),
           option("arch", &PlanArgs::arch, "architecture: " + isa::usual_architecture()),
           option("format", &PlanArgs::format, "print the input file of rocprofv3")
               .one_of({"txt", "yaml", "json"}),
           option("output", &PlanArgs::output, "the file to write: -o FILE")
               .or_letter('o')
               .needs({Capability::write})
               .writes_file()
               .named("FILE")
               .completes(Complete::file)},
          run_counters_plan));
}

}  // namespace

void add_counter_commands(Registry& registry) {
  add_counters_list(registry);
  add_counters_plan(registry);
}

}  // namespace rpl
