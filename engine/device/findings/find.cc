// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "engine/device/findings/finding.h"
#include "engine/device/findings/measures.h"

namespace rpl::findings {
namespace {

using cycle::Ideal;

/// What a cause must be worth to be told, and what a symptom must.
constexpr double kWorthTelling = 0.02, kWorthASymptom = 0.2;
/// A symptom is told only while no cause with a place explains this part of it.
constexpr double kExplained = 0.5;
/// Of a bandwidth or of the arithmetic units: used up.
constexpr double kUsedUp = 0.6;
/// A repair costs instructions of its own and saves others, and other mechanisms take a part of what one gives free: what it saves lies this far around the difference.
constexpr double kAround = 0.12, kLittle = 0.05;

Worth around(double low, double high) {
  return {.low = std::max(0.0, low - kAround), .high = std::min(1.0, high + kAround)};
}

/// Of one cause: what costs little cannot be uncertain by more than it costs.
Worth of_cause(double low, double high) {
  const double by = std::min(kAround, std::max(high, kWorthTelling));
  return {.low = std::max(0.0, low - by), .high = std::min(1.0, high + by)};
}

/// What leads: what can be repaired in the code, before a launch that is small because its data are, unless that is worth twice as much.
double weight(const Finding& one) {
  constexpr double kOfTheLaunch = 0.5;
  return (one.worth->low + one.worth->high) * (one.cause == Cause::small_grid ? kOfTheLaunch : 1);
}

/// Of all loads and stores: what most of them do says more about a kernel than a cause worth less than kLittleWorth.
constexpr double kMostAccesses = 0.5, kLittleWorth = 0.25;

/// Moves between the two register files come of too many registers, which has been told then.
bool holds_registers_back(const std::vector<Finding>& all) {
  return std::ranges::any_of(all, [](const Finding& one) {
    return one.cause == Cause::register_limited || one.cause == Cause::spills;
  });
}

/// Puts what is not priced in front of what is worth little.
void lead_over_little(std::vector<Finding>& all, Cause cause) {
  const auto from = std::ranges::find(all, cause, &Finding::cause);
  const auto to = std::find_if(all.begin(), from, [](const Finding& one) {
    return !one.worth || (one.worth->low + one.worth->high) / 2 < kLittleWorth;
  });
  std::rotate(to, from, std::next(from));
}

class Finder {
 public:
  explicit Finder(const Measures& measures) : measures_(measures) {}

  [[nodiscard]] Result<Findings> find() const;

 private:
  [[nodiscard]] double saved(std::uint64_t cycles) const {
    return std::max(
        0.0, 1 - static_cast<double>(cycles) / static_cast<double>(measures_.timed().cycles));
  }
  [[nodiscard]] Finding made(Cause cause, std::optional<double> worth) const;
  void add_used_up(std::vector<Finding>& out) const;

