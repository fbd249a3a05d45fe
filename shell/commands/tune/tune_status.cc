// SPDX-License-Identifier: MIT
// tune status, best, resume, simulate, export, import: what tunings of the session found, and going on with them.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/monitor.h"
#include "engine/base/numbers.h"
#include "engine/base/output_file.h"
#include "engine/plot/svg.h"
#include "shell/commands/tune/tuning.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/one_argument.h"
#include "shell/core/inputs/plot_output.h"
#include "shell/core/session/session_log.h"
#include "shell/render/pictures/text_pictures.h"

namespace rpl {
namespace {

struct TuningArgs {
  std::string tuning;
};

Bound tuning_arg() { return arg("tuning", &TuningArgs::tuning, "n1; default: the last one"); }

/// Evaluations of a tuning or of a cache file, whichever the name means.
struct Known {
  std::string name;
  tune::Space space;
  tune::Cache cache;
  tune::SearchOptions search;
  std::vector<std::size_t> order;
};

Result<Known> known_of(SessionLog& log, const std::string& name) {
  std::error_code ignored;
  Known out;
  if (!name.empty() && std::filesystem::is_regular_file(name, ignored)) {
    auto file = tune::read_cache(TRY(read_text_file(name)));
    if (!file) return Failure(std::move(file).error().in(name));
    for (const std::string& note : file->notes) {
      if (log.monitor().note) log.monitor().note(note);
    }
    out = {.name = name,
           .space = std::move(file->space),
           .cache = std::move(file->cache),
           .search = {},
           .order = {}};
  } else {
    const tune::TuningStore store = TRY(kept_tunings(log));
    tune::Tuning tuning = TRY(store.tuning(name));
    tune::Cache cache = TRY(store.evaluations(tuning));
    out = {.name = tuning.id(),
           .space = std::move(tuning.space),
           .cache = std::move(cache),
           .search = tuning.plan.search,
           .order = {}};
  }
  for (const tune::Evaluation& one : out.cache.all()) out.order.push_back(one.point);
  return out;
}

std::vector<double> curve_of(const Known& known) {
  std::vector<double> out;
  double best = 0;
  for (const std::size_t point : known.order) {
    const auto time = known.cache.find(point)->time_ns();
    if (time && (best == 0 || *time < best)) best = *time;
    out.push_back(best);
  }
  return out;
}

struct TuningRow {
  std::string id;
  std::string_view state;
  std::string strategy, target;
  std::size_t space = 0, evaluated = 0, failed = 0;
  std::int64_t requeued = 0;
  std::optional<double> best_ns;
  std::optional<std::string> best;
};

constexpr auto kStatusColumns = bound_to<TuningRow>(
    column<&TuningRow::id>("tuning", "its id").as(Type::id),
    column<&TuningRow::state>("state", "done or unfinished: running or killed"),
    column<&TuningRow::strategy>("strategy", "how it searches").if_room(),
    column<&TuningRow::target>("target", "where"),
    column<&TuningRow::space>("search_space_size", "configurations").if_room(),
    column<&TuningRow::evaluated>("evaluated_configs", "evaluated so far"),
    column<&TuningRow::failed>("failed_configs", "of them failed").if_room(),
    column<&TuningRow::requeued>("requeued", "evaluations that a batch system had to run again")
        .if_room(),
    column<&TuningRow::best_ns>("best_ns", "the fastest time"),
    column<&TuningRow::best>("best", "its configuration"));

constexpr auto kStatusFields = bound_to<tune::TuningStore>(
    column<&tune::TuningStore::all, &how_many<std::vector<tune::Tuning>>>("tunings",
                                                                          "how many there are"));

TuningRow row_of(const tune::Tuning& tuning, const tune::Cache& cache) {
  const tune::Evaluation* best = cache.best();
  TuningRow out{.id = tuning.id(),
                .state = tuning.state == "done" ? "done" : "unfinished",
                .strategy = tuning.plan.search.strategy,
                .target = tune::shown_target(tuning),
                .space = tuning.space.size(),
                .evaluated = cache.size(),
                .failed = cache.failures(),
                .best_ns = {},
                .best = {}};
  for (const tune::Evaluation& one : cache.all()) out.requeued += one.requeued;
  if (best != nullptr) {
    out.best_ns = best->time_ns();
    out.best = tuning.space.label(best->point);
  }
  return out;
}

Result<Document> run_status(const TuningArgs& args, SessionLog& log) {
  const tune::TuningStore store = TRY(kept_tunings(log));
  std::vector<TuningRow> rows;
  for (const tune::Tuning& each : store.all()) {
    if (!args.tuning.empty() && each.id() != args.tuning &&
        std::to_string(each.number) != args.tuning)
      continue;
    const tune::Tuning tuning = TRY(store.tuning(each.id()));
    rows.push_back(row_of(tuning, TRY(store.evaluations(tuning))));
  }
  if (!args.tuning.empty() && rows.empty()) return Failure(store.tuning(args.tuning).error());
  Document out;
  out.put(kStatusFields, store);
  out.table(kStatusColumns, rows);
  out.next = {"tune best", "tune resume", "plot tuning"};
  return out;
}

/// The fastest configuration of what is known.
struct Best {
  const Known* known = nullptr;
  const tune::Evaluation* evaluation = nullptr;

