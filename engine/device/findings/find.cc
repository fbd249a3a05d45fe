// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/device/findings/finding.h"
#include "engine/device/findings/measures.h"
#include "engine/device/findings/repair.h"

namespace rpl::findings {
namespace {

using cycle::Ideal;

/// What a symptom must be worth to be told.
constexpr double kWorthASymptom = 0.2;
/// A symptom is told only while no cause with a place explains this part of it.
constexpr double kExplained = 0.5;
/// Of a bandwidth or of the arithmetic units: used up.
constexpr double kUsedUp = 0.6;
constexpr double kLittle = 0.05;

/// A cause that stands in the code, with what it is worth while all others are there.
struct Asked {
  const CauseInfo* cause = nullptr;
  double worth = 0;
  Beside beside = {};  ///< where its repair takes more with it
  bool whole = false;  ///< what goes with it is a part of the cause
};

/// What leads: what can be repaired in the code, before a launch that is small because its data are, unless that is worth twice as much.
double weight(const Asked& one) {
  constexpr double kOfTheLaunch = 0.5;
  if (one.whole) return one.worth + std::max(one.worth, one.beside.most);
  Repair repair = repair_of(one.cause->cause);
  if (repair.usual > 0) repair.least = repair.usual;
  repair.around = kAround;  // which of two leads does not depend on how well they are known
  const Worth worth = worth_of(repair, one.worth);
  return (worth.low + worth.high) * (one.cause->cause == Cause::small_grid ? kOfTheLaunch : 1);
}

/// Of what a cause is worth, the part that must be left of it when those before it are repaired; else it is mostly a consequence of theirs.
constexpr double kStays = 0.5;

/// What is saved when others may have been hidden.
constexpr double kHides = 0.3;

/// Of all loads and stores: what most of them do says more about a kernel than a cause worth less than kLittleWorth.
constexpr double kMostAccesses = 0.5, kLittleWorth = 0.25;

/// Puts what is not priced in front of what is worth little.
void lead_over_little(std::vector<Finding>& all, Cause cause) {
  const auto from = std::ranges::find(all, cause, &Finding::cause);
  const auto to = std::find_if(all.begin(), from, [](const Finding& one) {
    return !one.worth || (one.worth->low + one.worth->high) / 2 < kLittleWorth;
  });
  std::rotate(to, from, std::next(from));
}

/// A symptom that is there for certain says more than causes that may be worth nothing at all.
void lead_over_nothing(std::vector<Finding>& all) {
  const auto symptom = std::ranges::find_if(
      all, [](const Finding& one) { return one.worth && info(one.cause).symptom; });
  if (symptom == all.end()) return;
  const bool little = std::all_of(all.begin(), symptom, [&](const Finding& one) {
    return one.worth && one.worth->low <= 0 && one.worth->high < symptom->worth->low;
  });
  if (little) std::rotate(all.begin(), symptom, std::next(symptom));
}

/// What is used up says more than causes that may be worth nothing and are worth a twentieth at the most.
void lead_over_crumbs(std::vector<Finding>& all) {
  constexpr double kCrumb = 0.1;  // twice the difference
  const auto used_up = std::ranges::find_if(all, [](const Finding& one) {
    return one.cause == Cause::bandwidth_used_up || one.cause == Cause::compute_used_up;
  });
  const bool crumbs = std::all_of(all.begin(), used_up, [](const Finding& one) {
    return one.worth && one.worth->low <= 0 && one.worth->high <= kCrumb;
  });
  if (crumbs) std::rotate(all.begin(), used_up, all.end());
}

/// What ideals of the model save, as far as it is worth telling.
struct Priced {
  std::vector<Asked> causes;
  std::vector<const CauseInfo*> hidden =
      {};  ///< causes that are there and cost little while the others do
  std::vector<Finding> symptoms;
};

double most_of_one(const std::vector<Asked>& causes) {
  double out = 0;
  for (const Asked& one : causes) out = std::max(out, one.worth);
  return out;
}

void add_symptoms(Priced priced, std::vector<Finding>& out) {
  std::ranges::stable_sort(priced.symptoms, std::greater(),
                           [](const Finding& one) { return one.worth->low + one.worth->high; });
  const double best = most_of_one(priced.causes);
  for (Finding& symptom : priced.symptoms) {
    if (best < kExplained * (symptom.worth->high - kAround)) out.push_back(std::move(symptom));
  }
  lead_over_nothing(out);
}

struct Told {
  std::vector<Finding> all;
  double saved = 0;  ///< without any of the causes
};

class Finder {
 public:
  explicit Finder(const Measures& measures) : measures_(measures) {}