  const Measures& measures_;
};

Finding Finder::made(Cause cause, std::optional<double> worth) const {
  Finding out{
      .cause = cause, .where = measures_.places(cause), .evidence = measures_.evidence(cause)};
  // What takes the place of a load that is left out, of LDS or of registers, may cost half of it.
  constexpr double kReplaced = 0.5;
  // How much shorter the functions of float are than those of double precision differs from one to the next.
  constexpr double kShorter = 1.3;
  if (worth)
    out.worth =
        of_cause(cause == Cause::redundant_loads ? kReplaced * *worth : *worth,
                 cause == Cause::double_precision ? std::min(1.0, kShorter * *worth) : *worth);
  if (const auto ideal = info(cause).ideal) out.assumes = cycle::info(*ideal).sentence;
  out.remedy = info(cause).remedy;
  const std::size_t at = out.remedy.find("PLACE");
  if (at != std::string::npos) {
    const std::string place = out.where.empty() ? "the kernel" : out.where.front().text();
    out.remedy.replace(at, std::string_view("PLACE").size(), place.substr(0, place.find(',')));
  }
  return out;
}

void Finder::add_used_up(std::vector<Finding>& out) const {
  using cycle::TimeClass;
  const cycle::LaunchTime& timed = measures_.timed();
  const double bandwidth = std::max({timed.shared.memory, timed.shared.mall, timed.shared.l2});
  if (bandwidth >= kUsedUp) out.push_back(made(Cause::bandwidth_used_up, std::nullopt));
  if (timed.time_class == TimeClass::compute)
    out.push_back(made(Cause::compute_used_up, std::nullopt));
  if (out.empty()) out.push_back(made(Cause::nothing_of_note, std::nullopt));
}

Result<Findings> Finder::find() const {
  const cycle::Question question = measures_.question();
  const auto other = TRY(cycle::counterfactuals(question));
  Findings out;
  std::vector<Finding> symptoms;
  std::vector<Ideal> faults;
  double best = 0;
  for (const CauseInfo& cause : causes()) {
    if (!cause.ideal || !measures_.is_there(cause.cause)) continue;
    const auto found = std::ranges::find(other, *cause.ideal, &cycle::Counterfactual::ideal);
    if (found == other.end()) continue;
    const double worth = saved(found->cycles);
    if (worth < (cause.symptom ? kWorthASymptom : kWorthTelling)) continue;
    if (cause.cause == Cause::accumulator_moves && holds_registers_back(out.all)) continue;
    (cause.symptom ? symptoms : out.all).push_back(made(cause.cause, worth));
    if (cause.symptom) continue;
    best = std::max(best, worth);
    faults.push_back(*cause.ideal);
  }
  std::ranges::stable_sort(out.all, std::greater(), weight);
  std::ranges::stable_sort(symptoms, std::greater(),
                           [](const Finding& one) { return one.worth->low + one.worth->high; });
  for (const Cause cause :
       {Cause::instruction_cache, Cause::address_translation, Cause::flat_access}) {
    if (measures_.is_there(cause)) out.all.push_back(made(cause, std::nullopt));
  }
  // The link has a small part of the bandwidth of the device's memory.
  for (const Cause cause : {Cause::page_migration, Cause::host_memory}) {
    if (measures_.is_there(cause)) out.all.insert(out.all.begin(), made(cause, std::nullopt));
  }
  // Without LDS nothing but memory is waited for.
  if (measures_.is_there(Cause::flat_access) && measures_.uses_lds() &&
      measures_.share_flat() >= kMostAccesses)
    lead_over_little(out.all, Cause::flat_access);
  for (Finding& symptom : symptoms) {
    if (best < kExplained * (symptom.worth->high - kAround)) out.all.push_back(std::move(symptom));
  }
  if (!faults.empty()) {
    double all = saved(TRY(cycle::cycles_with(question, faults)));
    if (std::ranges::find(faults, Ideal::reused_loads) != faults.end()) {
      // The addresses of loads that are left out need not be computed: at the most all such arithmetic is theirs.
      faults.push_back(Ideal::no_addressing);
      all = std::max(all, saved(TRY(cycle::cycles_with(question, faults))));
    }
    double least = 0, most = around(0, std::max(best, all)).high;
    for (const Finding& one : out.all) {
      if (!one.worth || info(one.cause).symptom) continue;
      least = std::max(least, one.worth->low);
      most = std::max(most, one.worth->high);
    }
    out.without_faults = {.low = least, .high = most};
  }
  add_used_up(out.all);
  // Where nothing is wrong, a little may be gained all the same.
  const auto leads =
      std::ranges::find_if(out.all, [](const Finding& one) { return one.worth.has_value(); });
  if (faults.empty())
    out.without_faults = {.low = 0, .high = leads != out.all.end() ? leads->worth->high : kLittle};
  return out;
}

}  // namespace

Result<Findings> find(const emu::Executed& executed, const isa::CodeObject& object,
                      const cycle::Parameters& parameters, std::span<const FarMemory> far) {
  if (!executed.modelled || !executed.record || !executed.program ||
      executed.counts.by_instruction.empty())
    return fail(Errc::unsupported, "the run kept nothing to time it again by",
                "run it with the cycle model: kernel run --modelled");
  const Measures measures = TRY(Measures::of(executed, object, parameters, far));
  return Finder(measures).find();
}

}  // namespace rpl::findings
