// SPDX-License-Identifier: MIT
#include "engine/optimize/store/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/numbers.h"
#include "engine/document/json.h"
#include "engine/document/records.h"

namespace rpl {
namespace {

template <class T>
void replace_or_add(std::vector<T>& all, T item) {
  const auto same = std::find_if(all.begin(), all.end(),
                                 [&](const T& held) { return held.number == item.number; });
  if (same == all.end()) {
    all.push_back(std::move(item));
  } else {
    *same = std::move(item);
  }
}

std::string optimizations_folder(const Session& session) {
  return session.folder() + "/optimizations";
}
std::string applications_folder(const Session& session) {
  return session.folder() + "/applications";
}
std::string proposals_folder(const Session& session) { return session.folder() + "/proposals"; }

std::string numbered_folder(const std::string& parent, char letter, std::int64_t number) {
  return fmt::format("{}/{}{}", parent, letter, number);
}

/// Creating a folder is the one step that two programs cannot both succeed in.
Result<std::pair<std::int64_t, std::string>> claim_folder(const std::string& parent, char letter,
                                                          std::int64_t first) {
  TRY(make_private_folder(parent));
  for (std::int64_t number = first;; ++number) {
    const std::string folder = numbered_folder(parent, letter, number);
    std::error_code error;
    if (std::filesystem::create_directory(folder, error)) return std::pair(number, folder);
    if (error)
      return fail(Errc::io,
                  fmt::format("cannot create the folder {}: {}", folder, error.message()));
  }
}

template <class T>
std::int64_t after_last(const std::vector<T>& all) {
  std::int64_t last = 0;
  for (const T& item : all) last = std::max(last, item.number);
  return last + 1;
}

}  // namespace

Result<ProposalStore> ProposalStore::read(Session& session) {
  ProposalStore out(session);
  for (const SessionEvent& event : TRY(session.events_of(SessionEventKind::optimizing))) {
    Optimization item = TRY(optimization_from(TRY(parse_json(event.body)), &out.notes_));
    item.folder = numbered_folder(optimizations_folder(session), 'o', item.number);
    replace_or_add(out.optimizations_, std::move(item));
  }
  for (Proposal& item : TRY(out.read_records(out.notes_)))
    replace_or_add(out.proposals_, std::move(item));
  for (const SessionEvent& event : TRY(session.events_of(SessionEventKind::application))) {
    Application item = TRY(application_from(TRY(parse_json(event.body)), &out.notes_));
    item.folder = numbered_folder(applications_folder(session), 'a', item.number);
    replace_or_add(out.applications_, std::move(item));
  }
  // Once for all records of a kind.
  std::ranges::sort(out.notes_);
  out.notes_.erase(std::ranges::unique(out.notes_).begin(), out.notes_.end());
  return out;
}

Result<Optimization> ProposalStore::current() const {
  if (optimizations_.empty()) {
    return fail(Errc::not_found, "no kernel is being optimized",
                "'step --source FILE.hip --capture DIR' begins with one");
  }
  return optimizations_.back();
}

Result<std::vector<Proposal>> ProposalStore::records() const {
  std::vector<std::string> told_before;
  return read_records(told_before);
}

Result<std::vector<Proposal>> ProposalStore::read_records(std::vector<std::string>& notes) const {
  std::vector<Proposal> out;
  for (const SessionEvent& event : TRY(session_->events_of(SessionEventKind::proposal))) {
    Proposal item =
        TRY(from_value<Proposal>(TRY(parse_json(event.body)), "the session's proposal", &notes));
    item.folder = numbered_folder(proposals_folder(*session_), 'p', item.number);
    out.push_back(std::move(item));
  }
  return out;
}

Result<Application> ProposalStore::application() const {
  if (!applications_.empty()) return applications_.back();
  return fail(Errc::not_found, "no application is being optimized",
              "'optimize SOURCE.hip APP' begins with one");
}

Result<Optimization> ProposalStore::optimization(std::int64_t number) const {
  for (const Optimization& item : optimizations_) {
    if (item.number == number) return item;
  }
  return fail(Errc::corrupt,
              fmt::format("the session has a proposal of an optimization {} that it does not know",
                          number));
}

Result<Proposal> ProposalStore::proposal(std::string_view reference) const {
  std::string_view digits = reference;
  if (digits.starts_with('p')) digits.remove_prefix(1);
  const auto number = whole_number<std::int64_t>(digits);
  for (const Proposal& item : proposals_) {
    if (number && item.number == *number) return item;
  }
  const std::string known = proposals_.empty()
                                ? "there is none yet: 'propose rule' makes some"
                                : fmt::format("there are p{} to p{}: 'info proposals' lists them",
                                              proposals_.front().number, proposals_.back().number);
  return fail(Errc::not_found, fmt::format("no proposal '{}'", reference), known);
}

Result<Proposal> ProposalStore::proposal_or_next(std::string_view reference) const {
  if (!reference.empty()) return proposal(reference);
  if (auto open = next_open()) return std::move(*open);
  if (!proposals_.empty()) return proposals_.back();
  return proposal("p1");
}

std::vector<Proposal> ProposalStore::of_current() const {
  std::vector<Proposal> out;
  if (optimizations_.empty()) return out;
  for (const Proposal& item : proposals_) {
    if (item.optimization == optimizations_.back().number) out.push_back(item);
  }
  return out;
}

std::optional<Proposal> ProposalStore::next_open() const {
  for (Proposal& item : of_current()) {
    if (item.open()) return std::move(item);
  }
  return std::nullopt;
}

Status ProposalStore::claim(Optimization& optimization) {
  const auto [number, folder] =
      TRY(claim_folder(optimizations_folder(*session_), 'o', after_last(optimizations_)));
  optimization.number = number;
  optimization.folder = folder;
  return {};
}

Status ProposalStore::claim(Proposal& proposal) {
  const auto [number, folder] =
      TRY(claim_folder(proposals_folder(*session_), 'p', after_last(proposals_)));
  proposal.number = number;
  proposal.folder = folder;
  return {};
}

Status ProposalStore::claim(Application& application) {
  const auto [number, folder] =
      TRY(claim_folder(applications_folder(*session_), 'a', after_last(applications_)));
  application.number = number;
  application.folder = folder;
  return {};
}

Status ProposalStore::save(const Application& application) {
  TRY(session_->append(
      {.kind = SessionEventKind::application,
       .what = fmt::format("a{} {}: {}", application.number, to_string(application.reached),
                           application.argv.front()),
       .body = to_value(application)}));
  replace_or_add(applications_, application);
  return {};
}

Status ProposalStore::save(const Optimization& optimization) {
  TRY(session_->append({.kind = SessionEventKind::optimizing,
                        .what = fmt::format("{} in {}", optimization.kernel, optimization.source),
                        .body = to_value(optimization)}));
  replace_or_add(optimizations_, optimization);
  return {};
}

Status ProposalStore::save(const Proposal& proposal) {
  TRY(session_->append(
      {.kind = SessionEventKind::proposal,
       .what = fmt::format("{} {}: {}", proposal.id(), to_string(proposal.state), proposal.title),
       .body = to_value(proposal)}));
  replace_or_add(proposals_, proposal);
  return {};
}

}  // namespace rpl
