// SPDX-License-Identifier: MIT
#include "engine/tune/run/tuning.h"

#include <fmt/format.h>

#include "engine/base/interrupt.h"

namespace rpl::tune {
namespace {

std::string text_in(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  const auto* text = found == nullptr ? nullptr : found->as<std::string>();
  return text == nullptr ? std::string() : *text;
}

std::optional<double> number_in(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  return found == nullptr ? std::nullopt : found->number();
}

}  // namespace

Value to_value(const Plan& plan) {
  const std::optional<std::uint64_t> budget = plan.search.budget;
  return Value(Record{{"work", to_value(plan.work)},
                      {"strategy", Value(plan.search.strategy)},
                      {"seed", Value(std::to_string(plan.search.seed))},
                      {"seed_fraction", Value(plan.search.seed_fraction)},
                      {"prune_factor", Value(plan.search.prune_factor)},
                      {"budget", budget ? Value(*budget) : Value()},
                      {"batch", Value(std::uint64_t{plan.batch})},
                      {"executor", Value(plan.executor)},
                      {"slurm", Value(plan.slurm)},
                      {"confirm", Value(plan.confirm)}});
}

Result<Plan> plan_from(const Value& value) {
  const Value *work = value.find("work"), *slurm = value.find("slurm");
  const auto fraction = number_in(value, "seed_fraction"), prune = number_in(value, "prune_factor"),
             batch = number_in(value, "batch"), confirm = number_in(value, "confirm");
  if (work == nullptr || !fraction || !prune || !batch || !confirm || *batch < 1)
    return fail(Errc::corrupt, "the record of a tuning lacks its request");
  Plan out{.work = TRY(work_from(*work)),
           .search = {.strategy = text_in(value, "strategy"),
                      .seed_fraction = *fraction,
                      .prune_factor = *prune}};
  out.search.seed = std::strtoull(text_in(value, "seed").c_str(), nullptr, 10);
  if (const auto budget = number_in(value, "budget"))
    out.search.budget = static_cast<std::size_t>(*budget);
  out.batch = static_cast<std::size_t>(*batch);
  out.executor = text_in(value, "executor");
  out.confirm = static_cast<std::int64_t>(*confirm);
  if (slurm != nullptr && slurm->as<Record>() != nullptr) out.slurm = *slurm->as<Record>();
  return out;
}

Result<SearchOutcome> run_search(const Space& space, const SearchOptions& options,
                                 std::size_t batch, Cache& cache, Executor& executor,
                                 const Executor::Finished& keep, const Monitor& monitor) {
  Search search = TRY(Search::start(space, options));
  SearchOutcome out;
  out.budget = search.budget();
  for (auto points = search.ask(batch); !points.empty(); points = search.ask(batch)) {
    TRY(interrupt::check());
    std::vector<std::size_t> missing;
    for (const std::size_t point : points) {
      if (cache.find(point) == nullptr) missing.push_back(point);
    }
    std::size_t done = search.told() + points.size() - missing.size();
    if (!missing.empty()) {
      TRY(executor.evaluate(missing, [&](Evaluation one) -> Status {
        const std::size_t point = one.point;
        if (cache.find(point) != nullptr) return {};
        TRY(keep(one));
        cache.add(std::move(one));
        ++out.measured_now;
        monitor.report("tuning", ++done, search.budget());
        return {};
      }));
    }
    // Answers are given in the order of asking, whatever finished first: the search depends on nothing else.
    for (const std::size_t point : points) {
      const Evaluation* known = cache.find(point);
      if (known == nullptr)
        return fail(Errc::internal, fmt::format("{} was not evaluated", space.label(point)));
      out.order.push_back(point);
      search.tell(point, known->time_ns());
    }
    monitor.report("tuning", search.told(), search.budget());
  }
  out.curve = search.curve();
  out.best = search.best();
  out.model = search.model();
  return out;
}

}  // namespace rpl::tune