  [[nodiscard]] Record parameters() const { return known->space.configuration(evaluation->point); }
  [[nodiscard]] std::string defines() const {
    std::string out;
    for (const auto& [name, value] : parameters())
      out += fmt::format("{}-D{}={}", out.empty() ? "" : " ", name, tune::choice_text(value));
    return out;
  }
};

constexpr auto kBestFields = bound_to<Best>(
    column<&Best::known, &Known::name>("tuning", "its id, or the cache file"),
    column<&Best::parameters>("parameters", "of the fastest"),
    column<&Best::evaluation, &tune::Evaluation::time_ns>("time_ns", "its time"),
    column<&Best::evaluation, &tune::Evaluation::time_source>(
        "time_source", "modelled, measured, host, program or recorded"),
    column<&Best::evaluation, &tune::Evaluation::verified>("verified", "what it passed"),
    column<&Best::defines>("defines", "the same for a compiler"),
    column<&Best::evaluation, &tune::Evaluation::facts>("facts",
                                                        "resources of its code, as far as known"));

std::string best_value_text(const tune::Importance& importance) {
  return tune::choice_text(importance.best_value);
}

constexpr auto kImportanceColumns = bound_to<tune::Importance>(
    column<&tune::Importance::parameter>("parameter", "its name"),
    column<&tune::Importance::share>("share",
                                     "of the variance of log times that it explains alone"),
    column<&best_value_text>("best_value", "the value with the least mean log time"));

Result<Document> run_best(const TuningArgs& args, SessionLog& log) {
  const Known known = TRY(known_of(log, args.tuning));
  const tune::Evaluation* best = known.cache.best();
  if (best == nullptr)
    return fail(Errc::undecided, fmt::format("no configuration of {} ran and verified", known.name),
                "tune status");
  Document out;
  out.put(kBestFields, Best{&known, best});
  out.table(kImportanceColumns, tune::importance_of(known.space, known.cache));
  out.provenance = best->time_source == "modelled" ? Provenance::modelled : Provenance::measured;
  return out;
}

Result<Document> run_resume(const TuningArgs& args, Inputs inputs, SessionLog& log, Screen screen) {
  Session* session = TRY(log.needed());
  tune::TuningStore store = TRY(tune::TuningStore::read(*session));
  tune::Tuning tuning = TRY(store.tuning(args.tuning));
  return run_tuning(inputs, screen, store, tuning);
}

struct SimulateArgs {
  std::string tuning, strategy = "guided";
  std::int64_t seed = 0, budget = 0, seeds = 21;
  double seed_fraction = 0.2, prune_factor = 1.75;
};

/// What a strategy found in what is known.
struct Simulated {
  std::size_t space = 0, cached = 0, evaluated = 0;
  std::string strategy;
  std::optional<tune::TimedConfiguration> best;
  std::optional<double> optimum_ns;
  const tune::Race* race = nullptr;
  std::optional<double> r2;
};

constexpr auto kSimulateFields = bound_to<Simulated>(
    column<&Simulated::space>("search_space_size", "configurations of the space"),
    column<&Simulated::cached>("cached_configs", "of which something is known"),
    column<&Simulated::evaluated>("evaluated_configs", "that the strategy asked for"),
    column<&Simulated::strategy>("strategy", "which"),
    column<&Simulated::best>("best_config", "parameters and runtime_ms of the best it found"),
    column<&Simulated::optimum_ns>("optimum_ns", "the fastest of all known"),
    column<&Simulated::race, &tune::Race::median>(
        "median_evaluations",
        "to within 5 % of the optimum, over the seeds; one more than there are: never")
        .in(Unit::count),
    column<&Simulated::race, &tune::Race::random_median>("random_median_evaluations",
                                                         "the same for random search")
        .in(Unit::count),
    column<&Simulated::r2>("r2", "of its model by cross-validation; null without one"));

Result<Document> run_simulate(const SimulateArgs& args, SessionLog& log, Monitor& monitor,
                              Screen screen) {
  const Known known = TRY(known_of(log, args.tuning));
  const tune::CacheFile part = tune::cached_part(known.space, known.cache);
  if (part.cache.best() == nullptr)
    return fail(Errc::usage, fmt::format("{} has no configuration with a time", known.name),
                "tune status");
  tune::SearchOptions options{.strategy = args.strategy,
                              .seed = static_cast<std::uint64_t>(args.seed),
                              .seed_fraction = args.seed_fraction,
                              .prune_factor = args.prune_factor};
  if (args.budget > 0) options.budget = static_cast<std::size_t>(args.budget);
  monitor.report("simulating", 0, 0);
  const tune::Simulation run = TRY(tune::simulate(part.space, part.cache, options));
  const tune::Race race = TRY(tune::race_against_random(part.space, part.cache, options,
                                                        static_cast<std::size_t>(args.seeds)));
  Document out;
  out.put(kSimulateFields,
          Simulated{known.space.size(), part.space.size(), run.order.size(), args.strategy,
                    tune::timed(part.space, run.best ? part.cache.find(*run.best) : nullptr),
                    part.cache.best()->time_ns(), &race, run.model.r2});
  out.table(tune::kEvaluationColumns, tune::evaluation_rows(part.space, part.cache, run.order));
  if (part.space.size() < known.space.size())
    out.notes.push_back(
        fmt::format("{} of {} configurations were measured: the strategy chose among those alone",
                    part.space.size(), known.space.size()));
  out.text = fmt::format(
      "{} on {} known configurations, nothing ran\n{} evaluations, best {}\nto within 5 % of the "
      "best of all, median of {} seeds: {} {:g} evaluations, random {:g}\n",
      args.strategy, part.space.size(), run.order.size(),
      run.best ? part.space.label(*run.best) : "none", args.seeds, args.strategy, race.median,
      race.random_median);
  out.text += convergence_text({.best_ns = race.curve,
                                .name = args.strategy + " (median)",
                                .other_ns = race.random_curve,
                                .other_name = "random"},
                               screen);
  out.provenance = Provenance::recorded;
  return out;
}

struct CacheArgs {
  std::string tuning, output;
};

struct CacheCopy {
  std::string name;  ///< of the file, or the tuning that it became
  std::size_t evaluations = 0;
};

constexpr auto kExportFields =
    bound_to<CacheCopy>(column<&CacheCopy::name>("path", "the file"),
                        column<&CacheCopy::evaluations>("evaluations", "in it"));
constexpr auto kImportFields =
    bound_to<CacheCopy>(column<&CacheCopy::name>("tuning", "its id").as(Type::id),
                        column<&CacheCopy::evaluations>("evaluations", "in it"));

Result<Document> run_export(const CacheArgs& args, SessionLog& log) {
  Known known = TRY(known_of(log, args.tuning));
  const std::size_t count = known.cache.size();
  TRY(write_named_file(args.output, tune::cache_text({.space = std::move(known.space),
                                                      .cache = std::move(known.cache),
                                                      .about = {{"tuning", Value(known.name)}}})));
  Document out;
  out.put(kExportFields, CacheCopy{args.output, count});
  out.text = fmt::format("wrote {}: {} evaluations\n", args.output, count);
  out.next = {"tune simulate " + args.output};
  return out;
}

Result<Document> run_import(const FileArgs& args, SessionLog& log) {
  auto file = tune::read_cache(TRY(read_text_file(args.file)));
  if (!file) return Failure(std::move(file).error().in(args.file));
  Session* session = TRY(log.needed());
  tune::TuningStore store = TRY(tune::TuningStore::read(*session));
  tune::Plan plan;
  plan.executor = "recorded";
  tune::Tuning tuning = TRY(store.begin(file->space, std::move(plan)));
  for (const tune::Evaluation& one : file->cache.all()) TRY(store.keep(tuning, one));
  tuning.state = "done";
  TRY(store.save(tuning));
  Document out;
  out.put(kImportFields, CacheCopy{tuning.id(), file->cache.size()});
  out.notes = std::move(file->notes);
  out.text = fmt::format("{}: {} evaluations of {} configurations\n", tuning.id(),
                         file->cache.size(), file->space.size());
  out.next = {"tune best " + tuning.id(), "tune simulate " + tuning.id()};
  return out;
}

struct TuningPlotArgs : PlotOutputArgs {
  std::string tuning;
};

Result<Document> run_plot(const TuningPlotArgs& args, SessionLog& log, Screen screen) {
  const Known known = TRY(known_of(log, args.tuning));
  const std::vector<double> best = curve_of(known);
  Document out;
  std::string text =
      convergence_text({.best_ns = best, .name = known.name}, picture_canvas(screen, args));
  if (text.empty()) text = "there is nothing to draw: fewer than two evaluations\n";
  constexpr std::int64_t kUsual = 900, kWidest = 10000;
  const int width = static_cast<int>(args.width > 0 ? std::min(args.width, kWidest) : kUsual);
  TRY(show_or_write(out, args, best.size(), text, [&] {
    return svg_convergence("Best so far: " + known.name, {{.name = known.name, .best_ns = best}},
                           width);
  }));
  return out;
}

constexpr const char* kEither =
    "A tuning of the session, or a cache file that `tune export` wrote.";

void add_looking(Registry& registry) {
  add(registry,
      command(Command{.path = "tune status",
                      .does = kReads,
                      .chapter = Class::tuning,
                      .summary = "List the tunings of the session.",
                      .help = "How far each is and what it found. One that is unfinished goes on "
                              "with `tune resume`.",
                      .fields = described(kStatusFields),
                      .columns = described(kStatusColumns),
                      .scalar = "tunings",
                      .examples = {"tune status"}},
              {tuning_arg()}, run_status));
  add(registry,
      command(Command{.path = "tune best",
                      .does = kReads,
                      .chapter = Class::tuning,
                      .summary = "Show the fastest configuration of a tuning, and what mattered.",
                      .help = kEither,
                      .fields = described(kBestFields),
                      .columns = described(kImportanceColumns),
                      .scalar = "defines",
                      .examples = {"tune best CACHE"}},
              {arg("tuning", &TuningArgs::tuning, "n1 or a cache file; default: the last tuning")
                   .completes(Complete::file)},
              run_best));
}

void add_going_on(Registry& registry) {
  add(registry,
      command(
          Command{.path = "tune resume",
                  .does = kKeeps,
                  .may = {Capability::run},
                  .chapter = Class::tuning,
                  .summary = "Go on with a tuning that was stopped or killed.",
                  .help = "What was measured is not measured again; the search asks the same as it "
                          "would have, and ends the same. One that is done is judged again.",
                  .fields = described(tune::tuning_fields()),
                  .columns = described(tune::kEvaluationColumns),
                  .scalar = "speedup",
                  .examples = {"tune resume"}},
          {tuning_arg()}, run_resume));
  add(registry,
      command(
          Command{.path = "tune simulate",
                  .does = kKeeps,
                  .chapter = Class::tuning,
                  .summary = "Run a strategy on what is known already; nothing is measured.",
                  .help = "On a tuning of the session, or a cache file that `tune export` wrote. "
                          "The strategy is held against random search over several seeds.",
                  .fields = described(kSimulateFields),
                  .columns = described(tune::kEvaluationColumns),
                  .scalar = "median_evaluations",
                  .examples = {"tune simulate CACHE --strategy local"}},
          {arg("tuning", &SimulateArgs::tuning, "n1 or a cache file; default: the last tuning")
               .completes(Complete::file),
           option("strategy", &SimulateArgs::strategy, "which")
               .one_of({"guided", "phases", "random", "local", "exhaustive"}),
           option("seed", &SimulateArgs::seed, "of the run that is shown").in(at_least(0)),
           option("seeds", &SimulateArgs::seeds, "how many the medians are of").in(within(1, 1000)),
           option("budget", &SimulateArgs::budget, "most evaluations; 0: as autotune")
               .in(at_least(0)),
           option("seed-fraction", &SimulateArgs::seed_fraction, "as of autotune"),
           option("prune-factor", &SimulateArgs::prune_factor, "as of autotune")},
          run_simulate));
}

void add_caches(Registry& registry) {
  add(registry,
      command(Command{.path = "tune export",
                      .does = {Capability::read, Capability::write},
                      .chapter = Class::tuning,
                      .summary = "Write the evaluations of a tuning to a cache file.",
                      .help = "The space and every evaluation, failed ones with their reason: "
                              "`tune simulate`, `tune best` and `tune import` read it.",
                      .fields = described(kExportFields),
                      .scalar = "path",
                      .examples = {"tune export CACHE -o copy.json"}},
              {arg("tuning", &CacheArgs::tuning, "n1 or a cache file; default: the last tuning")
                   .completes(Complete::file),
               option("output", &CacheArgs::output, "the file")
                   .or_letter('o')
                   .needs({Capability::write})
                   .writes_file()
                   .named("FILE")
                   .required()
                   .completes(Complete::file)},
              run_export));
  add(registry, command(Command{.path = "tune import",
                                .does = kKeeps,
                                .chapter = Class::tuning,
                                .summary = "Take the evaluations of a cache file into the session.",
                                .help = "They become a tuning that is done.",
                                .fields = described(kImportFields),
                                .scalar = "tuning",
                                .examples = {"tune import CACHE"}},
                        {arg("file", &FileArgs::file, "what `tune export` wrote")
                             .required()
                             .completes(Complete::file)},
                        run_import));
}

void add_picture(Registry& registry) {
  add(registry,
      command<TuningPlotArgs>(
          Command{.path = "plot tuning",
                  .does = kReads,
                  .chapter = Class::exporting,
                  .summary = "Draw the best so far of a tuning against its evaluations.",
                  .help = kEither,
                  .fields = picture_fields("evaluations in the picture"),
                  .scalar = "points",
                  .examples = {"plot tuning CACHE"}},
          with_plot_output<TuningPlotArgs>({arg("tuning", &TuningPlotArgs::tuning,
                                                "n1 or a cache file; default: the last tuning")
                                                .completes(Complete::file)}),
          run_plot));
}

}  // namespace

Result<tune::TuningStore> kept_tunings(SessionLog& log) {
  auto session = log.existing();
  if (!session && session.error().code == Errc::not_found)
    return fail(Errc::not_found, "nothing was tuned here",
                "autotune --space F --cmd-template \"./app --block {BLOCK}\"");
  return tune::TuningStore::read(*TRY(std::move(session)));
}

void add_tune_commands(Registry& registry) {
  add_looking(registry);
  add_going_on(registry);
  add_caches(registry);
  add_picture(registry);
}

}  // namespace rpl
