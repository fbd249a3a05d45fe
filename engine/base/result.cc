// SPDX-License-Identifier: MIT
#include "engine/base/result.h"

#include <array>
#include <stdexcept>

namespace rpl {

Error::Error() = default;
Error::Error(Errc kind, std::string said, std::string next)
    : code(kind), message(std::move(said)), hint(std::move(next)) {}
Error::Error(const Error& other) = default;
Error::Error(Error&& other) noexcept = default;
Error& Error::operator=(const Error& other) = default;
Error& Error::operator=(Error&& other) noexcept = default;
Error::~Error() = default;

namespace {

Error moved;

struct Row {
  Errc code;
  std::string_view name;
  int exit;
};

constexpr std::array kRows{
    Row{Errc::usage, "usage", 2},
    Row{Errc::not_found, "not_found", 1},
    Row{Errc::ambiguous, "ambiguous", 1},
    Row{Errc::corrupt, "corrupt", 1},
    Row{Errc::unsupported, "unsupported", 1},
    Row{Errc::io, "io", 1},
    Row{Errc::interrupted, "interrupted", 130},
    Row{Errc::timeout, "timeout", 124},
    Row{Errc::script, "script", 1},
    Row{Errc::missing_capability, "missing_capability", 6},
    Row{Errc::gate_failed, "gate_failed", 3},
    Row{Errc::undecided, "undecided", 4},
    Row{Errc::verification_failed, "verification_failed", 5},
    Row{Errc::denied, "denied", 1},
    Row{Errc::limit, "limit", 1},
    Row{Errc::internal, "internal", 1},
};

const Row& row(Errc code) {
  for (const Row& entry : kRows) {
    if (entry.code == code) return entry;
  }
  return kRows.back();
}

}  // namespace

Failure::Failure(Error error) : error_(new Error(std::move(error))) {}

Error* Failure::copied(const Error& error) { return new Error(error); }

void Failure::discard(Error* error) noexcept {
  if (error != &moved) delete error;
}

Error* Failure::moved_away() noexcept { return &moved; }

void Failure::insisted(const Error& error) { throw std::logic_error("no value: " + error.message); }

Failure fail(Errc code, std::string_view message, std::string_view hint) {
  return Failure(Error(code, std::string(message), std::string(hint)));
}

std::string_view to_string(Errc code) { return row(code).name; }

int exit_status(Errc code) { return row(code).exit; }

Errc errc_from_string(std::string_view name) {
  for (const Row& entry : kRows) {
    if (entry.name == name) return entry.code;
  }
  return Errc::internal;
}

Error Error::or_hint(std::string_view next) && {
  const bool for_users = code == Errc::usage || code == Errc::not_found ||
                         code == Errc::ambiguous || code == Errc::missing_capability;
  if (for_users && hint.empty()) hint = next;
  return std::move(*this);
}

Error Error::in(std::string_view where) && {
  message.insert(0, std::string(where) + ": ");
  return std::move(*this);
}

}  // namespace rpl
