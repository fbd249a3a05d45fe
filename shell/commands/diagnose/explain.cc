// SPDX-License-Identifier: MIT
// explain REF.FIELD: the formula, the inputs and the sources behind a number.
#include <fmt/format.h>

#include "engine/arch/peaks.h"
#include "engine/document/bound.h"
#include "engine/isa/traits/architecture.h"
#include "shell/commands/diagnose/explanation.h"
#include "shell/commands/diagnose/kernel_facts.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/counter_files.h"
#include "shell/core/inputs/hardware.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

struct ExplainArgs {
  std::string what;
  double speedup = 2;
};

/// A fact or a peak of a GPU.
Result<Explanation> explain_gpu(const arch::Gpu& gpu, const std::string& field) {
  if (const arch::Fact* fact = gpu.find(field); fact != nullptr && fact->is_number())
    return Explanation{arch::derivation_of(*fact), {}};
  for (const arch::Level level : arch::kLevels) {
    if (field != fmt::format("peak_{}_gbps", to_string(level))) continue;
    Explanation out{TRY(arch::peak_bandwidth(gpu, level)), {}};
    if (level != arch::Level::hbm) return out;
    Derivation older;
    older.name = "peak_bandwidth_gbps";
    older.value = 50;
    older.unit = Unit::gbps;
    older.source = "older tool, hal/base.py";
    older.note =
        "wrong: one constant for every GPU, so that every kernel below thousands of FLOP per byte "
        "is called memory bound";
    out.older = std::move(older);
    return out;
  }
  for (const arch::Pipe pipe : {arch::Pipe::vector, arch::Pipe::matrix}) {
    for (const arch::DataType type : arch::kDataTypes) {
      if (field == fmt::format("peak_{}_{}_gflops", to_string(pipe), to_string(type)))
        return Explanation{TRY(arch::peak_flops(gpu, type, pipe)), {}};
    }
  }
  return fail(Errc::not_found, fmt::format("'{}' of {} is unknown", field, gpu.title()),
              "info arch lists what is known");
}

