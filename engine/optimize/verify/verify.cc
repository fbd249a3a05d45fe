// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "engine/base/interrupt.h"
#include "engine/base/parallel.h"
#include "engine/device/execute/state/handlers.h"
#include "engine/optimize/inputs/own_constants.h"
#include "engine/optimize/verify/candidate_check.h"
#include "engine/optimize/verify/oracle.h"
#include "engine/optimize/verify/unverified_code.h"

namespace rpl {
namespace {

/// Regions closer together than a page: a write past the end of one may hit the other instead of unmapped memory.
void note_neighbours(const Capture& capture, VerifyReport& report) {
  for (std::size_t i = 1; i < capture.regions.size(); ++i) {
    const CapturedRegion& below = capture.regions[i - 1];
    const std::uint64_t gap = capture.regions[i].base - (below.base + below.size);
    if (gap >= 4096) continue;
    report.notes.push_back(fmt::format("no guard band between {} and {}: {} bytes apart",
                                       below.name, capture.regions[i].name, gap));
  }
}

/// "captured input: 61440 wave-instructions, 2 poisons, 2 orders, drawn orders of waves".
std::string schedule_of(const StudiedSet& set) {
  const ReferenceRun& run = set.run;
  const std::string drawn = !run.runs_disordered ? "no drawn order"
                            : run.disordered_waves == 0
                                ? "drawn orders of waves"
                                : fmt::format("drawn orders of {} waves", run.disordered_waves);
  return fmt::format("{}: {} wave-instructions, {}, {}", to_string(set.input.kind),
                     run.instructions, run.one_poison ? "1 poison, 1 order" : "2 poisons, 2 orders",
                     drawn);
}

/// What comparing the results of input sets tells about the oracle itself.
class OracleWatch {
 public:
  void add(const StudiedSet& set) {
    std::vector<std::size_t> hashes;
    bool constant = true;
    for (std::size_t region = 0; region < set.run.written.size(); ++region) {
      if (!set.run.written[region]) continue;
      const auto& bytes = set.run.expected[0][region];
      hashes.push_back(std::hash<std::string_view>()(
          {reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
      constant = constant && is_constant(bytes, size_of(set.traits[region].element));
      poisoned_ = poisoned_ && set.run.poisoned[region];
    }
    all_constant_ = all_constant_ && constant;
    if (set.input.kind == InputClass::captured) {
      first_ = std::move(hashes);
    } else {
      redrawn_ = redrawn_ || set.input.redrawn > 0;
      // Poison of a region that is partly written differs from set to set.
      moved_ = moved_ || hashes != first_;
    }
  }
  /// Why equal results would prove little; empty when they prove something.
  [[nodiscard]] std::string weakness() const {
    if (redrawn_ && !moved_) return "inputs that were drawn again have no influence on any result";
    if (!redrawn_ && !moved_ && all_constant_)
      return "every result is one value everywhere, and no other input was found that runs";
    return {};
  }

 private:
  std::vector<std::size_t> first_;
  bool redrawn_ = false, moved_ = false, all_constant_ = true, poisoned_ = true;
};

/// The verification of one candidate.
class Verification {
 public:
  Verification(const VerifyRequest& request, Target& target)
      : request_(request),
        baseline_object_(request.baseline),
        candidate_object_(request.candidate),
        baseline_{target, *request.capture, baseline_object_, "", request.baseline_launch},
        candidate_{target,         *request.capture, candidate_object_,
                   request.kernel, request.launch,   request.fusion} {}

  Result<VerifyReport> all() {
    // Programs that are kept refer to their code object.
    for (auto* object : {&baseline_object_, &candidate_object_}) {
      if (*object == nullptr) *object = TRY(object_of(*request_.capture));
    }
    report_.seed = request_.seed;
    note_neighbours(*request_.capture, report_);
    const auto study = TRY(studied());
    std::size_t count = 0;
    for (std::size_t i = 0; i < study->most_sets() && report_.findings.empty(); i += count) {
      count = std::min(study->sets_at_once(baseline_, i), study->most_sets() - i);
      auto sets = TRY(study->sets(baseline_, i, count));
      for (std::size_t k = 0; k < count; ++k)
        if (is_left_out(*study, sets[k].get(), i + k)) sets[k] = nullptr;
      TRY(hold_against(sets, i));
    }
    TRY(steer(*study));
    TRY(look_outside(*study));
    conclude(*study);
    return std::move(report_);
  }

 private:
  Result<std::shared_ptr<BaselineStudy>> studied() {
    if (request_.study != nullptr && *request_.study != nullptr &&
        (*request_.study)->seed() == request_.seed)
      return *request_.study;
    auto study =
        TRY(BaselineStudy::begin(baseline_, {.seed = request_.seed,
                                             .more_inputs = std::min(request_.more_inputs, 8U),
                                             .other_arguments = request_.other_arguments,
                                             .contract = request_.contract}));
    if (request_.study != nullptr) *request_.study = study;
    return study;
  }

  /// Null ones are, too. Of what is tried with small counts as well, one long run is enough: that with drawn values.
  [[nodiscard]] bool is_left_out(const BaselineStudy& study, const StudiedSet* set,
                                 std::size_t index) const {
    if (set == nullptr) return true;
    const bool few = study.has_small() && request_.more_inputs > 0 ? index == 1 : index <= 1;
    return request_.few_long && !few && set->run.instructions > kLongRun;
  }

  [[nodiscard]] const Capture& dispatch_of(const StudiedSet& set) const {
    return set.input.dispatch ? *set.input.dispatch : *request_.capture;
  }

  /// What the candidate did on one set.
  struct Held {
    std::size_t index = 0;  ///< of the set
    const StudiedSet* set = nullptr;
    std::set<RacePlace> baseline_races = {};  ///< of this set and those before
    VerifyReport report = {};
    std::shared_ptr<const emu::Path> path = nullptr;
    std::shared_ptr<const emu::Program> program = nullptr;
    Status status = {};
  };

  /// Runs the candidate on sets from number `first` on, null ones left out, at the same time. Fails as the first of them that does.
  Result<std::vector<Held>> hold(const std::vector<std::shared_ptr<const StudiedSet>>& sets,
                                 std::size_t first) {
    std::vector<Held> held;
    std::set<RacePlace> races = baseline_races_;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      if (sets[i] == nullptr) continue;
      for (const emu::Race& race : sets[i]->run.races)
        races.insert(race_place(race, dispatch_of(*sets[i])));
      held.push_back({.index = first + i,
                      .set = sets[i].get(),
                      .baseline_races = races,
                      .path = candidate_path_});
    }
    const std::size_t at_once =
        held.empty() ? 1 : BaselineStudy::sets_at_once(dispatch_of(*held.front().set));
    in_parallel(held.size(), at_once, [&](std::size_t i) {
      Held& now = held[i];
      CandidateCheck check(request_, baseline_, now.set->traits, *now.set, now.baseline_races,
                           now.report);
      now.status = check.run(candidate_, request_.seed * 31 + now.index, now.path, now.program);
    });
    // What is behind one that failed does not matter: in order it would not have been looked at.
    for (const Held& now : held) {
      TRY(now.status);
      if (!now.report.findings.empty()) break;
    }
    return held;
  }

  /// What is found is that of the first set that fails, as if they were looked at in order.
  Status hold_against(const std::vector<std::shared_ptr<const StudiedSet>>& sets,
                      std::size_t first) {
    std::vector<Held> held = TRY(hold(sets, first));
    for (Held& now : held) {
      add(now);
      if (!report_.findings.empty()) break;
    }
    return {};
  }

  void add(Held& now) {
    add_baseline(*now.set);
    if (now.path) add_path(candidate_path_, *now.path);
    if (now.program) candidate_program_ = now.program;
    report_.candidate_runs += now.report.candidate_runs;
    std::ranges::move(now.report.findings, std::back_inserter(report_.findings));
    for (ResultCheck& result : now.report.results) add_result(std::move(result), report_);
    ++report_.input_sets;
    report_.sets.emplace_back(to_string(now.set->input.kind));
    report_.schedules.push_back(schedule_of(*now.set));
  }

  /// Inputs made for this candidate: near the constants that are its own, and such that conditions come out otherwise that came out in one way alone.
  Status steer(BaselineStudy& study) {
    if (!request_.coverage || !report_.findings.empty()) return {};
    if (!baseline_program_ || !candidate_program_) return {};
    const Thresholds own = own_constants(*baseline_program_, *candidate_program_);
    std::size_t index = study.most_sets();
    for (const bool scalars : {false, true}) {
      if (request_.more_inputs == 0 || !report_.findings.empty()) break;
      const auto set = TRY(study.around(baseline_, own, scalars));
      if (set != nullptr) TRY(hold_against({set}, index++));
    }
    shown_ = shown();
    for (std::size_t turn = 0; turn < study.most_steered(); ++turn) {
      if (!report_.findings.empty() || !shown_ || !shown_->unverified) return {};
      InputSet input = TRY(study.steered(baseline_, own, turn));
      if (input.dispatch == nullptr || !TRY(shows_more(input))) continue;
      const auto set = TRY(study.studied(baseline_, std::move(input), request_.seed + 500 + turn));
      if (set != nullptr) TRY(hold_against({set}, index++));
      shown_ = shown();
    }
    return {};
  }

  /// Code that nothing within the contract reaches is shown outside of it, if it does the right thing there; if it does not, nobody asks for that.
  Status look_outside(BaselineStudy& study) {
    if (request_.contract.empty() || !report_.findings.empty()) return {};
    for (std::size_t turn = 0; shown_ && shown_->unverified; ++turn) {
      auto input = TRY(study.outside(baseline_, turn));
      if (!input) return {};
      if (input->dispatch == nullptr || !TRY(shows_more(*input))) continue;
      const auto set = TRY(study.studied(baseline_, std::move(*input), request_.seed + 700 + turn));
      if (set == nullptr) continue;
      std::vector<Held> held = TRY(hold({set}, study.most_sets() + 100 + turn));
      if (!held.front().report.findings.empty()) continue;
      add_path(candidate_path_, *held.front().path);
      report_.candidate_runs += held.front().report.candidate_runs;
      shown_ = shown();
    }
    return {};
  }

  /// Whether the candidate takes a way there that it has not taken yet: a single run, which says whether the input is worth all of them.
  Result<bool> shows_more(const InputSet& input) {
    const auto run = candidate_.run(
        input, input.memory,
        {.mode = emu::Mode::functional, .max_instructions = budget_for(0), .watch_path = true});
    ++report_.candidate_runs;
    if (!run && run.error().code == Errc::interrupted) return Failure(run.error());
    if (!run || !run->executed.path) return true;
    const emu::Path& now = *run->executed.path;
    for (std::size_t at = 0; at < now.ran.size(); ++at) {
      if (now.ran[at] && !candidate_path_->ran[at]) return true;
      if ((now.chosen[at] & ~candidate_path_->chosen[at]) != 0) return true;
    }
    return false;
  }

  [[nodiscard]] std::optional<CodeShown> shown() const {
    if (!baseline_path_ || !candidate_path_ || !baseline_program_ || !candidate_program_)
      return std::nullopt;
    return code_shown({baseline_program_.get(), baseline_path_.get()},
                      {candidate_program_.get(), candidate_path_.get()}, request_.origin);
  }

  void add_baseline(const StudiedSet& set) {
    oracle_.add(set);
    baseline_program_ = set.run.program;
    seen_object_ = set.run.object;
    if (set.run.path) add_path(baseline_path_, *set.run.path);
    for (const emu::Race& race : set.run.races) {
      if (!baseline_races_.insert(race_place(race, dispatch_of(set))).second) continue;
      report_.baseline_races.push_back(emu::sentence_of(race, *set.run.program));
    }
    for (std::size_t region = 0; region < set.run.own.size(); ++region)
      own_[region] = std::max(own_[region], set.run.own[region]);
    for (std::size_t region = 0; region < set.run.unsteady.size(); ++region)
      unsteady_[region] = unsteady_[region] || set.run.unsteady[region];
    all_disordered_ = all_disordered_ && set.run.runs_disordered;
    in_part_ = in_part_ || set.run.disordered_waves != 0;
    disordered_sets_ += set.run.runs_disordered ? 1 : 0;
  }

  void conclude(const BaselineStudy& study) {
    note_limits(study);
    if (report_.results.empty() && report_.findings.empty()) {
      report_.notes.emplace_back(
          "the baseline changes no memory: this verification proves nothing");
      report_.findings.push_back(
          {"no-results", "the baseline writes nothing that could be compared"});
    }
    if (!report_.findings.empty()) return;
    if (const std::string weakness = oracle_.weakness(); !weakness.empty())
      undecided("weak-oracle", "weak oracle: " + weakness);
    check_code();
    check_orders();
    report_.passed = report_.findings.empty();
  }

  void undecided(std::string rule, const std::string& message,
                 std::vector<std::uint64_t> addresses = {}) {
    report_.undecided = true;
    report_.findings.push_back({std::move(rule), "undecided: " + message, std::move(addresses)});
  }

  void check_code() {
    if (!shown_) return;
    report_.unseen_in_baseline = shown_->unseen_in_baseline;
    if (report_.unseen_in_baseline > 0)
      report_.notes.push_back(fmt::format("{} instructions of the baseline never ran on any input",
                                          report_.unseen_in_baseline));
    report_.unverified = std::move(shown_->unverified);
    if (!report_.unverified) return;
    const UnverifiedCode& code = *report_.unverified;
    undecided(
        "unverified-code",
        fmt::format("unverified code: {} of the candidate's instructions {} on no input; the "
                    "first is '{}' at 0x{:x}{}",
                    code.instructions, code.is_choice ? "made one of their choices" : "ran",
                    code.text, code.address, emu::source_of(*candidate_program_, code.address)),
        {code.address});
  }

  /// What shares memory or waits for others, and ran in one order alone, is not shown to be right.
  void check_orders() {
    if (disordered_sets_ > 0 || candidate_program_ == nullptr) return;
    // The program holds the other kernels of its segment, too, which never run; where the way was not noted all count.
    const auto& ops = candidate_program_->ops;
    const auto shares = [&](const emu::Op& op) {
      const auto at = static_cast<std::size_t>(&op - ops.data());
      const bool ran = candidate_path_ == nullptr || candidate_path_->ran[at];
      return ran && op.instruction != nullptr &&
             (op.kind == isa::Class::lds || op.kind == isa::Class::barrier ||
              op.instruction->opcode->flags == "atomic");
    };
    const auto found = std::ranges::find_if(ops, shares);
    if (found == ops.end()) return;
    undecided("orders-untried",
              fmt::format("orders untried: the candidate has '{}' at 0x{:x}, and the baseline "
                          "does not end on any input set when few workgroups are in flight: "
                          "races were not looked for",
                          isa::disassemble(candidate_program_->arch, *found->instruction),
                          found->address),
              {found->address});
  }

  void note_limits(const BaselineStudy& study) {
    for (const std::string& note : study.notes()) report_.notes.push_back(note);
    if (report_.input_sets == 1 && report_.findings.empty() && request_.more_inputs > 0)
      report_.notes.emplace_back("no other input was found on which the baseline runs");
    for (const auto& [region, own] : own_) {
      if (own > 0)
        report_.notes.push_back(fmt::format(
            "{}: the baseline differs from itself by up to {:.3g} from run to run, which "
            "is added to the tolerance",
            request_.capture->regions[region].name, own));
    }
    for (const auto& [region, differs] : unsteady_) {
      if (differs)
        report_.notes.push_back(
            fmt::format("{}: the baseline leaves its elements in another order from run to run: "
                        "compared without their order",
                        request_.capture->regions[region].name));
    }
    for (const ResultCheck& result : report_.results) {
      if (!result.poisoned)
        report_.notes.push_back(
            fmt::format("{} is read and written: it could not be poisoned", result.name));
    }
    for (const std::string& race : report_.baseline_races)
      report_.notes.push_back("race of the baseline: " + race);
    if (!all_disordered_)
      report_.notes.emplace_back(
          "the baseline does not end with few workgroups in flight: other orders of waves were not "
          "tried on every input");
    if (study.is_long())
      report_.notes.emplace_back(study.has_small()
                                     ? "a long run or much memory: most inputs were tried with "
                                       "smaller counts than the captured ones"
                                     : "a long run or much memory: fewer inputs were drawn");
    if (in_part_)
      report_.notes.emplace_back(
          request_.launch == request_.baseline_launch
              ? "a long run: other orders of waves and races were tried on some of its workgroups"
              : "a long run with another launch: races were looked for in some of its workgroups, "
                "and results of other orders were not compared");
  }

  const VerifyRequest& request_;
  std::shared_ptr<const isa::CodeObject> baseline_object_, candidate_object_;
  Runner baseline_, candidate_;
  VerifyReport report_;
  OracleWatch oracle_;
  std::set<RacePlace> baseline_races_;
  std::map<std::size_t, double> own_;
  std::map<std::size_t, bool> unsteady_;
  bool in_part_ = false, all_disordered_ = true;
  std::uint32_t disordered_sets_ = 0;
  std::shared_ptr<const emu::Path> baseline_path_, candidate_path_;
  std::shared_ptr<const emu::Program> baseline_program_, candidate_program_;
  std::optional<CodeShown> shown_;                      ///< by all sets that were compared
  std::shared_ptr<const isa::CodeObject> seen_object_;  ///< of the baseline's program
};

}  // namespace

ValueComparison compare_region(const Capture& capture, std::size_t region,
                               std::span<const std::byte> expected,
                               std::span<const std::byte> found, bool bit_exact) {
  const Element element = infer_traits(capture, region, expected).element;
  return compare_values(element, expected, found,
                        bit_exact ? Tolerance{.exact = true} : default_tolerance(element));
}

std::vector<VerifyFinding> compare_results(const Capture& capture, const MemoryImage& expected,
                                           const MemoryImage& found, bool bit_exact) {
  std::vector<VerifyFinding> out;
  for (std::size_t region = 0; region < capture.regions.size(); ++region) {
    const ValueComparison compared =
        compare_region(capture, region, expected[region], found[region], bit_exact);
    if (compared.mismatches == 0) continue;
    out.push_back(
        {"wrong-values-when-timed",
         fmt::format("{}: {} of {} elements differ after the timed run; the first at {}: expected "
                     "{}, found {}",
                     capture.regions[region].name, compared.mismatches, compared.elements,
                     compared.first_index, compared.first_expected, compared.first_found)});
  }
  return out;
}

Result<VerifyReport> verify(const VerifyRequest& request, Target& target) {
  const interrupt::StopToken stop;
  VerifyReport report = TRY(Verification(request, target).all());
  // Nothing is concluded from what was drawn or compared in part.
  TRY(stop.check());
  return report;
}

}  // namespace rpl
