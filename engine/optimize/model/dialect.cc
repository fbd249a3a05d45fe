// SPDX-License-Identifier: MIT
// Facts: the documentation of the three interfaces. https://platform.openai.com/docs/api-reference/chat,
// https://platform.openai.com/docs/api-reference/responses, https://docs.anthropic.com/en/api/messages.
#include "engine/optimize/model/dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "engine/document/json.h"

namespace rpl::llm {
namespace {

struct DialectFacts {
  std::string_view name, path;
};
constexpr std::array<DialectFacts, 3> kDialects{
    {{"chat", "/chat/completions"}, {"responses", "/responses"}, {"messages", "/messages"}}};

const DialectFacts& facts_of(Dialect dialect) {
  return kDialects[static_cast<std::size_t>(dialect)];
}

Record turn_record(std::string_view role, const std::string& text) {
  return {{"role", Value(role)}, {"content", Value(text)}};
}

List turn_list(const ChatRequest& request, bool with_instructions) {
  List out;
  if (with_instructions && !request.instructions.empty())
    out.emplace_back(turn_record("system", request.instructions));
  for (const Turn& turn : request.turns)
    out.emplace_back(turn_record(turn.by_model ? "assistant" : "user", turn.text));
  return out;
}

bool is_word(std::string_view text, std::size_t at, std::size_t size) {
  const auto letter = [&](std::size_t i) {
    return i < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
  };
  return (at == 0 || !letter(at - 1)) && !letter(at + size);
}

bool mentions(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    if (is_word(text, at, word.size())) return true;
  }
  return false;
}

/// What may be left out: the rest is the question itself.
constexpr std::array<std::string_view, 6> kOptional{"temperature",           "max_tokens",
                                                    "max_completion_tokens", "max_output_tokens",
                                                    "stream_options",        "store"};

}  // namespace

std::string_view to_string(Dialect dialect) { return facts_of(dialect).name; }

std::optional<Dialect> dialect_named(std::string_view name) {
  for (const Dialect dialect : {Dialect::chat, Dialect::responses, Dialect::messages}) {
    if (to_string(dialect) == name) return dialect;
  }
  return std::nullopt;
}

std::string request_url(Dialect dialect, std::string_view base) {
  while (base.ends_with('/')) base.remove_suffix(1);
  const bool versioned = dialect != Dialect::messages || base.ends_with("/v1");
  return fmt::format("{}{}{}", base, versioned ? "" : "/v1", facts_of(dialect).path);
}

Record request_body(Dialect dialect, const ChatRequest& request,
                    const std::set<std::string>& dropped) {
  Record out{{"model", Value(request.model)}};
  const auto add = [&](std::string_view name, Value value) {
    if (!dropped.contains(std::string(name))) out.emplace_back(name, std::move(value));
  };
  if (dialect == Dialect::chat) {
    out.emplace_back("messages", turn_list(request, true));
    add(dropped.contains("max_tokens") ? "max_completion_tokens" : "max_tokens",
        Value(request.max_tokens));
    add("stream_options", Value(Record{{"include_usage", true}}));
  } else if (dialect == Dialect::responses) {
    if (!request.instructions.empty())
      out.emplace_back("instructions", Value(request.instructions));
    out.emplace_back("input", turn_list(request, false));
    add("max_output_tokens", Value(request.max_tokens));
    add("store", Value(false));
  } else {
    if (!request.instructions.empty()) out.emplace_back("system", Value(request.instructions));
    out.emplace_back("messages", turn_list(request, false));
    // Here it is not an option: the server requires it.
    out.emplace_back("max_tokens", Value(request.max_tokens));
  }
  if (request.temperature) add("temperature", Value(*request.temperature));
  out.emplace_back("stream", Value(true));
  return out;
}

std::string key_header(Dialect dialect, std::string_view name, std::string_view key) {
  if (!name.empty()) return fmt::format("{}: {}", name, key);
  return dialect == Dialect::messages ? fmt::format("x-api-key: {}", key)
                                      : fmt::format("Authorization: Bearer {}", key);
}

std::vector<std::string> further_headers(Dialect dialect) {
  if (dialect == Dialect::messages) return {"anthropic-version: 2023-06-01"};
  return {};
}

std::string refused_parameter(const Record& body, std::string_view reply) {
  const auto document = parse_json(reply);
  const Value* error = document ? document->find("error") : nullptr;
  if (!error) return "";
  const auto text_of = [&](std::string_view field) {
    const Value* value = error->find(field);
    const auto* text = value ? value->as<std::string>() : nullptr;
    return text ? std::string_view(*text) : std::string_view();
  };
  const std::string_view named = text_of("param"), sentence = text_of("message");
  for (const std::string_view name : kOptional) {
    const bool sent = std::any_of(body.begin(), body.end(),
                                  [&](const auto& field) { return field.first == name; });
    if (sent && (named == name || (named.empty() && mentions(sentence, name))))
      return std::string(name);
  }
  return "";
}

}  // namespace rpl::llm