/// "a1", "d12", "t2".
bool is_numbered(char letter, std::string_view reference) {
  return reference.size() > 1 && reference[0] == letter &&
         reference.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

/// An open trace by id; the current one stays current.
Result<Loaded> trace_named(const Workspace& workspace, const Monitor& monitor,
                           const std::string& id) {
  for (const auto& open : workspace.traces()) {
    if (open->id() != id) continue;
    const auto trace = TRY(open->get(monitor));
    return Loaded{open.get(), trace};
  }
  return fail(Errc::not_found, fmt::format("no trace '{}' is open", id), "trace list");
}

Result<Explanation> explanation_of(const ExplainInputs& inputs, const std::string& reference,
                                   const std::string& field, double speedup) {
  if (is_trace_group(reference))
    return explain_trace(inputs, TRY(loaded(inputs)), reference + "." + field, speedup);
  if (is_numbered('t', reference))
    return explain_trace(inputs, TRY(trace_named(inputs.workspace, inputs.monitor, reference)),
                         field, speedup);
  if (is_numbered('d', reference)) {
    const Loaded now = TRY(loaded(inputs));
    const std::uint32_t row = TRY(resolve_dispatch(inputs.workspace, *now.trace, reference));
    return explain_dispatch(inputs, now, row, field);
  }
  if (is_numbered('a', reference)) {
    const Loaded now = TRY(loaded(inputs));
    const std::uint32_t agent = TRY(resolve_entity(*now.trace, 'a', reference));
    return explain_gpu(TRY(hardware_of(inputs, *now.trace, agent, {})), field);
  }
  for (const auto& entry : inputs.workspace.thread_traces.all()) {
    if (entry->id == reference) return explain_thread_trace(inputs, reference, field);
  }
  if (reference == kRunId && has_modelled_run(inputs.workspace))
    return explain_diagnosis(inputs, reference, field);
  if (const auto gpu = hardware_named(inputs, reference, {})) return explain_gpu(*gpu, field);
  const Loaded now = TRY(loaded(inputs));
  const std::uint32_t kernel = TRY(resolve_kernel(inputs.workspace, *now.trace, reference));
  return explain_kernel(inputs, kernel, field, speedup);
}

using Tree = Derivation;
using Found = Explanation;

struct Node {
  std::size_t depth = 0;
  const Derivation* node = nullptr;

  [[nodiscard]] std::string_view unit() const {
    return node->unit_text.empty() ? to_string(node->unit) : node->unit_text;
  }
  [[nodiscard]] std::optional<Provenance> provenance() const {
    return node->provenance == Provenance::none ? std::nullopt : std::optional(node->provenance);
  }
};

constexpr auto kNodeColumns = bound_to<Node>(
    column<&Node::depth>("depth", "0 is the number itself").in(Unit::none),
    column<&Node::node, &Tree::name>("name", "what it is called"),
    column<&Node::node, &Tree::value>("value", "null when unknown"),
    column<&Node::unit>("unit", "null for plain numbers").or_null(),
    column<&Node::node, &Tree::formula>("formula",
                                        "over the rows one deeper below it; null for a leaf")
        .or_null(),
    column<&Node::node, &Tree::source>("source", "file, recording or person").or_null(),
    column<&Node::provenance>("provenance", "measured, modelled, recorded or estimated"),
    column<&Node::node, &Tree::note>("note", "what to know about it").or_null());

constexpr auto kExplainedFields = bound_to<Found>(
    column<&Found::ours, &Tree::name>("name", "what is explained"),
    column<&Found::ours, &Tree::value>("value", "in the unit of the first row; null when unknown"),
    column<&Found::older, &Tree::name>("older_name", "what the older tool calls it").if_there(),
    column<&Found::older, &Tree::value>("older_value",
                                        "what its formula gives; null when that cannot be known")
        .if_there(),
    column<&Found::older, &Tree::formula>("older_formula", "its formula").or_null().if_there(),
    column<&Found::older, &Tree::note>("older_why", "why that is wrong").or_null().if_there());

void add_rows(const Derivation& node, std::size_t depth, std::vector<Node>& out) {
  out.push_back({depth, &node});
  for (const Derivation& input : node.inputs) add_rows(input, depth + 1, out);
}

Result<Document> explain(const ExplainArgs& args, ExplainInputs inputs, Screen screen) {
  // Names of kernels have no dots that matter here; fields do: a2.bandwidth.hbm.
  TRY(load_counter_files(inputs.settings));
  const std::size_t dot = args.what.find('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == args.what.size()) {
    const bool is_kernel = dot == std::string::npos && args.what.starts_with('k');
    return fail(Errc::usage, fmt::format("'{}' is not REF.FIELD", args.what),
                fmt::format("explain {}.headroom, explain critpath.ceiling_speedup, explain "
                            "{}.lds_granule",
                            is_kernel ? args.what : "k7f3a2c",
                            arch::Catalogue::builtin().usual_product(isa::usual_architecture())));
  }
  const Explanation found = TRY(
      explanation_of(inputs, args.what.substr(0, dot), args.what.substr(dot + 1), args.speedup));
  const std::size_t width = screen.width;
  Document out;
  out.put(kExplainedFields, found);
  out.text = tree_text(found.ours, width);
  if (found.older)
    out.text += "\nthe older tool has in its place\n" + tree_text(*found.older, width);
  std::vector<Node> rows;
  add_rows(found.ours, 0, rows);
  out.table(kNodeColumns, rows);
  out.provenance =
      found.ours.provenance == Provenance::none ? Provenance::estimated : found.ours.provenance;
  return out;
}

}  // namespace

void add_explain_commands(Registry& registry) {
  add(registry,
      command<ExplainArgs>(
          Command{.path = "explain",
                  .does = kReads,
                  .chapter = Class::analysis,
                  .summary = "Show the formula, the inputs and the sources behind a number.",
                  .help =
                      "REF is a command whose numbers are about the whole trace (`explain "
                      "critpath.ceiling_speedup`, summary, trace, gaps, overlap, whatif), a trace "
                      "(`explain t2.span_ns`), a kernel (`explain k7f3a2c.headroom`, `.mean_ns`, "
                      "`.criticality`, `.flops`, `.l2.bytes`, `.whatif.gain`), a dispatch "
                      "(`explain d12.slack_ns`), a thread trace, an agent of the trace (`explain "
                      "a1.peak_hbm_gbps`), or a GPU by name; FIELD is one of its numbers, and an "
                      "unknown one lists those that there are. Where the older tool has a formula "
                      "for it, its value and why it is wrong come below.",
                  .fields = described(kExplainedFields),
                  .columns = described(kNodeColumns),
                  .scalar = "value",
                  .examples = {"explain MI300X.peak_l2_gbps",
                               "explain critpath.ceiling_speedup --trace TRACE"}},
          {arg("what", &ExplainArgs::what, "REF.FIELD")
               .required()
               .takes_phrase()
               .named("REF.FIELD"),
           option("speedup", &ExplainArgs::speedup, "of the kernel, for the numbers of whatif")
               .named("F")},
          explain));
}

}  // namespace rpl
