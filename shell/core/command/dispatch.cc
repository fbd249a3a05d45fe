// SPDX-License-Identifier: MIT
#include "shell/core/command/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "engine/base/made_files.h"
#include "shell/core/command/define.h"

namespace rpl {
namespace {

constexpr const char* kReport = "this is a bug in rpl; please report it with the command you typed";

Status check_shape(const Command& command, const Document& document) {
  for (const auto& [name, value] : document.record) {
    const bool known = std::ranges::find(document.fields, std::string_view(name), &Column::name) !=
                       document.fields.end();
    if (!known) {
      return fail(Errc::internal,
                  fmt::format("'{}' returned the undefined field '{}'", command.path, name),
                  kReport);
    }
  }
  // A result with a schema of its own, a profile document, has columns of its own too; so may what a script returns.
  const bool declared =
      command.columns.empty() || command.is_user_defined || document.schema != command.schema() ||
      std::ranges::equal(document.columns, command.columns, {}, &Column::name, &Column::name);
  if (!declared) {
    return fail(Errc::internal,
                fmt::format("'{}' returned another table than it declares", command.path), kReport);
  }
  for (const Row& row : document.rows) {
    if (row.size() == document.columns.size()) continue;
    return fail(Errc::internal,
                fmt::format("'{}' returned a row of {} cells for {} columns", command.path,
                            row.size(), document.columns.size()),
                kReport);
  }
  return {};
}

bool has_nul(const Value& value) {
  if (const auto* text = value.as<std::string>()) return text->find('\0') != std::string::npos;
  if (const auto* list = value.as<List>()) return std::ranges::any_of(*list, has_nul);
  return false;
}

/// Programs send them; files, programs and libraries would take a text that holds one for what stands before it.
Status check_texts(const Command& command, const Arguments& arguments) {
  for (const auto& [name, value] : arguments) {
    if (has_nul(value))
      return fail(Errc::usage, fmt::format("'{}': {} holds a NUL character", command.path, name),
                  "leave it out");
  }
  return {};
}

/// Commands run lines that are commands (`with`, `source`, definitions, scripts), each on the stack of the one around it.
class Nested {
 public:
  Nested() { ++depth_; }
  ~Nested() { --depth_; }
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;

  [[nodiscard]] static Status check(const Command& command) {
    constexpr int kDeepest = 200;
    if (depth_ <= kDeepest) return {};
    return fail(Errc::limit, fmt::format("commands are nested {} deep", kDeepest),
                fmt::format("does a script or a line run itself through '{}'?", command.path));
  }

 private:
  static thread_local int depth_;
};
thread_local int Nested::depth_ = 0;

/// Not given: a flag that is off.
bool is_given(const Value& value) { return !value.is_null() && !(value == Value(false)); }

/// What was defined while the program runs is lines or Lua: what it runs is asked by itself.
Status check_capabilities(const Command& command, const Arguments& arguments) {
  if (!policy().restricted || command.is_user_defined) return {};
  if (command.does.empty()) {
    return fail(Errc::internal, fmt::format("'{}' does not say what it does", command.path),
                kReport);
  }
  TRY(check_allowed(command.does, fmt::format("'{}'", command.path)));
  for (const Param& param : command.params) {
    const auto found = arguments.find(param.name);
    if (found == arguments.end() || !is_given(found->second)) continue;
    const char* dashes =
        param.kind == ParamKind::option || param.kind == ParamKind::flag ? "--" : "";
    TRY(check_allowed(param.needs,
                      fmt::format("'{}' with {}{}", command.path, dashes, param.name)));
  }
  return {};
}

}  // namespace

Result<Document> dispatch(Context& context, const Command& command, const Arguments& arguments) {
  const Nested nested;
  TRY(Nested::check(command));
  TRY(check_texts(command, arguments));
  try {
    TRY(check_capabilities(command, arguments));
    const auto force = arguments.find(kForce);
    const ReplaceScope replaces(force != arguments.end() && force->second == Value(true));
    Result<Document> made = command.run(context, arguments);
    if (!made) return Failure(std::move(made).error().or_hint("help " + command.path));
    Document document = std::move(*made);
    if (document.schema.empty()) document.schema = command.schema();
    if (document.fields.empty()) document.fields = command.fields;
    if (document.columns.empty()) document.columns = command.columns;
    if (document.scalar.empty()) document.scalar = command.scalar;
    TRY(check_shape(command, document));
    return document;
  } catch (const std::bad_alloc&) {
    return fail(Errc::limit, fmt::format("'{}' ran out of memory", command.path),
                "narrow the question, or close traces that are not needed");
  } catch (const std::exception& error) {
    return fail(Errc::internal, fmt::format("'{}' failed: {}", command.path, error.what()),
                kReport);
  }
}

}  // namespace rpl