  [[nodiscard]] Result<Findings> find() const;

 private:
  [[nodiscard]] double saved(std::uint64_t cycles) const {
    return std::max(
        0.0, 1 - static_cast<double>(cycles) / static_cast<double>(measures_.timed().cycles));
  }
  [[nodiscard]] Finding made(Cause cause, std::optional<double> worth,
                             const Beside& beside = {}) const;
  /// With all of these ideal; `latency`: nor is memory waited for, but for the first load of a wave.
  [[nodiscard]] Result<double> saved_by(std::vector<Ideal> ideals, bool latency) const;
  [[nodiscard]] Result<Beside> more_with(const CauseInfo& cause) const;
  [[nodiscard]] Result<Beside> more_with_order(const Asked& one) const;
  [[nodiscard]] Result<Beside> more_with_first(const Asked& one) const;
  [[nodiscard]] Result<Priced> priced() const;
  [[nodiscard]] std::vector<Asked> in_order(std::vector<Asked> asked) const;
  [[nodiscard]] Result<Told> told(const Priced& priced) const;
  Status add_hidden(const Priced& priced, const CauseInfo& first, std::vector<Ideal> repaired,
                    Told& out) const;
  void add_unpriced(std::vector<Finding>& out) const;
  [[nodiscard]] Result<Worth> without_faults(const std::vector<Asked>& asked,
                                             const Told& told) const;
  void add_used_up(std::vector<Finding>& out) const;

