// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/numbers.h"
#include "engine/document/json.h"
#include "engine/tune/run/tuning.h"

namespace rpl::tune {
namespace {

std::string folder_of(const Session& session, std::int64_t number) {
  return fmt::format("{}/tunings/n{}", session.folder(), number);
}

std::string kept_text(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  const auto* text = found == nullptr ? nullptr : found->as<std::string>();
  return text == nullptr ? std::string() : *text;
}

Result<std::int64_t> number_of(const Value& value) {
  const Value* found = value.find("tuning");
  const auto* number = found == nullptr ? nullptr : found->as<std::int64_t>();
  if (number == nullptr || *number < 1)
    return fail(Errc::corrupt, "an event of the session names a tuning without its number");
  return *number;
}

Result<Tuning> tuning_from(const Value& value) {
  Tuning out{.number = TRY(number_of(value)),
             .folder = {},
             .state = kept_text(value, "state"),
             .work_digest = kept_text(value, "work_digest"),
             .space_digest = kept_text(value, "space_digest"),
             .space = {},
             .plan = {}};
  const Value *plan = value.find("plan"), *result = value.find("result");
  if (plan == nullptr) return fail(Errc::corrupt, "the record of a tuning lacks its plan");
  out.plan = TRY(plan_from(*plan));
  if (result != nullptr) out.result = *result;
  return out;
}

}  // namespace

Result<TuningStore> TuningStore::read(Session& session) {
  TuningStore out(session);
  for (const SessionEvent& event : TRY(session.events_of(SessionEventKind::tuning))) {
    Tuning item = TRY(tuning_from(TRY(parse_json(event.body))));
    item.folder = folder_of(session, item.number);
    const auto same = std::ranges::find(out.all_, item.number, &Tuning::number);
    if (same == out.all_.end()) {
      out.all_.push_back(std::move(item));
    } else {
      *same = std::move(item);
    }
  }
  return out;
}

Result<Tuning> TuningStore::tuning(std::string_view reference) const {
  if (all_.empty())
    return fail(Errc::not_found, "nothing was tuned in this session",
                "autotune --space F --cmd-template \"./app --block {BLOCK}\"");
  std::string_view digits = reference;
  if (digits.starts_with('n')) digits.remove_prefix(1);
  const auto number =
      reference.empty() ? std::optional(all_.back().number) : whole_number<std::int64_t>(digits);
  const auto found = number ? std::ranges::find(all_, *number, &Tuning::number) : all_.end();
  if (found == all_.end())
    return fail(Errc::not_found, fmt::format("no tuning '{}'", reference),
                fmt::format("there are n{} to n{}: 'tune status' lists them", all_.front().number,
                            all_.back().number));
  Tuning out = *found;
  const std::string path = out.folder + "/space.json";
  auto space = Space::parse(TRY(read_text_file(path)));
  if (!space) return fail(Errc::corrupt, fmt::format("{}: {}", path, space.error().message));
  if (space->digest() != out.space_digest)
    return fail(Errc::corrupt,
                fmt::format("{} is not the space that {} was tuned in", path, out.id()),
                "its evaluations belong to another space");
  out.space = std::move(*space);
  return out;
}

Result<Cache> TuningStore::evaluations(const Tuning& tuning) const {
  Cache out;
  for (const SessionEvent& event : TRY(session_->events_of(SessionEventKind::evaluation))) {
    const Value body = TRY(parse_json(event.body));
    if (TRY(number_of(body)) != tuning.number) continue;
    auto one = evaluation_from(body, tuning.space);
    if (!one)
      return Failure(std::move(one).error().in(fmt::format("event {} of the session", event.id)));
    out.add(std::move(*one));
  }
  return out;
}

Result<Tuning> TuningStore::begin(Space space, Plan plan) {
  Tuning out;
  out.number = all_.empty() ? 1 : all_.back().number + 1;
  TRY(make_private_folder(session_->folder() + "/tunings"));
  // Creating a folder is the one step that two programs cannot both succeed in.
  std::error_code error;
  while (!std::filesystem::create_directory(folder_of(*session_, out.number), error)) {
    if (error)
      return fail(Errc::io, fmt::format("cannot create the folder {}: {}",
                                        folder_of(*session_, out.number), error.message()));
    ++out.number;
  }
  out.folder = folder_of(*session_, out.number);
  TRY(write_file(out.folder + "/space.json", to_json(space.to_value()) + "\n"));
  out.space_digest = space.digest();
  out.work_digest = digest_of(plan.work);
  out.space = std::move(space);
  out.plan = std::move(plan);
  TRY(save(out));
  return out;
}

Status TuningStore::save(const Tuning& tuning) {
  TRY(session_->append({.kind = SessionEventKind::tuning,
                        .what = fmt::format("{} {}: {} configurations", tuning.id(), tuning.state,
                                            tuning.space.size()),
                        .body = Value(Record{{"tuning", Value(tuning.number)},
                                             {"state", Value(tuning.state)},
                                             {"work_digest", Value(tuning.work_digest)},
                                             {"space_digest", Value(tuning.space_digest)},
                                             {"plan", to_value(tuning.plan)},
                                             {"result", tuning.result}})}));
  const auto same = std::ranges::find(all_, tuning.number, &Tuning::number);
  Tuning kept = tuning;
  kept.space = {};
  if (same == all_.end()) {
    all_.push_back(std::move(kept));
  } else {
    *same = std::move(kept);
  }
  return {};
}

Status TuningStore::keep(const Tuning& tuning, const Evaluation& evaluation) {
  Value body = to_value(evaluation, tuning.space);
  Record* record = body.as<Record>();
  record->insert(record->begin(), {"tuning", Value(tuning.number)});
  TRY(session_->append(
      {.kind = SessionEventKind::evaluation,
       .what = fmt::format("{} {}", tuning.id(), tuning.space.label(evaluation.point)),
       .body = std::move(body)}));
  return {};
}

}  // namespace rpl::tune
