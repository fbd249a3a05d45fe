// SPDX-License-Identifier: MIT
#include "engine/att/analyse/legacy.h"

namespace rpl::att {
namespace {

/// The older tool's classes, in its order of tests: MFMA and branches never get past the first two.
std::string_view legacy_class(std::string_view text) {
  if (text.starts_with("v_")) return "VALU";
  if (text.starts_with("s_")) return "SALU";
  if (text.starts_with("global_") || text.starts_with("flat_")) return "VMEM";
  if (text.starts_with("ds_")) return "LDS";
  return "Other";
}

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

double as_double(std::uint64_t value) { return static_cast<double>(value); }

constexpr const char* kListingFile = "code.json: sums over all instruction rows";

Fact share_fact(const Summary& summary, std::string name, std::string part_name,
                std::uint64_t part) {
  Fact fact;
  fact.name = std::move(name);
  fact.unit = "pct";
  fact.value = summary.of_cycles_pct(part);
  fact.formula = "100 * " + part_name + " / (latency + idle)";
  fact.inputs = {{std::move(part_name), as_double(part)},
                 {"latency", as_double(summary.totals.latency)},
                 {"idle", as_double(summary.totals.idle)}};
  fact.source = kListingFile;
  return fact;
}

void add_shares(const Summary& summary, const LegacyNumbers& old, std::vector<Fact>& facts) {
  Fact stall = share_fact(summary, "stall_pct", "stall", summary.totals.stall);
  stall.legacy_name = "stall_fraction";
  stall.legacy_formula = "stall / (latency + stall + idle)";
  stall.legacy_value = old.stall_fraction;
  stall.legacy_why =
      "latency already contains stall, which is so counted twice in the denominator: the fraction "
      "can never exceed 0.5";
  facts.push_back(std::move(stall));
  Fact idle = share_fact(summary, "idle_pct", "idle", summary.totals.idle);
  idle.legacy_name = "idle_fraction";
  idle.legacy_formula = "idle / (latency + stall + idle)";
  idle.legacy_value = old.idle_fraction;
  idle.legacy_why = "the denominator counts stall twice";
  facts.push_back(std::move(idle));
  Fact issue = share_fact(summary, "issue_pct", "latency - stall", summary.totals.issue());
  issue.formula = "100 * (latency - stall) / (latency + idle); includes the drain";
  facts.push_back(std::move(issue));
  facts.push_back(share_fact(summary, "drain_pct", "drain", summary.drain));
  facts.back().formula +=
      "; drain = latency - stall of s_endpgm, which waits for outstanding stores";
}

void add_waits(const Summary& summary, std::vector<Fact>& facts) {
  facts.push_back(share_fact(summary, "wait_stall_pct", "stall of s_wait*", summary.wait_stall));
  for (const auto& [counter, stall] : summary.wait_by_counter) {
    facts.push_back(
        share_fact(summary, "wait_stall_pct." + counter, "stall of waits for " + counter, stall));
  }
  facts.push_back(
      share_fact(summary, "barrier_stall_pct", "stall of s_barrier", summary.barrier_stall));
  for (std::size_t pipe = 0; pipe < kCategories; ++pipe) {
    if (summary.pipe_stall[pipe] == 0) continue;
    const std::string name(to_string(static_cast<Category>(pipe)));
    facts.push_back(share_fact(summary, "pipe_stall_pct." + name, "stall of " + name,
                               summary.pipe_stall[pipe]));
  }
}

void add_rates(const Summary& summary, const LegacyNumbers& old, std::vector<Fact>& facts) {
  Fact ipc;
  ipc.name = "ipc";
  ipc.value = summary.ipc();
  ipc.formula =
      "hits / busy_cycles; busy_cycles = cycles in which a traced compute unit had a wave, summed "
      "over units";
  ipc.inputs = {{"hits", as_double(summary.totals.hits)},
                {"busy_cycles", static_cast<double>(summary.unit_busy)}};
  ipc.source = "code.json; begin and end of waves from filenames.json";
  ipc.legacy_name = "ipc";
  ipc.legacy_formula = "hits / (latency + stall + idle)";
  ipc.legacy_value = old.ipc;
  ipc.legacy_why =
      "it divides by the cycles of all waves, so it is the issue rate of one wave (with stall "
      "counted twice), not of the compute unit";
  facts.push_back(std::move(ipc));
  for (const auto& [name, pipe] :
       {std::pair{"valu_util_pct", Category::valu}, {"mfma_util_pct", Category::matrix}}) {
    Fact util;
    util.name = name;
    util.unit = "pct";
    util.value = summary.util_pct(pipe);
    util.formula =
        "100 * (latency - stall) / simd_busy_cycles, of this pipe; simd_busy_cycles = cycles in "
        "which a SIMD had a wave, summed over SIMDs";
    util.inputs = {
        {"latency - stall", as_double(summary.mix[static_cast<std::size_t>(pipe)].issue())},
        {"simd_busy_cycles", static_cast<double>(summary.simd_busy)}};
    util.source = "code.json; begin and end of waves from filenames.json";
    facts.push_back(std::move(util));
  }
}

void add_headroom(const Summary& summary, const LegacyNumbers& old, std::vector<Fact>& facts) {
  // An upper bound for one case only; the diagnosis makes an interval of several.
  Fact bound = share_fact(summary, "exposed_wait_pct", "stall of s_wait* and s_barrier",
                          summary.wait_stall + summary.barrier_stall);
  bound.formula +=
      "; the share of the waves' lives that would be saved if no wait ever stalled: an upper "
      "bound, not a prediction";
  bound.legacy_name = "headroom_fraction";
  bound.legacy_formula = "0.8 * stall_fraction";
  bound.legacy_value = old.headroom_fraction;
  bound.legacy_why =
      "a fixed share of a wrong fraction: stalls that other waves hide cost nothing, and no roof "
      "is asked";
  facts.push_back(std::move(bound));
}

}  // namespace

LegacyNumbers legacy_numbers(const CodeTable& code) {
  LegacyNumbers out;
  Cost totals;
  std::uint64_t memory_latency = 0, memory_rows = 0;
  std::map<std::string, std::uint64_t> hits;
  for (const Instruction& row : code.rows) {
    if (row.label) continue;
    totals += Cost{.hits = row.hit, .latency = row.latency, .stall = row.stall, .idle = row.idle};
    const std::string_view name = legacy_class(row.text);
    hits[std::string(name)] += row.hit;
    if (name != "VMEM") continue;
    memory_latency += row.latency;
    ++memory_rows;
  }
  out.total_cycles = totals.latency + totals.stall + totals.idle;
  out.stall_fraction = ratio(totals.stall, out.total_cycles);
  out.idle_fraction = ratio(totals.idle, out.total_cycles);
  out.ipc = ratio(totals.hits, out.total_cycles);
  out.avg_memory_latency = ratio(memory_latency, memory_rows);
  constexpr double kItsHeadroom = 0.8;
  out.headroom_fraction = kItsHeadroom * out.stall_fraction;
  for (const auto& [name, count] : hits) {
    if (count > 0) out.instruction_mix[name] = ratio(count, totals.hits);
  }
  return out;
}

std::vector<Fact> stall_facts(const ThreadTrace& trace, const Summary& summary) {
  const LegacyNumbers old = legacy_numbers(trace.code);
  std::vector<Fact> facts;
  add_shares(summary, old, facts);
  add_waits(summary, facts);
  add_rates(summary, old, facts);
  add_headroom(summary, old, facts);
  return facts;
}

}  // namespace rpl::att
