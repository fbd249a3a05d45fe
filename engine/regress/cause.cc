// SPDX-License-Identifier: MIT
#include "engine/regress/cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "engine/base/interrupt.h"
#include "engine/regress/flags_to_try.h"

namespace rpl::regress {
namespace {

/// A part of the difference that counts as its cause, and one that is told at all.
constexpr double kMostOfIt = 0.5, kSomeOfIt = 0.1;

/// Cut code takes many times the instructions of whole code; beyond this it is not followed.
constexpr std::uint64_t kMoreInstructions = 40;

/// One search with all that it holds.
class Search {
 public:
  Search(Stages& stages, const CauseRequest& request)
      : stages_(stages),
        request_(request),
        clock_(request.kernel, request.run,
               kMoreInstructions * std::max(request.judged_a->ran.executed.counts.instructions,
                                            request.judged_b->ran.executed.counts.instructions)),
        first_run_(stages.runs()),
        first_kept_(stages.kept()) {
    clock_.know(request.judged_a->code, request.judged_a->time_ns());
    clock_.know(request.judged_b->code, request.judged_b->time_ns());
    b_is_slow_ = request.judged_b->time_ns() > request.judged_a->time_ns();
    fast_ns_ = std::min(request.judged_a->time_ns(), request.judged_b->time_ns());
    slow_ns_ = std::max(request.judged_a->time_ns(), request.judged_b->time_ns());
  }

  Result<Cause> find();

 private:
  [[nodiscard]] const Side& fast() const { return b_is_slow_ ? request_.a : request_.b; }
  [[nodiscard]] const Side& slow() const { return b_is_slow_ ? request_.b : request_.a; }
  /// Of the whole difference, in parts that multiply.
  [[nodiscard]] double share(double less_ns, double more_ns) const {
    return std::log(more_ns / less_ns) / std::log(slow_ns_ / fast_ns_);
  }
  [[nodiscard]] double goal() const { return std::sqrt(fast_ns_ * slow_ns_); }
  [[nodiscard]] bool used_up() {
    out_.cut_short |= stages_.runs() - first_run_ >= request_.most_builds;
    return out_.cut_short;
  }
  void report(std::string_view what) {
    request_.monitor.report(what, stages_.runs() - first_run_, request_.most_builds);
  }

  Status mix_stages(const Side& from, const Side& to);
  Result<Mixture> mixture(const Side& front, const Side& middle, const Side& back);
  void choose_stage();
  Result<std::optional<double>> time_with(Stage stage, const Side& side, const Cut& cut);
  Status bisect(Stage stage, const Side& side);
  Status leave_out(Stage stage, DecidingPass& deciding, const Side& side);
  Status leave_out_each(Stage stage, const Side& side);
  Status try_flags();
  Status compare_machine_code();
  void answer();

