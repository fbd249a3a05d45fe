// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/document/value.h"
#include "engine/optimize/model/chat.h"

namespace rpl::llm {

enum class CassetteMode {
  off,
  record,     ///< sends, and keeps every reply
  replay,     ///< sends nothing: what was not recorded is an error
  automatic,  ///< replays what was recorded, sends and keeps the rest
};
std::string_view to_string(CassetteMode mode);
std::optional<CassetteMode> cassette_mode_named(std::string_view name);

/// A reply as the bytes that came, with the request that they answer.
struct Recording {
  std::string key;  ///< of `request`
  Dialect dialect = Dialect::chat;
  Record request;            ///< canonical, see canonical_request()
  std::string content_type;  ///< of the reply
  std::string body;
  std::size_t line = 0;  ///< in the file, 1-based; 0: not written yet
};

/// What of a request decides the reply: dialect and body without fields about transport (`stream`, `stream_options`, `store`), keys sorted.
/// Host, port, headers and key are no part of it.
Record canonical_request(Dialect dialect, const Record& body);
/// SHA-256 of the canonical request as JSON.
std::string request_key(const Record& canonical);

/// Exchanges with a model in a file of JSON lines, one each: {"key", "dialect", "request", "content_type", "body"}; "body_hex" in place of
/// "body" when that is not UTF-8.
class Cassette {
 public:
  /// Reads a file; an absent one is empty, except for `replay`: not_found. Fails with corrupt, naming file and line: a record whose key does not
  /// belong to its request was edited, and is refused.
  static Result<Cassette> open(const std::string& path, CassetteMode mode);

  /// The recording of a request; asked again, the next one of the same request, at last always the last one.
  const Recording* next(const std::string& key);
  /// Adds one to the end of the file, which only its owner may read. Fails with io.
  Status append(Recording recording);
  /// not_found, saying in what the nearest recording differs: the first field or line of text.
  [[nodiscard]] Error missing(const Record& canonical) const;

  [[nodiscard]] const std::vector<Recording>& recordings() const { return recordings_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::vector<Recording> recordings_;
  std::map<std::string, std::size_t> used_;  ///< by key: how often it was asked for
};

/// The one recording of a line of such a file. Fails with corrupt.
Result<Recording> read_recording(std::string_view line);

/// How much of two canonical requests agrees: bytes of equal fields and of the equal beginnings of their texts.
std::size_t likeness(const Record& recorded, const Record& asked);

/// "temperature is 0.2 there and 0.7 here", "messages[1].content, line 12: there '…', here '…'". The requests differ.
std::string first_difference(const Record& recorded, const Record& asked);

}  // namespace rpl::llm
