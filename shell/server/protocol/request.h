// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include "engine/base/result.h"
#include "engine/document/value.h"

namespace rpl {

/// The longest line that is read as a request: 4 MiB.
inline constexpr std::size_t kLongestRequest = std::size_t{4} << 20U;

/// The longest text that names a request, in bytes: it comes back with every reply.
inline constexpr std::size_t kLongestId = 256;

/// What one line of `--interpreter jsonl` asks for (docs/schemas/rpl.request-1.json).
struct Request {
  enum class Kind {
    line,     ///< `text` as it would be typed
    command,  ///< the command whose words `text` are, with `arguments`
    cancel,   ///< what `cancels` names is to stop
  };
  Kind kind = Kind::line;
  std::string text;
  Record arguments;
  std::string cancels;                 ///< an id as JSON writes it
  std::optional<std::uint64_t> limit;  ///< at most so many rows
  bool progress = false;               ///< whether its asker wants to be told how far it is
};

/// A line as it was read. The id is there whenever it could be made out, so that the error can be answered to its asker.
struct ParsedRequest {
  std::string id = "null";  ///< as JSON writes it: 7, "a", null
  Result<Request> request;
};

/// Takes a line apart; any bytes. Fails with usage (what is not a request) or limit (nesting, a long id).
ParsedRequest read_request(std::string_view line);

}  // namespace rpl