  const Measures& measures_;
};

Finding Finder::made(Cause cause, std::optional<double> worth, const Beside& beside) const {
  Finding out{
      .cause = cause, .where = measures_.places(cause), .evidence = measures_.evidence(cause)};
  if (worth) out.worth = worth_of(repair_of(cause), *worth, beside);
  if (const auto ideal = info(cause).ideal) out.assumes = cycle::info(*ideal).sentence;
  const std::string place = out.where.empty() ? "the kernel" : out.where.front().text();
  const std::string line = place.substr(0, place.find(','));
  out.remedy = cause == Cause::transcendentals && measures_.divides_floats()
                   ? remedy_of_divisions(line)
                   : remedy_at(cause, line);
  return out;
}

Result<double> Finder::saved_by(std::vector<Ideal> ideals, bool latency) const {
  if (latency) ideals.push_back(Ideal::no_latency);
  const std::uint64_t cycles = TRY(cycle::cycles_with(measures_.question(), ideals));
  return saved(cycles + (latency ? static_cast<std::uint64_t>(measures_.first_latency()) : 0));
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

/// What waves pass on at a barrier lies in LDS: without the barrier it may pass through registers. Loops over a private array go with its indices, and with them what stands in the same
/// lines.
Result<Beside> Finder::more_with(const CauseInfo& cause) const {
  // How much of what the barrier and the LDS cost goes at the least.
  constexpr double kOfBoth = 0.6;
  // LDS takes the place of an array, or selections among registers do.
  constexpr double kOfIndexed = 0.75;
  switch (cause.cause) {
    case Cause::barriers: {
      const double both = TRY(saved_by({Ideal::free_barriers, Ideal::no_lds_latency}, false));
      return Beside{.most = both, .least = kOfBoth * both};
    }
    case Cause::spills: {
      if (!measures_.indexes_scratch()) return Beside{};
      const double lines = TRY(saved_by(
          {Ideal::no_spills, Ideal::no_scratch_lines, Ideal::no_addressing, Ideal::all_lanes},
          false));
      return Beside{.most = lines, .least = kOfIndexed * lines};
    }
    case Cause::divergence:
      if (measures_.has_dense_barriers()) return Beside{};
      return Beside{.repair = measures_.leaves_loops_mostly() ? repair_of_left_loops()
                                                              : repair_of_branches()};
    default:
      return Beside{};
  }
}

/// Loads and stores of the same lanes out of order: indices that are swapped put both in order. Pieces of a line that a wave stores one after the other are stored at once, and what
/// lies between a load and its store is waited for once.
Result<Beside> Finder::more_with_order(const Asked& one) const {
  constexpr double kOfBoth = 0.85, kOfWide = 0.6;
  const bool stores = one.cause->cause == Cause::uncoalesced_store;
  Beside out;
  if (measures_.is_there(Cause::uncoalesced_load) && measures_.is_there(Cause::uncoalesced_store)) {
    out.most = TRY(saved_by({Ideal::coalesced_loads, Ideal::coalesced_stores}, false));
    out.least = kOfBoth * out.most;
  } else if (!stores && measures_.has_few_waves() && measures_.repeats_most_loads()) {
    out.most = TRY(saved_by({Ideal::coalesced_loads}, true));
    out.is_other = true;
  }
  if (!stores || measures_.is_beyond_wide_stores()) return out;
  const double wide = TRY(saved_by(
      {Ideal::wide_stores, Ideal::wide_loads, Ideal::no_addressing, Ideal::no_lds_latency}, false));
  out.most = std::max(out.most, wide);
  out.least = std::max(out.least, kOfWide * wide);
  return out;
}

/// Of the cause that leads. Rows that lanes walk are taken by waves, of which there are many more then. A sum that is kept is
/// neither stored nor loaded in between. What stays in registers or LDS is waited for once, and loads that are not there need no addresses. Without barriers waves load ahead of each
/// other; steps that are little more than their barrier go with it, whose lanes sat by and in which all waited for the memory of one.
Result<Beside> Finder::more_with_first(const Asked& one) const {
  // Of what is kept, the part that is saved at the least: something takes its place.
  constexpr double kOfKept = 0.5, kOfStored = 0.7;
  // Of what is worth little by itself, less goes with it than is uncertain.
  const bool much = one.worth > kAround || one.whole;
  switch (one.cause->cause) {
    case Cause::uncoalesced_load:
    case Cause::uncoalesced_store:
      return more_with_order(one);
    case Cause::redundant_stores: {
      const double both = TRY(saved_by({Ideal::reused_stores, Ideal::reused_loads}, false));
      return Beside{.most = both, .least = kOfStored * both};
    }
    case Cause::narrow_loads:
      if (!much) return Beside{};
      return Beside{.most = TRY(saved_by({Ideal::wide_loads, Ideal::no_addressing}, false))};
    case Cause::invariant_loads:
    case Cause::redundant_loads: {
      if (one.worth > kAround / 3 && measures_.slides_over_lines())
        return Beside{.repair = repair_of_shared_loads()};
      const double kept = TRY(
          saved_by({Ideal::reused_loads, Ideal::no_addressing}, measures_.repeats_most_loads()));
      return Beside{.most = kept, .least = kOfKept * kept};
    }
    case Cause::matrix_units_idle:
      // What the tiles cost hides what the units would save.
      if (much || !measures_.is_there(Cause::barriers)) return Beside{};
      return Beside{.most = TRY(saved_by(
                        {Ideal::matrix_units, Ideal::free_barriers, Ideal::no_lds_latency}, true))};
    case Cause::barriers:
      if (!much && !(one.worth > kAround / 2 && measures_.loads_behind_barriers())) return Beside{};
      if (measures_.has_dense_barriers())
        return Beside{.most = TRY(saved_by({Ideal::free_barriers, Ideal::no_lds_latency,
                                            Ideal::all_lanes, Ideal::no_latency},
                                           false))};
      return Beside{.most = TRY(saved_by({Ideal::free_barriers, Ideal::no_lds_latency},
                                         measures_.loads_behind_barriers()))};
    default:
      return Beside{};
  }
}

/// The leading one first.
std::vector<Asked> Finder::in_order(std::vector<Asked> asked) const {
  const auto scattered = std::ranges::find_if(
      asked, [](const Asked& one) { return one.cause->cause == Cause::uncoalesced_load; });
  // Where lanes lie further apart than wide loads reach, those are a part of what loading in order gives.
  const double most_of_narrow = scattered != asked.end() && measures_.is_beyond_wide_loads()
                                    ? weight(*scattered)
                                    : std::numeric_limits<double>::infinity();
  // Lines that meet in one channel are fewer with loads in order as well; where that saves hardly more, the padding is what is wrong.
  constexpr double kHardlyMore = 0.9;
  const auto camping = std::ranges::find_if(
      asked, [](const Asked& one) { return one.cause->cause == Cause::channel_camping; });
  const bool pads = camping != asked.end() && scattered != asked.end() &&
                    camping->worth >= kHardlyMore * scattered->worth;
  // A product in tiles waits at its barriers for what the matrix units need far less of.
  const auto barriers = std::ranges::find_if(
      asked, [](const Asked& one) { return one.cause->cause == Cause::barriers; });
  const bool tiles = barriers != asked.end() && measures_.computes_tiles();
  const double of_barriers = tiles ? weight(*barriers) / kHardlyMore : 0;
  std::ranges::stable_sort(asked, std::greater(), [&](const Asked& one) {
    if (one.cause->cause == Cause::narrow_loads) return std::min(weight(one), most_of_narrow);
    if (one.cause->cause == Cause::matrix_units_idle) return std::max(weight(one), of_barriers);
    return weight(one) * (pads && one.cause->cause == Cause::uncoalesced_load ? kHardlyMore : 1);
  });
  return asked;
}

/// The causes that were asked about, the leading one first, each asked again with those before it repaired: what is worth little then is a consequence, is told with what is left of
/// it, and stands below the others.
Result<Told> Finder::told(const Priced& priced) const {
  const std::vector<Asked> asked = in_order(priced.causes);
  Told out;
  std::vector<Finding> consequences;
  std::vector<Ideal> repaired;
  for (const Asked& one : asked) {
    const bool leads = repaired.empty();
    repaired.push_back(*one.cause->ideal);
    const double before = out.saved;
    out.saved =
        leads ? one.worth
              : std::max(before, saved(TRY(cycle::cycles_with(measures_.question(), repaired))));
    const double left = before < 1 ? (out.saved - before) / (1 - before) : 0;
    if (left >= kStays * one.worth) {
      const Beside first = leads ? TRY(more_with_first(one)) : Beside{};
      out.all.push_back(made(one.cause->cause, one.worth,
                             {.most = std::max(one.beside.most, first.most),
                              .least = std::max(one.beside.least, first.least),
                              .is_other = first.is_other,
                              .repair = first.repair ? first.repair : one.beside.repair}));
      continue;
    }
    consequences.push_back(made(one.cause->cause, out.saved - before));
    consequences.back().assumes += fmt::format(", once {} is repaired", asked.front().cause->name);
  }
  std::ranges::move(consequences, std::back_inserter(out.all));
  if (out.saved >= kHides) TRY(add_hidden(priced, *asked.front().cause, std::move(repaired), out));
  return out;
}

/// What cost little beside those `repaired` may cost more when they are gone, of all or of what is left.
Status Finder::add_hidden(const Priced& priced, const CauseInfo& first, std::vector<Ideal> repaired,
                          Told& out) const {
  constexpr double kOfTheRest = 0.1;
  for (const CauseInfo* one : priced.hidden) {
    repaired.push_back(*one->ideal);
    const double now = saved(TRY(cycle::cycles_with(measures_.question(), repaired)));
    if (now - out.saved < std::min(kWorthTelling, kOfTheRest * (1 - out.saved))) {
      repaired.pop_back();
      continue;
    }
    out.all.push_back(made(one->cause, now - out.saved));
    out.all.back().assumes += fmt::format(", once {} is repaired", first.name);
    out.saved = now;
  }
  return {};
}

Result<Priced> Finder::priced() const {
  const auto other = TRY(cycle::counterfactuals(measures_.question()));
  // Moves between the two register files come of too many registers, which is told then.
  const bool registers_are_told = std::ranges::any_of(other, [&](const auto& one) {
    return (one.ideal == Ideal::unlimited_registers || one.ideal == Ideal::no_spills) &&
           saved(one.cycles) >= kWorthTelling;
  });
  Priced out;
  for (const CauseInfo& cause : causes()) {
    if (!cause.ideal || !measures_.is_there(cause.cause)) continue;
    if (cause.cause == Cause::accumulator_moves && registers_are_told) continue;
    const auto found = std::ranges::find(other, *cause.ideal, &cycle::Counterfactual::ideal);
    if (found == other.end()) continue;
    // The first load of a wave has none before it, and is waited for whatever is done.
    const double first = cause.cause == Cause::dependent_loads ? measures_.first_latency() : 0;
    const double worth = saved(found->cycles + static_cast<std::uint64_t>(first));
    if (worth < (cause.symptom ? kWorthASymptom : kWorthTelling)) {
      if (!cause.symptom) out.hidden.push_back(&cause);
      continue;
    }
    if (cause.symptom) {
      out.symptoms.push_back(made(cause.cause, worth));
    } else {
      // Steps that are little more than their barrier go with it.
      const bool whole = cause.cause == Cause::barriers && measures_.has_dense_barriers();
      const bool asks = worth > kAround || whole || cause.cause == Cause::divergence;
      const Beside beside = asks ? TRY(more_with(cause)) : Beside{};
      out.causes.push_back({.cause = &cause, .worth = worth, .beside = beside, .whole = whole});
    }
  }
  return out;
}

/// What counts show and the model has no price for.
void Finder::add_unpriced(std::vector<Finding>& out) const {
  for (const Cause cause :
       {Cause::instruction_cache, Cause::address_translation, Cause::flat_access}) {
    if (measures_.is_there(cause)) out.push_back(made(cause, std::nullopt));
  }
  // The link has a small part of the bandwidth of the device's memory.
  for (const Cause cause : {Cause::page_migration, Cause::host_memory}) {
    if (measures_.is_there(cause)) out.insert(out.begin(), made(cause, std::nullopt));
  }
  // Without LDS nothing but memory is waited for.
  if (measures_.is_there(Cause::flat_access) && measures_.uses_lds() &&
      measures_.share_flat() >= kMostAccesses)
    lead_over_little(out, Cause::flat_access);
}

/// What is saved without any of the causes, of which there is one at the least. Whether there is more to divide among more waves is not known: a small grid counts where it leads.
Result<Worth> Finder::without_faults(const std::vector<Asked>& asked, const Told& told) const {
  const auto is_cause = [](const Finding& one) { return one.worth && !info(one.cause).symptom; };
  const auto first = std::ranges::find_if(told.all, is_cause);
  const auto counts = [&](Cause cause) {
    return cause != Cause::small_grid || first->cause == Cause::small_grid;
  };
  std::vector<Ideal> faults;
  double most = 0;
  for (const Asked& one : asked) {
    if (!counts(one.cause->cause)) continue;
    faults.push_back(*one.cause->ideal);
    most = std::max(most, one.worth);
  }
  double all = faults.size() == asked.size()
                   ? told.saved
                   : saved(TRY(cycle::cycles_with(measures_.question(), faults)));
  if (std::ranges::find(faults, Ideal::reused_loads) != faults.end() &&
      !measures_.slides_over_lines()) {
    // The addresses of loads that are left out need not be computed: at the most all such arithmetic is theirs.
    faults.push_back(Ideal::no_addressing);
    all = std::max(all, saved(TRY(cycle::cycles_with(measures_.question(), faults))));
  }
  Worth out{.low = 0, .high = std::min(1.0, std::max(most, all) + repair_of(first->cause).around)};
  for (const Finding& one : told.all) {
    if (!is_cause(one) || !counts(one.cause)) continue;
    out.low = std::max(out.low, one.worth->low);
    out.high = std::max(out.high, one.worth->high);
  }
  return out;
}

Result<Findings> Finder::find() const {
  const Priced priced = TRY(this->priced());
  Told told = TRY(this->told(priced));
  add_unpriced(told.all);
  add_symptoms(priced, told.all);
  Findings out;
  if (!priced.causes.empty()) out.without_faults = TRY(without_faults(priced.causes, told));
  // A symptom that leads says more of what may be gained than the causes do.
  if (!told.all.empty() && told.all.front().worth)
    out.without_faults.high = std::max(out.without_faults.high, told.all.front().worth->high);
  add_used_up(told.all);
  constexpr double kLittleRoom = 0.2;
  if (out.without_faults.high <= kLittleRoom) lead_over_crumbs(told.all);
  out.all = std::move(told.all);
  if (!priced.causes.empty()) return out;
  // Where nothing is wrong, a little may be gained all the same.
  const auto leads =
      std::ranges::find_if(out.all, [](const Finding& one) { return one.worth.has_value(); });
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
