// SPDX-License-Identifier: MIT
#include "tests/differential/campaign.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <thread>

#include "tests/differential/reduction.h"
#include "tests/differential/statements.h"

namespace rpl::differential {
namespace {

constexpr std::array kDevices{Target::gfx90a, Target::gfx942};
constexpr std::uint64_t kLevels = 4;

/// The instruction without its operands in "stopped: KERNEL: wave … at 0x35f0, v_add_u32_e64 v4, v4, 32 clamp: …"; all of a message of
/// another shape.
std::string stopped_at(const std::string& message) {
  const auto at = message.find(" at 0x");
  const auto comma = message.find(", ", at);
  const auto end = message.find(": ", comma);
  if (at == std::string::npos || comma == std::string::npos || end == std::string::npos)
    return message;
  const std::string text = message.substr(comma + 2, end - comma - 2);
  const auto space = text.find(' ');
  const auto last_comma = text.rfind(", ");
  const auto modifiers =
      last_comma == std::string::npos ? std::string::npos : text.find(' ', last_comma + 2);
  return text.substr(0, space) + (modifiers == std::string::npos ? "" : text.substr(modifiers));
}

/// Neighbouring functions, compiled together at one level for each target.
class Batch {
 public:
  Batch(const Plan& plan, std::size_t first, std::size_t count)
      : plan_(plan),
        first_(first),
        count_(count),
        stem_(fmt::format("{}/batch{}.{}", plan.folder, first, count)) {
    for (std::size_t i = 0; i < count; ++i) {
      functions_.push_back(random_function(plan.first_seed + first + i,
                                           fmt::format("f{}", first + i), plan.features));
    }
    Random random(plan.first_seed + first);
    host_level_ = static_cast<int>(random.below(2));
    for (int& level : levels_) level = plan.level.value_or(static_cast<int>(random.below(kLevels)));
  }

  /// LLVM itself fails on some functions. Halves are compiled until such a one is alone.
  Tally run() {
    auto result = run_whole();
    if (result) return std::move(*result);
    if (count_ == 1) {
      Tally tally;
      tally.refused.push_back({functions_[0].seed, result.error().message});
      return tally;
    }
    Tally tally = Batch(plan_, first_, count_ / 2).run();
    tally.add(Batch(plan_, first_ + count_ / 2, count_ - count_ / 2).run());
    return tally;
  }

 private:
  Result<Tally> run_whole() {
    host_ = TRY(HostModule::compile(module_text(functions_, Target::host), host_level_, stem_));
    for (std::size_t d = 0; d < kDevices.size(); ++d) {
      const Target target = kDevices[d];
      auto object = TRY(compile_device(module_text(functions_, target), target, levels_[d],
                                       fmt::format("{}.{}", stem_, to_string(target))));
      for (const Function& function : functions_) compare(function, target, levels_[d], object);
    }
    tally_.functions = functions_.size();
    return std::move(tally_);
  }

  void compare(const Function& function, Target target, int level,
               const std::shared_ptr<const isa::CodeObject>& object) {
    const Inputs inputs = inputs_for(function);
    const auto message = disagreement(function, *host_, object, inputs);
    tally_.items += function.items();
    if (!message) return;
    if (message->starts_with(kStopped)) ++tally_.stops[stopped_at(*message)];
    if (const char* fault = compilers_fault(function, target, level, object, inputs)) {
      tally_.miscompiled[fault].push_back(function.seed);
      return;
    }
    tally_.findings.push_back({function.seed, target, level, *message, ""});
  }

  /// Who is wrong, when it is not the emulator: the host, where code of another level for every x86-64 agrees with the device; or the pass of LLVM 19 that
  /// makes SDWA instructions and forgets selections that are there already (LLVM, pull request 123942), where code without it agrees with the host.
  const char* compilers_fault(const Function& function, Target target, int level,
                              const std::shared_ptr<const isa::CodeObject>& object,
                              const Inputs& inputs) const {
    const std::string stem = fmt::format("{}.again{}", stem_, function.name);
    const auto host = HostModule::compile(module_text(functions_, Target::host), 1 - host_level_,
                                          stem, HostModule::Instructions::plain);
    if (host && !disagreement(function, *host, object, inputs)) return "the host's code";
    const auto without = compile_device(module_text(functions_, target), target, level, stem,
                                        {"-mllvm", "-amdgpu-sdwa-peephole=0"});
    if (without && !disagreement(function, *host_, *without, inputs)) return "its SDWA pass";
    return nullptr;
  }

  const Plan& plan_;
  std::size_t first_, count_;
  std::string stem_;
  std::vector<Function> functions_;
  int host_level_ = 0;
  std::array<int, kDevices.size()> levels_{};
  std::optional<HostModule> host_;
  Tally tally_;
};

}  // namespace

void Tally::add(Tally&& from) {
  functions += from.functions;
  items += from.items;
  for (const auto& [stop, count] : from.stops) stops[stop] += count;
  for (auto& [fault, seeds] : from.miscompiled)
    std::ranges::copy(seeds, std::back_inserter(miscompiled[fault]));
  std::ranges::move(from.findings, std::back_inserter(findings));
  std::ranges::move(from.refused, std::back_inserter(refused));
}

Tally run_plan(const Plan& plan) {
  Tally tally;
  std::mutex mutex;
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (;;) {
      const std::size_t first = next.fetch_add(plan.functions_of_batch);
      if (first >= plan.functions) return;
      const std::size_t count = std::min(plan.functions_of_batch, plan.functions - first);
      auto result = Batch(plan, first, count).run();
      const std::lock_guard lock(mutex);
      tally.add(std::move(result));
      if (plan.progress) plan.progress(tally.functions, tally.findings.size());
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < plan.threads; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  // What differs is more interesting than what stopped.
  std::ranges::sort(tally.findings, {},
                    [](const Finding& f) { return std::pair(f.stopped(), f.seed); });
  for (Finding& finding : tally.findings) {
    if (tally.reductions == plan.most_findings) break;
    finding.reduced = reduced_case(plan, finding);
    ++tally.reductions;
  }
  return tally;
}

}  // namespace rpl::differential
