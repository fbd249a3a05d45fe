// SPDX-License-Identifier: MIT
// whatif: how much faster the whole would be if a kernel were.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>

#include "engine/base/numbers.h"
#include "engine/document/bound.h"
#include "engine/graph/what_if.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

constexpr double kRemoved = std::numeric_limits<double>::infinity();

struct WhatIfArgs {
  std::vector<std::string> kernels;
  std::optional<double> speedup;
  bool remove = false;
};

struct NamedFactor {
  std::string reference;
  std::optional<double> speedup;
};

/// "gemm=1.5" or "gemm". A name may itself hold '=': only a number behind the last one is a factor.
NamedFactor split_factor(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) return {text, std::nullopt};
  const auto factor = whole_number<double>(std::string_view(text).substr(equals + 1));
  if (!factor) return {text, std::nullopt};
  return {text.substr(0, equals), factor};
}

/// Which kernels change and by how much; without a name the selected kernel, else the one that dominates the path.
Result<std::vector<KernelChange>> changes_of(const Inputs& inputs, const Loaded& now,
                                             const WhatIfArgs& args) {
  const double otherwise = args.remove ? kRemoved : args.speedup.value_or(2);
  std::vector<KernelChange> changes;
  for (const std::string& text : args.kernels) {
    const NamedFactor named = split_factor(text);
    const bool many = named.reference.size() > 2 && named.reference.front() == '/';
    const auto kernels =
        many ? TRY(resolve_kernels(inputs.workspace, *now.trace, named.reference))
             : std::vector{TRY(resolve_kernel(inputs.workspace, *now.trace, named.reference))};
    for (const std::uint32_t kernel : kernels)
      changes.push_back({kernel, named.speedup.value_or(otherwise)});
  }
  if (!changes.empty()) return changes;
  if (inputs.workspace.selection.kernel)
    return std::vector{KernelChange{*inputs.workspace.selection.kernel, otherwise}};
  const auto path = TRY(path_of(inputs, now));
  if (path->dominant_kernel) return std::vector{KernelChange{*path->dominant_kernel, otherwise}};
  return fail(Errc::not_found, "there is no kernel on the critical path",
              nothing_ran(*now.trace).value_or("name one: whatif K --speedup 2"));
}

std::string factor_text(double speedup) {
  return speedup == kRemoved ? "removed" : fmt::format("{:.4g}x as fast", speedup);
}

std::optional<double> factor_value(double speedup) {
  return speedup == kRemoved ? std::nullopt : std::optional(speedup);
}

struct ChangeRow {
  const Kernel* kernel = nullptr;
  std::optional<double> speedup;
};

constexpr auto kChangeColumns = bound_to<ChangeRow>(
    column<&ChangeRow::kernel, &Kernel::id>("id", "kernel").as(Type::id),
    column<&ChangeRow::kernel, &Kernel::name>("kernel", "its name").as(Type::kernel),
    column<&ChangeRow::speedup>("speedup", "how many times as fast; null: removed"));
Columns<ChangeRow> bound(const ChangeRow*) { return kChangeColumns; }

struct WhatIfFacts {
  std::vector<ChangeRow> changes;
  WhatIf result;
};

constexpr auto kWhatIfFields = bound_to<WhatIfFacts>(
    column<&WhatIfFacts::changes>("changes",
                                  "kernels and how much faster each becomes; null: removed"),
    column<&WhatIfFacts::result, &WhatIf::before_ns>("before_ns", "span as recorded")
        .formula("last_end_ns - first_start_ns"),
    column<&WhatIfFacts::result, &WhatIf::after_ns>("after_ns", "span with the change")
        .formula("the graph run again with durations / speedup: each operation starts when its "
                 "last predecessor has ended plus its recorded wait"),
    column<&WhatIfFacts::result, &WhatIf::gain>("gain", "(before_ns - after_ns) / before_ns")
        .in(Unit::share),
    column<&WhatIfFacts::result, &WhatIf::gain_low>("gain_low",
                                                    "where nothing moves that only inferred edges "
                                                    "would move; of modelled times also with those "
                                                    "of the kernels at the ends of their bands")
        .in(Unit::share)
        .formula("gain without what moves by inferred edges or unexplained gaps; of modelled times "
                 "the least of that and of the gain with the kernels' times / (1 + band) and all "
                 "others * (1 + band)"),
    column<&WhatIfFacts::result, &WhatIf::gain_high>("gain_high", "where all of it moves; likewise")
        .in(Unit::share)
        .formula("gain; of modelled times the most of that and of the gain with the kernels' times "
                 "* (1 + band) and all others / (1 + band)"),
    column<&WhatIfFacts::result, &WhatIf::changed_dispatches>("changed_dispatches",
                                                              "dispatches that became faster")
        .formula("dispatches of the kernel that became faster"),
    column<&WhatIfFacts::result, &WhatIf::uncertain_operations>(
        "uncertain_operations", "that moved only because of inferred edges")
        .formula("operations that moved only because of inferred edges or unexplained gaps"));

struct SpeedupRow {
  std::optional<double> speedup;
  WhatIf result;
};

