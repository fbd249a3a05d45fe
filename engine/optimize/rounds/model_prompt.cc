// SPDX-License-Identifier: MIT
#include "engine/optimize/rounds/model_prompt.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "engine/base/files.h"
#include "engine/base/numbers.h"
#include "engine/base/text.h"

namespace rpl {
namespace {

using llm::PromptFact;

double field(const Record& record, std::string_view name) {
  for (const auto& [key, value] : record) {
    if (key == name) return value.number().value_or(0);
  }
  return 0;
}

const Record* record_in(const Record& record, std::string_view name) {
  for (const auto& [key, value] : record) {
    if (key == name) return value.as<Record>();
  }
  return nullptr;
}

/// Three digits are what an explanation needs: "98200".
std::string rounded(double value) {
  if (value < 1) return fmt::format("{:.3g}", value);
  constexpr double kDigits = 3;
  const double step = std::pow(10.0, std::max(0.0, std::floor(std::log10(value)) + 1 - kDigits));
  return fmt::format("{:.0f}", std::round(value / step) * step);
}

/// Waves that a SIMD holds with so many registers: 512 of them, given out in eights, eight waves at most (CDNA2, CDNA3).
constexpr double kRegisters = 512, kGranule = 8, kMostWaves = 8;

double waves_with(double registers) {
  return std::min(
      kMostWaves,
      std::floor(kRegisters / (std::ceil(std::max(1.0, registers) / kGranule) * kGranule)));
}

std::vector<PromptFact> resource_facts(const Record& facts, bool with_mix) {
  if (facts.empty()) return {};
  const double registers = field(facts, "vgprs") + field(facts, "agprs"),
               waves = waves_with(registers);
  const double limit = std::floor(kRegisters / waves / kGranule) * kGranule;
  std::vector<PromptFact> out{
      {"vector registers of a work-item",
       fmt::format("{:.0f}; up to {:.0f} leave {:.0f} waves on a SIMD", registers, limit, waves)},
      {"LDS of a workgroup", format_bytes(static_cast<std::uint64_t>(field(facts, "lds_bytes")))},
      {"scratch of a work-item",
       fmt::format("{}; any new scratch is rejected",
                   format_bytes(static_cast<std::uint64_t>(field(facts, "scratch_bytes"))))},
      {"instructions in the code", fmt::format("{:.0f}", field(facts, "instructions"))}};
  const Record* mix = with_mix ? record_in(facts, "mix") : nullptr;
  std::string kinds;
  for (const auto& [name, count] : mix ? *mix : Record{})
    kinds +=
        fmt::format("{}{} {:.0f}", kinds.empty() ? "" : ", ", name, count.number().value_or(0));
  if (!kinds.empty()) out.push_back({"of them", kinds});
  return out;
}

/// A wait of a wave, as a share of the kernel's time.
struct Wait {
  std::string what;
  double cycles;
};

std::vector<Wait> waits_of(const Record& profile) {
  const double waves = std::max(1.0, field(profile, "waves"));
  std::vector<Wait> out{{"memory (loads and stores that have not come back)",
                         field(profile, "vmem_wait_cycles") / waves},
                        {"LDS or scalar loads", field(profile, "lds_wait_cycles") / waves}};
  std::stable_sort(out.begin(), out.end(),
                   [](const Wait& a, const Wait& b) { return a.cycles > b.cycles; });
  return out;
}

std::vector<PromptFact> profile_facts(const Record& profile) {
  const double cycles = field(profile, "cycles");
  if (cycles <= 0) return {};
  std::vector<PromptFact> out{
      {"time", fmt::format("{} cycles (modelled, not measured on a GPU)", rounded(cycles))}};
  for (const Wait& wait : waits_of(profile)) {
    if (wait.cycles > 0)
      out.push_back({"a wave waits for " + wait.what,
                     fmt::format("{} cycles, {:.0f} % of the time", rounded(wait.cycles),
                                 100 * wait.cycles / cycles)});
  }
  const double waves = field(profile, "waves");
  out.push_back(
      {"waves", fmt::format("{:.0f}, each executes {} instructions", waves,
                            rounded(field(profile, "instructions") / std::max(1.0, waves)))});
  out.push_back(
      {"memory traffic",
       fmt::format("{} loaded, {} stored, in {} transactions",
                   format_bytes(static_cast<std::uint64_t>(field(profile, "load_bytes"))),
                   format_bytes(static_cast<std::uint64_t>(field(profile, "store_bytes"))),
                   rounded(field(profile, "transactions")))});
  if (field(profile, "lds_conflicts") > 0)
    out.push_back({"LDS bank conflicts", rounded(field(profile, "lds_conflicts"))});
  return out;
}

std::string extent_text(const std::array<std::uint32_t, 3>& size) {
  return fmt::format("{} x {} x {}", size[0], size[1], size[2]);
}

/// A small integer that was passed by value says how long loops run.
std::string value_text(const Capture& capture, const CapturedArgument& argument) {
  const bool is_int = argument.element && to_string(*argument.element) == "i32";
  if (!is_int || argument.kernarg_size != sizeof(std::int32_t) ||
      argument.kernarg_offset + sizeof(std::int32_t) > capture.kernarg.size())
    return "";
  std::int32_t value = 0;
  std::memcpy(&value, capture.kernarg.data() + argument.kernarg_offset, sizeof value);
  return fmt::format(" = {}", value);
}

std::vector<PromptFact> launch_facts(const Capture& capture) {
  std::vector<PromptFact> out{{"grid", extent_text(capture.grid) + " work-items"},
                              {"workgroup", extent_text(capture.workgroup) + " work-items"}};
  if (capture.dynamic_lds_bytes > 0)
    out.push_back({"dynamic LDS", format_bytes(capture.dynamic_lds_bytes)});
  for (std::size_t i = 0; i < capture.arguments.size(); ++i) {
    const CapturedArgument& argument = capture.arguments[i];
    const std::string type =
        argument.element ? std::string(to_string(*argument.element)) : std::string("unknown type");
    if (argument.buffer && argument.region < capture.regions.size()) {
      out.push_back({fmt::format("argument {}", i),
                     fmt::format("buffer of {}, {}", type,
                                 format_bytes(capture.regions[argument.region].size))});
    } else if (!argument.buffer) {
      out.push_back({fmt::format("argument {}", i), type + value_text(capture, argument)});
    }
  }
  return out;
}

/// "vgprs 13 -> 15, waves 8 -> 7": what changed of the machine code, as far as it was compiled.
std::string static_change(const Proposal& proposal) {
  const Record* screen = record_in(proposal.evidence, "screen");
  const Record* before = screen ? record_in(*screen, "baseline") : nullptr;
  const Record* after = screen ? record_in(*screen, "candidate") : nullptr;
  if (!before || !after) return "";
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kFacts{
      {{"vgprs", "VGPRs"},
       {"lds_bytes", "LDS bytes"},
       {"scratch_bytes", "scratch bytes"},
       {"waves_per_cu", "waves of a compute unit"},
       {"instructions", "instructions"}}};
  std::string out;
  for (const auto& [key, name] : kFacts) {
    const double from = field(*before, key), to = field(*after, key);
    if (from != to) out += fmt::format(", {} {:.0f} -> {:.0f}", name, from, to);
  }
  return out;
}

std::string outcome_of(const Proposal& proposal) {
  const auto ratio = number_in(proposal.evidence, "decide", "ratio");
  std::string out(to_string(proposal.state));
  if (proposal.decided_at) out += fmt::format(" by {}", proposal.decided_by());
  if (ratio) out += fmt::format(", {:.2f} times as fast", *ratio);
  return out + static_change(proposal);
}

/// Everything that was decided on the way from the user's file to this base.
std::vector<llm::PromptAttempt> attempts_of(const Optimization& optimization,
                                            const ProposalStore& store,
                                            const std::vector<RefusedReply>& refused) {
  std::vector<std::int64_t> chain{optimization.number};
  for (std::int64_t parent = optimization.parent; parent != 0;) {
    const auto proposal = store.proposal(std::to_string(parent));
    if (!proposal) break;
    const auto before = store.optimization(proposal->optimization);
    // A database that somebody wrote may hold a circle.
    if (!before || std::ranges::find(chain, before->number) != chain.end()) break;
    chain.push_back(before->number);
    parent = before->parent;
  }
  const auto ours = [&](std::int64_t number) {
    return std::ranges::find(chain, number) != chain.end();
  };
  std::vector<llm::PromptAttempt> out;
  for (const Proposal& proposal : store.proposals()) {
    if (!ours(proposal.optimization) || proposal.open()) continue;
    out.push_back({proposal.id(), proposal.title, outcome_of(proposal),
                   proposal.reasons.empty() ? "" : proposal.reasons.front().message});
  }
  for (const RefusedReply& reply : refused) {
    if (!ours(reply.optimization) || reply.reasons.empty()) continue;
    out.push_back({"", reply.strategy.empty() ? "a reply" : reply.strategy, "refused",
                   reply.reasons.front().message});
  }
  return out;
}

/// What is worth trying against what the waves wait for most, one after the other.
std::string strategy_for(const Record& profile, std::size_t attempts) {
  static const std::array<std::string_view, 4> memory{
      "Keep more loads in flight: unroll the loop that loads, so that several independent loads "
      "are issued before the first is used.",
      "Load less: keep in registers what is loaded more than once, and merge loops over the same "
      "data.",
      "Load wider: neighbouring elements of one work-item in one load, with a loop for the rest.",
      "Try something that was not tried before."};
  static const std::array<std::string_view, 3> lds{
      "Avoid LDS bank conflicts: pad or swizzle the rows of the shared array.",
      "Use the LDS less: keep partial results in registers.",
      "Try something that was not tried before."};
  static const std::array<std::string_view, 3> compute{
      "Execute fewer instructions: hoist what does not change out of loops, simplify index "
      "arithmetic.",
      "Execute cheaper instructions, without lower precision.",
      "Try something that was not tried before."};
  const double waves = std::max(1.0, field(profile, "waves")),
               cycles = std::max(1.0, field(profile, "cycles"));
  const Record* facts = record_in(profile, "static");
  const bool has_lds = facts && field(*facts, "lds_bytes") > 0;
  // The same counter covers scalar loads: without LDS it says nothing about bank conflicts.
  const double waits_memory = field(profile, "vmem_wait_cycles") / waves / cycles,
               waits_lds = has_lds ? field(profile, "lds_wait_cycles") / waves / cycles : 0;
  constexpr double kMuch = 0.3;
  const auto pick = [&](const auto& list) {
    return std::string(list[std::min(attempts, list.size() - 1)]);
  };
  if (waits_memory >= kMuch && waits_memory >= waits_lds) return pick(memory);
  return waits_lds >= kMuch ? pick(lds) : pick(compute);
}

Result<llm::PromptParts> source_parts(const std::string& text, const std::string& kernel,
                                      PromptExtent extent) {
  KernelText found = TRY(kernel_text(text, kernel));
  llm::PromptParts out;
  out.kernel = demangled(kernel);
  out.whole_file = extent == PromptExtent::whole_file;
  out.source = out.whole_file ? text : std::move(found.definition);
  if (!out.whole_file) out.context = std::move(found.context);
  return out;
}

}  // namespace

void add_alternatives(const std::vector<Proposal>& beside, llm::PromptParts& parts) {
  if (beside.empty()) return;
  parts.strategy += "\n\nProposed already for this text, and not yet measured; take another way:\n";
  for (const Proposal& proposal : beside) parts.strategy += fmt::format("- {}\n", proposal.title);
  parts.strategy.pop_back();
}

Result<llm::PromptParts> prompt_of(const Optimization& optimization, const Capture& capture,
                                   const ProposalStore& store,
                                   const std::vector<RefusedReply>& refused,
                                   std::vector<PromptFact> hardware, PromptExtent extent) {
  llm::PromptParts out = TRY(
      source_parts(TRY(read_text_file(optimization.base_source())), optimization.kernel, extent));
  out.hardware = std::move(hardware);
  out.launch = launch_facts(capture);
  out.profile = profile_facts(optimization.profile);
  const Record* facts = record_in(optimization.profile, "static");
  out.resources = resource_facts(facts ? *facts : Record{}, true);
  out.attempts = attempts_of(optimization, store, refused);
  const auto by_model = [&](const Proposal& proposal) {
    return proposal.origin == "model" && proposal.optimization == optimization.number;
  };
  out.strategy =
      strategy_for(optimization.profile,
                   static_cast<std::size_t>(std::ranges::count_if(store.proposals(), by_model)));
  return out;
}

Result<llm::PromptParts> prompt_of_source(const std::string& source, const std::string& kernel,
                                          const Record& static_facts,
                                          std::vector<PromptFact> hardware, PromptExtent extent) {
  llm::PromptParts out = TRY(source_parts(TRY(read_text_file(source)), kernel, extent));
  out.hardware = std::move(hardware);
  out.resources = resource_facts(static_facts, true);
  return out;
}

}  // namespace rpl