  Stages& stages_;
  const CauseRequest& request_;
  Clock clock_;
  Cause out_;
  std::uint64_t first_run_, first_kept_;
  bool b_is_slow_ = false;
  double fast_ns_ = 0, slow_ns_ = 0;
  /// What the stage in question works on, and whose code generation comes behind it.
  Made input_;
  const Side* back_ = nullptr;
};

Result<Mixture> Search::mixture(const Side& front, const Side& middle, const Side& back) {
  Mixture out{.by = {front.name, middle.name, back.name}};
  Made made = TRY(stages_.front_end(front, request_.source));
  if (made.ok()) made = TRY(stages_.run(Stage::optimizer, middle, made));
  if (made.ok()) made = TRY(stages_.run(Stage::code_generation, back, made));
  out.failed = made.failed;
  if (made.ok()) out.time_ns = TRY(clock_.time(made.path));
  if (made.ok() && !out.time_ns) out.failed = "its code cannot be run";
  return out;
}

/// From all stages of one compiler to all of the other, the last stage first: a newer compiler reads what an older one wrote.
Status Search::mix_stages(const Side& from, const Side& to) {
  out_.mixtures.clear();
  for (const auto& [front, middle, back] :
       {std::array{&from, &from, &from}, std::array{&from, &from, &to}, std::array{&from, &to, &to},
        std::array{&to, &to, &to}}) {
    report("exchanging stages");
    out_.mixtures.push_back(TRY(mixture(*front, *middle, *back)));
  }
  return {};
}

/// The stage whose exchange makes most of the difference.
void Search::choose_stage() {
  constexpr std::array<Stage, kStages> kExchanged{Stage::code_generation, Stage::optimizer,
                                                  Stage::front_end};
  double most = kMostOfIt;
  for (std::size_t i = 0; i < kStages && i + 1 < out_.mixtures.size(); ++i) {
    const auto before = out_.mixtures[i].time_ns, after = out_.mixtures[i + 1].time_ns;
    if (!before || !after) continue;
    const bool to_slow = out_.mixtures.back().by[0] == slow().name;
    const double made = to_slow ? share(*before, *after) : share(*after, *before);
    if (made < most) continue;
    most = made;
    out_.stage = kExchanged[i];
  }
}

/// The kernel with the stage in question by `side`, cut; the code generation behind the optimizer is whole.
Result<std::optional<double>> Search::time_with(Stage stage, const Side& side, const Cut& cut) {
  TRY(interrupt::check());
  if (used_up()) return std::optional<double>();
  report(fmt::format("bisecting the {} of {}", to_string(stage), side.name));
  Made made = TRY(stages_.run(stage, side, input_, cut));
  if (made.ok() && stage == Stage::optimizer)
    made = TRY(stages_.run(Stage::code_generation, *back_, made));
  if (!made.ok()) return std::optional<double>();
  return clock_.time(made.path);
}

Status Search::bisect(Stage stage, const Side& side) {
  const auto passes = TRY(stages_.passes(stage, side, input_));
  const auto last = static_cast<std::int64_t>(passes.size());
  const auto crossing = TRY(last_crossing(
      last, goal(), [&](std::int64_t limit) { return time_with(stage, side, {.limit = limit}); }));
  if (!crossing) return {};
  DecidingPass found{.side = side.name,
                     .stage = stage,
                     .pass = passes[static_cast<std::size_t>(crossing->pass - 1)],
                     .passes = last,
                     .before_ns = crossing->before,
                     .after_ns = crossing->after};
  if (crossing->before) {
    const double less = std::min(*crossing->before, crossing->after);
    const double more = std::max(*crossing->before, crossing->after);
    found.share = share(less, more);
  }
  TRY(leave_out(stage, found, side));
  out_.passes.push_back(std::move(found));
  return {};
}

/// What the kernel takes with all passes but one, and the two commands that differ by it.
Status Search::leave_out(Stage stage, DecidingPass& deciding, const Side& side) {
  const std::int64_t number = deciding.pass.number;
  const std::string result = stage == Stage::optimizer ? "out.bc" : "out.co";
  deciding.command_before =
      stages_.command(stage, side, {.limit = number - 1}, "in.bc", "before-" + result);
  deciding.command_after =
      stages_.command(stage, side, {.limit = number}, "in.bc", "after-" + result);
  if (!TRY(stages_.takes_intervals(side, input_))) return {};
  deciding.without_ns = TRY(time_with(stage, side, {.without = number}));
  return {};
}

/// Where the slower compiler is never fast, however many passes it runs, one of them may still be what makes it slow: each that works on the kernel is left out by itself.
Status Search::leave_out_each(Stage stage, const Side& side) {
  if (!TRY(stages_.takes_intervals(side, input_))) return {};
  const auto passes = TRY(stages_.passes(stage, side, input_));
  std::optional<DecidingPass> best;
  // The later ones first: what earlier passes leave undone is often done again.
  for (std::size_t i = passes.size(); i > 0 && !used_up(); --i) {
    const Pass& pass = passes[i - 1];
    if (pass.target.find(request_.kernel) == std::string::npos) continue;
    const auto ns = TRY(time_with(stage, side, {.without = pass.number}));
    if (!ns || share(*ns, slow_ns_) < kMostOfIt) continue;
    if (best && *best->without_ns <= *ns) continue;
    best = DecidingPass{.side = side.name,
                        .stage = stage,
                        .pass = pass,
                        .passes = static_cast<std::int64_t>(passes.size()),
                        .alone = true,
                        .before_ns = ns,
                        .after_ns = slow_ns_,
                        .without_ns = ns,
                        .share = share(*ns, slow_ns_)};
    if (*best->share >= 1 - kSomeOfIt) break;
  }
  if (!best) return {};
  const std::string result = stage == Stage::optimizer ? "out.bc" : "out.co";
  best->command_before =
      stages_.command(stage, side, {.without = best->pass.number}, "in.bc", "before-" + result);
  best->command_after = stages_.command(stage, side, {}, "in.bc", "after-" + result);
  out_.passes.push_back(std::move(*best));
  return {};
}

Status Search::try_flags() {
  for (const std::vector<std::string>& flags : flags_to_try(slow().flags, fast().flags)) {
    TRY(interrupt::check());
    if (used_up()) break;
    report("trying flags");
    Side side = slow();
    side.flags = flags;
    // Options of LLVM mean nothing to the front end.
    const bool of_passes = flags.size() > slow().flags.size() + 1 && flags.end()[-2] == "-mllvm";
    const auto mixed = TRY(mixture(of_passes ? slow() : side, side, side));
    if (!mixed.time_ns) continue;
    const double back = share(*mixed.time_ns, slow_ns_);
    if (back < kSomeOfIt) continue;
    out_.flags.push_back(
        {.flag = flags_text(slow().flags, flags), .time_ns = *mixed.time_ns, .share = back});
  }
  std::ranges::stable_sort(out_.flags, std::ranges::greater(), &DecidingFlag::share);
  return {};
}

/// Both compilers' code generation on the same bitcode, pass by pass.
Status Search::compare_machine_code() {
  const std::vector<std::string> options{"-print-changed=quiet",
                                         "-filter-print-funcs=" + request_.kernel};
  report("comparing machine code");
  const auto a = stages_.printed(Stage::code_generation, request_.a, input_, options);
  if (!a && a.error().code == Errc::interrupted) return Failure(a.error());
  const auto b = stages_.printed(Stage::code_generation, request_.b, input_, options);
  if (!b && b.error().code == Errc::interrupted) return Failure(b.error());
  if (a && b) out_.steps = compare_snapshots(read_snapshots(*a), read_snapshots(*b));
  return {};
}

std::string times_of(const DecidingPass& pass) {
  if (!pass.before_ns) return "without it the kernel does not run";
  return fmt::format("{:.4g} us {}, {:.4g} us {}", *pass.before_ns * 1e-3,
                     pass.alone ? "without it" : "before it", pass.after_ns * 1e-3,
                     pass.alone ? "with it" : "after it");
}

void Search::answer() {
  const DecidingPass* best = nullptr;
  for (const DecidingPass& pass : out_.passes) {
    // A pass of the slower compiler that makes it slow says more than one of the faster that makes it fast, which comes behind it.
    if (!pass.share || *pass.share < kMostOfIt) continue;
    if (best == nullptr) best = &pass;
  }
  out_.in_one_pass = best != nullptr;
  if (best != nullptr) {
    out_.answer = fmt::format("pass {} of the {} of {} makes it {}: {}", best->pass.text(),
                              to_string(best->stage), best->side,
                              best->side == out_.slower ? "slow" : "fast there", times_of(*best));
    return;
  }
  const std::string where = out_.stage ? fmt::format("in the {}", to_string(*out_.stage))
                                       : std::string("in no stage alone");
  out_.answer = fmt::format("not in one pass; {}", where);
  if (const MachineStep* step = widest_step(out_.steps)) {
    out_.answer += fmt::format(
        "; on the same bitcode the two part most in {}, after which {} and {} "
        "instructions stand there",
        step->pass, step->instructions_a, step->instructions_b);
  }
}

Result<Cause> Search::find() {
  const auto began = std::chrono::steady_clock::now();
  out_.slower = slow().name;
  TRY(mix_stages(fast(), slow()));
  const auto lacks = [](const Mixture& one) { return !one.time_ns; };
  if (std::ranges::any_of(out_.mixtures, lacks)) {
    std::vector<Mixture> first = std::move(out_.mixtures);
    TRY(mix_stages(slow(), fast()));
    if (std::ranges::count_if(out_.mixtures, lacks) > std::ranges::count_if(first, lacks))
      out_.mixtures = std::move(first);
  }
  choose_stage();
  const bool to_slow = out_.mixtures.back().by[0] == slow().name;
  const Side& first = to_slow ? fast() : slow();
  back_ = to_slow ? &slow() : &fast();
  if (out_.stage && *out_.stage != Stage::front_end) {
    input_ = TRY(stages_.front_end(first, request_.source));
    if (*out_.stage == Stage::code_generation)
      input_ = TRY(stages_.run(Stage::optimizer, first, input_));
    TRY(bisect(*out_.stage, slow()));
    if (out_.passes.empty()) TRY(leave_out_each(*out_.stage, slow()));
    TRY(bisect(*out_.stage, fast()));
    if (*out_.stage == Stage::code_generation) TRY(compare_machine_code());
  }
  TRY(try_flags());
  answer();
  out_.builds = stages_.runs() - first_run_;
  out_.kept = stages_.kept() - first_kept_;
  out_.runs = clock_.runs();
  out_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return std::move(out_);
}

}  // namespace

Result<Cause> find_cause(Stages& stages, const CauseRequest& request) {
  return Search(stages, request).find();
}

}  // namespace rpl::regress
