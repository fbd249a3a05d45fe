// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "shell/server/runner.h"

/// Replies of `--interpreter jsonl` (docs/schemas/rpl.reply-1.json), each one line with its end. `id` is as JSON writes it.
namespace rpl {

/// The longest result that is put into a reply: 256 MiB.
inline constexpr std::size_t kLongestResult = std::size_t{256} << 20U;

/// A document as --json writes it, on one line without its end. Fails with limit for one that is longer than kLongestResult, and as reading its rows does.
Result<std::string> document_line(const Document& document, std::optional<std::uint64_t> limit);

/// An rpl.error/1 on one line without its end.
std::string error_line(const Error& error);

/// The last reply to a request: its result, or why there is none.
std::string outcome_reply(std::string_view id, const Runner::Outcome& outcome,
                          std::optional<std::uint64_t> limit);
/// The same for a request that never ran.
std::string error_reply(std::string_view id, const Error& error);
/// The same for a result that no command made.
std::string result_reply(std::string_view id, std::string_view document);
/// On the way to it.
std::string progress_reply(std::string_view id, std::string_view what, std::uint64_t done,
                           std::uint64_t total);

}  // namespace rpl
