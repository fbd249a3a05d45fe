// SPDX-License-Identifier: MIT
// The settings `llm …`: which language model is asked, if any. Nothing is sent while there is no endpoint.
#include "engine/optimize/model/key.h"
#include "engine/optimize/model/transport.h"
#include "shell/core/command/settings.h"
#include "shell/core/session/context.h"

namespace rpl {
namespace {

Setting llm_setting(std::string name, ParamType type, Value initial, std::string help) {
  Setting made;
  made.param.name = std::move(name);
  made.param.kind = ParamKind::positional;
  made.param.type = type;
  made.param.default_value = std::move(initial);
  made.param.help = std::move(help);
  return made;
}

bool is_given(const Value& value) {
  const auto* text = value.as<std::string>();
  return text != nullptr && !text->empty() && *text != "none";
}

Setting number_setting(std::string name, ParamType type, Value initial, double least, double most,
                       std::string help) {
  Setting made = llm_setting(std::move(name), type, std::move(initial), std::move(help));
  made.check = [least, most](const Value& value) -> Status {
    const double number = value.number().value_or(least);
    if (number >= least && number <= most) return {};
    return fail(Errc::usage, fmt::format("must lie between {:.0f} and {:.0f}", least, most));
  };
  return made;
}

void add_counts(Settings& settings) {
  constexpr double kMostTemperature = 2, kMostTokens = 1e6, kMostSeconds = 86'400,
                   kMostRequests = 1e6, kMostBudget = 1e12;
  settings.add(number_setting("llm temperature", ParamType::number, Value(0.2), 0, kMostTemperature,
                              "how much replies vary; left out for models that refuse it"));
  settings.add(number_setting("llm max-tokens", ParamType::integer, Value(8192), 1, kMostTokens,
                              "longest reply"));
  settings.add(number_setting("llm timeout", ParamType::integer, Value(600), 1, kMostSeconds,
                              "seconds that one request may take"));
  settings.add(number_setting("llm max-requests", ParamType::integer, Value(50), 0, kMostRequests,
                              "requests that one session may send, repetitions included"));
  settings.add(number_setting("llm token-budget", ParamType::integer, Value(500'000), 0,
                              kMostBudget,
                              "tokens that one session may use, questions and replies together"));
}

void add_key_settings(Settings& settings) {
  Setting variable = llm_setting("llm key-env", ParamType::string, Value(),
                                 "environment variable that holds the key; none: no key");
  variable.check = [](const Value& value) -> Status {
    if (!is_given(value) || llm::is_variable_name(*value.as<std::string>())) return {};
    return fail(Errc::usage, "takes the name of an environment variable, not a key");
  };
  settings.add(std::move(variable));
  settings.add(
      llm_setting("llm key-file", ParamType::string, Value(),
                  "file that holds the key, yours and unreadable for others; none: no file"));
  settings.add(llm_setting("llm key-command", ParamType::string, Value(),
                           "shell command that prints the key; none: no command"));
  settings.add(
      llm_setting("llm key-header", ParamType::string, Value(),
                  "header that carries the key; none: Authorization, or x-api-key for messages"));
}

}  // namespace

void add_model_settings(Settings& settings) {
  Setting endpoint = llm_setting("llm endpoint", ParamType::string, Value(),
                                 "base URL of a language model's server, as "
                                 "http://localhost:8080/v1; none: nothing is sent anywhere");
  endpoint.check = [](const Value& value) -> Status {
    // Whether http may be used is decided when something is sent: 'llm allow-http' may come later.
    if (is_given(value)) TRY(llm::check_endpoint(*value.as<std::string>(), true));
    return {};
  };
  settings.add(std::move(endpoint));
  Setting dialect = llm_setting("llm dialect", ParamType::string, Value("chat"),
                                "what the server speaks: OpenAI chat (llama.cpp, vLLM, Ollama "
                                "too), OpenAI responses, or Anthropic messages");
  dialect.param.choices = {"chat", "responses", "messages"};
  settings.add(std::move(dialect));
  settings.add(llm_setting("llm model", ParamType::string, Value(),
                           "name of the model, as the server knows it"));
  add_counts(settings);
  add_key_settings(settings);
  settings.add(llm_setting("llm consent", ParamType::boolean, Value(false),
                           "the kernel's source and profile may be sent to the endpoint"));
  settings.add(llm_setting("llm allow-http", ParamType::boolean, Value(false),
                           "http without encryption also to other machines"));
  settings.add(llm_setting("llm cassette", ParamType::string, Value(),
                           "file of recorded exchanges; none: no file"));
  Setting mode = llm_setting("llm cassette-mode", ParamType::string, Value("auto"),
                             "with a cassette: record every exchange, replay without sending, "
                             "auto: replay what is there and record the rest, or off");
  mode.param.choices = {"off", "record", "replay", "auto"};
  settings.add(std::move(mode));
}

}  // namespace rpl
