// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/reference_run.h"

#include <algorithm>
#include <cmath>

#include "engine/base/interrupt.h"
#include "engine/optimize/verify/element_order.h"
#include "engine/optimize/verify/rounding_error.h"
#include "engine/optimize/verify/value_compare.h"
#include "engine/replay/elements.h"

namespace rpl {
namespace {

/// In one of both poisons an element holds what the baseline computed for another one, in the other one none of these bytes.
Status poison(const std::vector<std::byte>& results, std::size_t element_bytes, Random& random,
              std::array<std::span<std::byte>, 2> to) {
  const std::size_t count = results.size() / element_bytes;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
    const std::size_t plausible = random() & 1;
    const std::size_t from = random() % count * element_bytes;
    for (std::size_t k = 0; k < element_bytes; ++k) {
      const std::byte other = static_cast<std::byte>(1 + random() % 255);
      const std::size_t at = i * element_bytes + k;
      to[plausible][at] = results[from + k];
      to[1 - plausible][at] = results[from + k] ^ other;
    }
  }
  for (std::size_t at = count * element_bytes; at < results.size(); ++at) {
    to[0][at] = static_cast<std::byte>(random());
    to[1][at] = ~to[0][at];
  }
  return {};
}

/// No byte is what the baseline leaves there.
Status poison_all(const std::vector<std::byte>& results, Random& random,
                  std::vector<std::byte>& to) {
  for (std::size_t at = 0; at < results.size(); ++at) {
    if (at % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
    to[at] = results[at] ^ static_cast<std::byte>(1 + random() % 255);
  }
  return {};
}

class Reference {
 public:
  Reference(const Runner& runner, const InputSet& set, const std::vector<BufferTraits>& traits,
            std::uint64_t seed, bool one_poison)
      : runner_(runner), set_(set), traits_(traits), seed_(seed) {
    out_.one_poison = one_poison;
  }

  Result<ReferenceRun> all(std::optional<ReplayRun> known) {
    if (!known)
      known =
          TRY(runner_.run(set_, set_.memory, {.mode = emu::Mode::functional, .watch_path = true}));
    const ReplayRun plain = std::move(*known);
    out_.instructions = plain.executed.counts.instructions;
    out_.program = plain.executed.program;
    out_.object = runner_.object;
    // What larger buffers show is where things are read and written.
    out_.too_long = out_.instructions > kLongRun || set_.kind == InputClass::larger;
    if (plain.executed.path) add_path(out_.path, *plain.executed.path);
    for (std::size_t region = 0; region < plain.memory.size(); ++region)
      out_.written.push_back(plain.memory[region] != set_.memory[region]);
    TRY(find_poison(plain.memory));
    out_.own.assign(out_.written.size(), 0);
    out_.unsteady.assign(out_.written.size(), false);
    // Candidates are run so, too.
    if (!knows_order_)
      TRY(run_again({.fill = seed_ + 3, .order = emu::Variation::Order::descending}, false));
    if (out_.too_long) TRY(run_part(plain.executed.counts.waves));
    TRY(run_again(disordered(seed_), true));
    if (out_.too_long) return std::move(out_);
    RoundingErrors errors = TRY(rounding_errors(runner_, set_, traits_, out_, seed_));
    out_.rounding = std::move(errors.distances);
    out_.decided_by_rounding = std::move(errors.others);
    out_.rounding_bias = std::move(errors.biases);
    out_.moves_by_rounding = std::move(errors.moves);
    return std::move(out_);
  }

 private:
  Status find_poison(const MemoryImage& plain) {
    for (std::size_t region = 0; region < out_.written.size(); ++region)
      out_.poisoned.push_back(out_.written[region] && !traits_[region].accumulates);
    Random random(seed_);
    bool turned = out_.too_long;
    // Taking poison from one region may show that another depended on it: at most as many rounds as there are regions.
    while (std::find(out_.poisoned.begin(), out_.poisoned.end(), true) != out_.poisoned.end()) {
      out_.input.fill(set_.memory);
      for (std::size_t region = 0; region < plain.size(); ++region) {
        if (out_.poisoned[region] && out_.one_poison)
          TRY(poison_all(plain[region], random, out_.input[0][region]));
        else if (out_.poisoned[region])
          TRY(poison(plain[region], size_of(traits_[region].element), random,
                     {out_.input[0][region], out_.input[1][region]}));
      }
      if (out_.one_poison) out_.input[1] = out_.input[0];
      bool settled = true;
      const bool survives = TRY(run_both(turned));
      if (!survives && turned) {
        turned = false;
        continue;
      }
      if (!survives) {
        out_.poisoned.assign(out_.poisoned.size(), false);
        break;
      }
      for (std::size_t region = 0; region < out_.poisoned.size(); ++region) {
        if (TRY(independent(plain, region))) continue;
        settled = false;
        if (turned) break;
        // An unpoisoned region that changed cannot tell which poison it saw.
        if (!out_.poisoned[region]) out_.poisoned.assign(out_.poisoned.size(), false);
        out_.poisoned[region] = false;
      }
      knows_order_ = settled && turned;
      if (settled) return {};
      // It may have been the order.
      turned = false;
    }
    out_.input.fill(set_.memory);
    out_.expected.fill(plain);
    return {};
  }

  /// False when the baseline does not survive poison: then it uses those bytes, as an index perhaps. `turned`: the second time in descending order.
  Result<bool> run_both(bool turned) {
    using Order = emu::Variation::Order;
    const std::size_t last = out_.one_poison ? 0 : 1;
    for (std::size_t which = 0; which <= last; ++which) {
      auto run = runner_.run(
          set_, out_.input[which],
          {.mode = emu::Mode::functional,
           .max_instructions = budget_for(out_.instructions),
           .variation = {.fill = seed_ + 1 + which,
                         .order = turned && which == last ? Order::descending : Order::ascending}});
      if (!run && run.error().code == Errc::interrupted) return Failure(run.error());
      if (!run) return false;
      out_.expected[which] = std::move(run->memory);
    }
    if (out_.one_poison) out_.expected[1] = out_.expected[0];
    return true;
  }

  /// Every byte is either what the run without poison gave, or was left alone.
  [[nodiscard]] Result<bool> independent(const MemoryImage& plain, std::size_t region) const {
    for (std::size_t at = 0; at < plain[region].size(); ++at) {
      if (at % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
      const std::byte first = out_.expected[0][region][at], second = out_.expected[1][region][at];
      const bool same = first == plain[region][at] && second == first;
      if (!same && !(out_.poisoned[region] && unwritten(out_.input, out_.expected, region, at)))
        return false;
    }
    return true;
  }

  // So many waves that they run about as many instructions as a run that is not long.
  Status run_part(std::uint64_t waves) {
    constexpr std::uint64_t kFewest = 16, kOfLarger = kLongRun / 40;
    const std::uint64_t wanted = set_.kind == InputClass::larger ? kOfLarger : kLongRun / 4;
    out_.disordered_waves = std::max(kFewest, waves * wanted / out_.instructions);
    auto run = runner_.run(set_, out_.input[0],
                           {.mode = emu::Mode::functional,
                            .max_instructions = budget_for(out_.instructions),
                            .max_waves = out_.disordered_waves,
                            .variation = {.fill = seed_ + 1}});
    if (!run && run.error().code == Errc::interrupted) return Failure(run.error());
    if (run) out_.after_part = std::move(run->memory);
    return {};
  }

  // What the baseline itself does in another way from run to run is no fault of the candidate.
  Status run_again(const emu::Variation& variation, bool in_disorder) {
    auto run = runner_.run(set_, out_.input[0],
                           {.mode = emu::Mode::functional,
                            .max_instructions = budget_for(out_.instructions),
                            .max_waves = in_disorder ? out_.disordered_waves : 0,
                            .find_races = in_disorder,
                            .find_grid_races = in_disorder,
                            .pages = in_disorder ? out_.path : nullptr,
                            .watch_path = in_disorder,
                            .variation = variation});
    if (!run && run.error().code == Errc::interrupted) return Failure(run.error());
    if (in_disorder) out_.runs_disordered = run.has_value();
    if (!run) return {};
    const MemoryImage& expected =
        in_disorder && !out_.after_part.empty() ? out_.after_part : out_.expected[0];
    for (std::size_t region = 0; region < out_.own.size(); ++region) {
      const Element element = traits_[region].element;
      const ValueComparison compared =
          compare_values(element, expected[region], run->memory[region], {.exact = true});
      if (compared.mismatches == 0) continue;
      // Numbers that were put elsewhere are no less exact.
      const bool moved = same_in_some_order(element, expected[region], run->memory[region]);
      if (is_float(element) && !moved)
        out_.own[region] = std::max(out_.own[region], compared.max_absolute);
      else
        out_.unsteady[region] = true;
    }
    if (&expected == &out_.expected[0]) find_pairs(run->memory);
    if (!in_disorder) return {};
    out_.races = std::move(run->executed.races);
    if (run->executed.path) add_path(out_.path, *run->executed.path);
    return {};
  }

  /// Those of all such runs.
  void find_pairs(const MemoryImage& after) {
    const auto count = [&](std::size_t region) {
      return after[region].size() / size_of(traits_[region].element);
    };
    const auto moved = [&](std::size_t region) {
      return out_.unsteady[region] && after[region] != out_.expected[0][region];
    };
    std::vector<std::pair<std::size_t, std::size_t>> now;
    bool any = false;
    for (std::size_t first = 0; first < after.size(); ++first) {
      for (std::size_t second = first + 1; moved(first) && second < after.size(); ++second) {
        if (!moved(second) || count(first) != count(second)) continue;
        any = true;
        const auto pairs = [&](const MemoryImage& memory) {
          return ElementPairs{traits_[first].element, traits_[second].element, memory[first],
                              memory[second]};
        };
        if (same_pairs(pairs(out_.expected[0]), pairs(after))) now.emplace_back(first, second);
      }
    }
    if (!any) return;
    if (knows_pairs_)
      std::erase_if(out_.belong_together,
                    [&](const auto& pair) { return std::ranges::find(now, pair) == now.end(); });
    else
      out_.belong_together = std::move(now);
    knows_pairs_ = true;
  }

  const Runner& runner_;
  const InputSet& set_;
  const std::vector<BufferTraits>& traits_;
  std::uint64_t seed_;
  bool knows_pairs_ = false;
  bool knows_order_ =
      false;  ///< in descending order it leaves the same, so that nothing is told by a run of its own
  ReferenceRun out_;
};

}  // namespace

Result<ReplayRun> Runner::run(const InputSet& set, MemoryImage memory,
                              emu::ExecuteOptions options) const {
  // Whoever made the memory stopped early.
  TRY(interrupt::check());
  return run_once(target, {.capture = set.dispatch ? set.dispatch.get() : &capture,
                           .object = object,
                           .kernel = kernel,
                           .memory = std::move(memory),
                           .launch = launch,
                           .fusion = fusion,
                           .execute = std::move(options)});
}

emu::Variation disordered(std::uint64_t seed) {
  constexpr std::uint32_t kInFlight = 6;
  return {.fill = seed + 5,
          .order = emu::Variation::Order::shuffled,
          .side_by_side = kInFlight,
          .seed = seed};
}

Result<ReferenceRun> run_reference(const Runner& runner, const InputSet& input,
                                   const std::vector<BufferTraits>& traits, std::uint64_t seed,
                                   std::optional<ReplayRun> plain, bool one_poison) {
  return Reference(runner, input, traits, seed, one_poison).all(std::move(plain));
}

void add_path(std::shared_ptr<const emu::Path>& all, const emu::Path& one) {
  auto sum = std::make_shared<emu::Path>(all ? *all : one);
  for (std::size_t i = 0; i < std::min(sum->ran.size(), one.ran.size()); ++i) {
    if (one.ran[i]) sum->ran[i] = true;
    sum->chosen[i] |= one.chosen[i];
  }
  if (!sum->split_barrier) sum->split_barrier = one.split_barrier;
  sum->written_pages.insert(one.written_pages.begin(), one.written_pages.end());
  all = std::move(sum);
}

}  // namespace rpl
