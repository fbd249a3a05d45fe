// SPDX-License-Identifier: MIT
// explain REF.FIELD: the formula, the inputs and the sources behind a number.
#include <fmt/format.h>

#include "engine/arch/peaks.h"
#include "engine/isa/traits/architecture.h"
#include "shell/commands/diagnose/explanation.h"
#include "shell/commands/diagnose/kernel_facts.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/counter_files.h"
#include "shell/core/inputs/hardware.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/context.h"
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
    Explanation out {
      TRY(arch::peak_bandwidth(gpu, level))
      , {}
    };
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
        return Explanation {
          TRY(arch::peak_flops(gpu, type, pipe))
          , {}
        };
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
Result<Loaded> trace_named(Context& context, const std::string& id) {
  for (const auto& open : context.workspace().traces()) {
    if (open->id() != id) continue;
    const auto trace = TRY(open->get(context.monitor()));
    return Loaded{open.get(), trace};
  }
  return fail(Errc::not_found, fmt::format("no trace '{}' is open", id), "trace list");
}

Result<Explanation> explanation_of(Context& context, const std::string& reference,
                                   const std::string& field, double speedup) {
  if (is_trace_group(reference))
    return explain_trace(context, TRY(loaded(context)), reference + "." + field, speedup);
  if (is_numbered('t', reference))
    return explain_trace(context, TRY(trace_named(context, reference)), field, speedup);
  if (is_numbered('d', reference)) {
    const Loaded now = TRY(loaded(context));
    const std::uint32_t row = TRY(resolve_dispatch(context.workspace(), *now.trace, reference));
    return explain_dispatch(context, now, row, field);
  }
  if (is_numbered('a', reference)) {
    const Loaded now = TRY(loaded(context));
    const std::uint32_t agent = TRY(resolve_entity(*now.trace, 'a', reference));
    return explain_gpu(TRY(hardware_of(context, *now.trace, agent, {})), field);
  }
  for (const auto& entry : context.workspace().thread_traces.all()) {
    if (entry->id == reference) return explain_thread_trace(context, reference, field);
  }
  if (reference == kRunId && has_modelled_run(context))
    return explain_diagnosis(context, reference, field);
  if (const auto gpu = hardware_named(context, reference, {})) return explain_gpu(*gpu, field);
  const Loaded now = TRY(loaded(context));
  const std::uint32_t kernel = TRY(resolve_kernel(context.workspace(), *now.trace, reference));
  return explain_kernel(context, kernel, field, speedup);
}

Value word(const std::string& text) { return text.empty() ? Value() : Value(text); }

void add_rows(const Derivation& node, std::int64_t depth, Document& out) {
  const std::string unit =
      node.unit_text.empty() ? std::string(to_string(node.unit)) : node.unit_text;
  out.rows.push_back(
      {Value(depth), Value(node.name), Value(node.value), unit == "none" ? Value() : word(unit),
       word(node.formula), word(node.source),
       node.provenance == Provenance::none ? Value() : Value(to_string(node.provenance)),
       word(node.note)});
  for (const Derivation& input : node.inputs) add_rows(input, depth + 1, out);
}

Result<Document> explain(Context& context, const ExplainArgs& args) {
  // Names of kernels have no dots that matter here; fields do: a2.bandwidth.hbm.
  TRY(load_counter_files(context.settings()));
  const std::size_t dot = args.what.find('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == args.what.size()) {
    return fail(
        Errc::usage, fmt::format("'{}' is not REF.FIELD", args.what),
        fmt::format(
            "explain k7f3a2c.headroom, explain critpath.ceiling_speedup, explain {}.lds_granule",
            arch::Catalogue::builtin().usual_product(isa::usual_architecture())));
  }
  const Explanation found = TRY(
      explanation_of(context, args.what.substr(0, dot), args.what.substr(dot + 1), args.speedup));
  const std::size_t width = canvas_of(context).width;
  Document out;
  out.set("name", found.ours.name);
  out.set("value", Value(found.ours.value));
  out.text = tree_text(found.ours, width);
  if (found.older) {
    out.set("older_name", found.older->name);
    out.set("older_value", Value(found.older->value));
    out.set("older_formula", word(found.older->formula));
    out.set("older_why", word(found.older->note));
    out.text += "\nthe older tool has in its place\n" + tree_text(*found.older, width);
  }
  add_rows(found.ours, 0, out);
  out.provenance =
      found.ours.provenance == Provenance::none ? Provenance::estimated : found.ours.provenance;
  return out;
}

}  // namespace

void add_explain_commands(Registry& registry) {
  add(registry,
      command<ExplainArgs>(
          Command{
              .path = "explain",
              .chapter = Class::analysis,
              .summary = "Show the formula, the inputs and the sources behind a number.",
              .help = "REF is a command whose numbers are about the whole trace (`explain "
                      "critpath.ceiling_speedup`, "
                      "summary, trace, gaps, overlap, whatif), a trace (`explain t2.span_ns`), a "
                      "kernel "
                      "(`explain k7f3a2c.headroom`, `.mean_ns`, `.criticality`, `.flops`, "
                      "`.l2.bytes`, `.whatif.gain`), a "
                      "dispatch (`explain d12.slack_ns`), a thread trace, an agent of the trace "
                      "(`explain a1.peak_hbm_gbps`), or a GPU by name; "
                      "FIELD is one of its numbers, and an unknown one lists those that there are. "
                      "Where the older tool has a formula for it, its "
                      "value and why it is wrong come below.",
              .fields = {{"name", Type::string, Unit::none, "what is explained"},
                         {"value", Type::number, Unit::none,
                          "in the unit of the first row; null when unknown"},
                         {"older_name", Type::string, Unit::none, "what the older tool calls it"},
                         {"older_value", Type::number, Unit::none,
                          "what its formula gives; null when that cannot be known"},
                         {"older_formula", Type::string, Unit::none, "its formula"},
                         {"older_why", Type::string, Unit::none, "why that is wrong"}},
              .columns = {{"depth", Type::integer, Unit::none, "0 is the number itself"},
                          {"name", Type::string, Unit::none, "what it is called"},
                          {"value", Type::number, Unit::none, "null when unknown"},
                          {"unit", Type::string, Unit::none, "null for plain numbers"},
                          {"formula", Type::string, Unit::none,
                           "over the rows one deeper below it; null for a leaf"},
                          {"source", Type::string, Unit::none, "file, recording or person"},
                          {"provenance", Type::string, Unit::none,
                           "measured, modelled, recorded or estimated"},
                          {"note", Type::string, Unit::none, "what to know about it"}},
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