constexpr auto kSpeedupColumns = bound_to<SpeedupRow>(
    column<&SpeedupRow::speedup>("speedup", "of the kernel; null: removed"),
    column<&SpeedupRow::result, &WhatIf::after_ns>("after_ns", "span with the change"),
    column<&SpeedupRow::result, &WhatIf::gain>("gain", "of the span").in(Unit::share),
    column<&SpeedupRow::result, &WhatIf::gain_low>("gain_low", "lower end").in(Unit::share),
    column<&SpeedupRow::result, &WhatIf::gain_high>("gain_high", "upper end").in(Unit::share));

std::string headline(const Trace& trace, const std::vector<KernelChange>& changes,
                     const WhatIf& result) {
  std::vector<std::string> names;
  for (const KernelChange& change : changes) {
    if (names.size() == 4) break;
    names.push_back(
        fmt::format("{} {}", short_name(trace, change.kernel, 40), factor_text(change.speedup)));
  }
  if (changes.size() > names.size())
    names.push_back(fmt::format("{} more", changes.size() - names.size()));
  std::string text =
      fmt::format("{}:\n{} -> {}, gain {}", fmt::join(names, ", "), format_ns(result.before_ns),
                  format_ns(result.after_ns), format_share(result.gain));
  if (result.gain_low != result.gain_high) {
    std::vector<std::string> why;
    if (result.uncertain_operations > 0)
      why.push_back(fmt::format("{} operations rest on inferred edges",
                                format_count(result.uncertain_operations)));
    if (trace.presence().modelled) why.emplace_back("times are modelled");
    text += fmt::format(" (between {} and {}: {})", format_share(result.gain_low),
                        format_share(result.gain_high), fmt::join(why, ", "));
  }
  return text + "\n";
}

/// The gain, with what the bands of modelled times add to its range.
Result<WhatIf> gain_of(const Graph& graph, const std::vector<KernelChange>& changes,
                       const Monitor& monitor) {
  WhatIf out = TRY(what_if(graph, changes, {}, monitor));
  if (const auto banded = TRY(gain_in_bands(graph, changes))) {
    out.gain_low = std::min(out.gain_low, banded->low);
    out.gain_high = std::max(out.gain_high, banded->high);
  }
  return out;
}

Result<Document> run_whatif(const WhatIfArgs& args, Inputs inputs) {
  const Loaded now = TRY(loaded_with_times(inputs));
  const auto graph = TRY(graph_of(inputs, now));
  auto changes = TRY(changes_of(inputs, now, args));
  const WhatIf result = TRY(gain_of(*graph, changes, inputs.monitor));
  WhatIfFacts facts;
  facts.result = result;
  for (const KernelChange& change : changes)
    facts.changes.push_back({&now.trace->kernels()[change.kernel], factor_value(change.speedup)});
  Document out;
  out.put(kWhatIfFields, facts);
  out.heading = headline(*now.trace, changes, result);
  const bool curve = changes.size() == 1 && !args.speedup && !args.remove;
  const double own = changes.front().speedup;
  std::vector<SpeedupRow> rows;
  if (!curve || own != 2) rows.push_back({factor_value(own), result});
  if (curve && own == 2) {
    for (const double speedup : {1.1, 1.5, 2.0, 4.0, kRemoved}) {
      changes.front().speedup = speedup;
      SpeedupRow& row = rows.emplace_back();
      row.speedup = factor_value(speedup);
      row.result = TRY(gain_of(*graph, changes, inputs.monitor));
    }
  }
  out.table(kSpeedupColumns, rows);
  out.provenance = Provenance::estimated;
  out.next = {"critpath",
              "whatif " + now.trace->kernels()[changes.front().kernel].id + " --remove"};
  return out;
}

}  // namespace

void add_what_if_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "whatif",
                  .does = kReads,
                  .chapter = Class::analysis,
                  .summary = "Estimate the whole's gain if kernels were faster.",
                  .help =
                      "Runs the dependency graph again with changed durations: every operation "
                      "starts when its last "
                      "predecessor has ended, plus the wait that was recorded. The gain is the "
                      "share of the span that is "
                      "saved; its range says how much of it rests on inferred edges. K=F gives "
                      "each kernel a factor of "
                      "its own, --speedup all that have none. Without a factor a row for each of "
                      "several shows how the "
                      "gain saturates. Without a kernel it takes the selected one, else the one "
                      "that dominates the path.",
                  .fields = described(kWhatIfFields),
                  .columns = described(kSpeedupColumns),
                  .scalar = "gain",
                  .aliases = {"wi"},
                  .examples = {"whatif --trace TRACE", "whatif --speedup 1.5 --trace TRACE",
                               "whatif --remove --trace TRACE"}},
          {arg("kernel", &WhatIfArgs::kernels, "kernels that become faster: K or K=F")
               .completes(Complete::kernel),
           option("speedup", &WhatIfArgs::speedup, "how many times as fast; 2 when nothing is said")
               .named("F"),
           flag("remove", &WhatIfArgs::remove, "as if the kernels took no time")},
          run_whatif));
}

}  // namespace rpl
