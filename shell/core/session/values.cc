// SPDX-License-Identifier: MIT
#include "shell/core/session/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "engine/base/numbers.h"
#include "engine/device/debug/registers.h"
#include "engine/document/held_bytes.h"

namespace rpl {
namespace {

bool name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Takes "$name", "$3", "$", "$$2" off the front of the expression.
std::string_view take_head(std::string_view& expression) {
  std::size_t end = 1;
  if (expression.starts_with("$$")) end = 2;
  while (end < expression.size() && name_char(expression[end])) ++end;
  const std::string_view head = expression.substr(0, end);
  expression.remove_prefix(end);
  return head;
}

Result<Value> member(const Value& value, std::string_view key, std::string_view whole) {
  if (const Value* found = value.find(key)) return *found;
  std::string keys;
  if (const auto* record = value.as<Record>()) {
    for (const auto& [name, held] : *record) keys += (keys.empty() ? "" : ", ") + name;
  }
  return fail(Errc::not_found, fmt::format("no '{}' in '{}'", key, whole),
              keys.empty() ? "the value before it has no fields" : "it has: " + keys);
}

Result<Value> element(const Value& value, std::string_view index, std::string_view whole) {
  const auto* list = value.as<List>();
  const auto number = whole_number<std::size_t>(index);
  if (!list || !number) {
    return fail(Errc::usage, fmt::format("'[{}]' does not fit in '{}'", index, whole),
                "rows and lists are indexed by a number from 1");
  }
  if (*number == 0 || *number > list->size()) {
    return fail(Errc::not_found, fmt::format("no element {} in '{}'", index, whole),
                fmt::format("it has {}", list->size()));
  }
  return (*list)[*number - 1];
}

}  // namespace

std::size_t Values::add(std::shared_ptr<const Document> document, Limits limits, bool printed) {
  const std::size_t bytes = held_bytes(*document);
  history_.push_back({std::move(document), bytes, printed});
  bytes_ += bytes;
  const auto too_many = [&] {
    return (limits.count > 0 && history_.size() > limits.count) ||
           (limits.bytes > 0 && bytes_ > limits.bytes);
  };
  while (history_.size() > 1 && too_many()) {
    bytes_ -= history_.front().bytes;
    history_.pop_front();
    ++gone_;
  }
  return last();
}

void Values::set(std::string name, Value value) { variables_[std::move(name)] = std::move(value); }

Status Values::assign(std::string name, Value value) {
  if (debug::is_kernel_name(name))
    return fail(Errc::denied, fmt::format("${} belongs to the kernel that is stopped", name),
                "'set $v2 = 5' writes a register while one is; variables have other names");
  set(std::move(name), std::move(value));
  return {};
}

/// The number of the result `steps` before the last one.
std::optional<std::size_t> Values::back_from_last(std::size_t steps) const {
  const bool printed =
      counts_printed && counts_printed() && std::ranges::any_of(history_, &Held::printed);
  if (!printed) return steps < last() ? std::optional(last() - steps) : std::nullopt;
  for (std::size_t number = last(); number >= first(); --number) {
    if (history_[number - first()].printed && steps-- == 0) return number;
  }
  return std::nullopt;
}

std::shared_ptr<const Document> Values::at(std::size_t number) const {
  return number < first() || number > last() ? nullptr : history_[number - first()].document;
}

std::optional<std::size_t> Values::number_of(std::string_view name) const {
  if (name == "$") return back_from_last(0);
  if (!name.starts_with("$$")) return whole_number<std::size_t>(name.substr(1));
  const auto back =
      name == "$$" ? std::optional<std::size_t>(1) : whole_number<std::size_t>(name.substr(2));
  return back ? back_from_last(*back) : std::nullopt;
}

Result<std::shared_ptr<const Document>> Values::numbered(std::string_view head) const {
  const std::optional<std::size_t> number = number_of(head);
  if (auto document = number ? at(*number) : nullptr) return document;
  if (number && *number > 0 && *number < first()) {
    return fail(Errc::not_found, fmt::format("the value {} is kept no longer", head),
                fmt::format("${} to ${} are; for more: set history values N, set history bytes N",
                            first(), last()));
  }
  return fail(Errc::not_found, fmt::format("no value {}", head),
              history_.empty() ? "no command has returned a value yet"
                               : fmt::format("values go from ${} to ${}", first(), last()));
}

bool Values::is_computed_address(std::string_view word) {
  const std::size_t end = word.find_first_of(",+-*");
  return end != std::string_view::npos && end > 1 && debug::is_kernel_name(word.substr(1, end - 1));
}

/// For variables of GDB and rocgdb that are not here.
static std::string_view instead_of(std::string_view name) {
  struct Other {
    std::string_view names, instead;
  };
  static constexpr Other kOthers[] = {
      {"$_thread $_wave $_gthread $_inferior $_wave_id $_thread_systag",
       "threads are waves: 'print $wave', 'print $workgroup'"},
      {"$_lane $_lane_index $_lane_systag", "'print $lane'; 'lane 5' selects another"},
      {"$_wg", "'print $workgroup'"},
      {"$_exitcode $_exitsignal", "a kernel has no exit code: 'info target' says whether it ended"},
      {"$_lane_workgroup_pos", "'print threadIdx', 'print $lane'"},
      {"$_thread_workgroup_pos", "'print $wave'"},
      {"$_dispatch $_dispatch_pos $_dispatch_id",
       "'print blockIdx', 'print gridDim'; 'info target'"},
      {"$_siginfo", "kernels get no signals: a fault stops them where it is; 'where' shows it"},
  };
  for (const Other& one : kOthers) {
    if ((" " + std::string(one.names) + " ").find(" " + std::string(name) + " ") !=
        std::string::npos)
      return one.instead;
  }
  if (name.starts_with("$vgpr") || name.starts_with("$sgpr"))
    return "registers are $v2, $s4, $v[2:3]; 'info registers vgpr'";
  return "'show convenience' lists them; 'set $x = 3' makes one";
}

std::optional<Value> Values::variable(std::string_view name) const {
  if (const auto found = variables_.find(name); found != variables_.end()) return found->second;
  return computed ? computed(name) : std::nullopt;
}

Result<Value> Values::lookup(std::string_view expression) const {
  const std::string_view whole = expression;
  const std::string_view head = take_head(expression);
  Value value;
  const bool is_variable =
      head.size() > 1 && (std::isalpha(static_cast<unsigned char>(head[1])) != 0 || head[1] == '_');
  if (is_variable) {
    auto found = variable(head.substr(1));
    if (!found) {
      return fail(Errc::not_found, fmt::format("no variable {}", head), instead_of(head));
    }
    value = std::move(*found);
  } else {
    value = TRY(as_value(*TRY(numbered(head))));
  }
  while (!expression.empty()) {
    const char kind = expression[0];
    expression.remove_prefix(1);
    const std::size_t end = kind == '[' ? expression.find(']') : expression.find_first_of(".[");
    const std::string_view part = expression.substr(0, end);
    if ((kind != '.' && kind != '[') || part.empty() ||
        (kind == '[' && end == std::string_view::npos)) {
      return fail(Errc::usage, fmt::format("cannot read '{}'", whole),
                  "write $3.rows[1].id or $kernel");
    }
    value = TRY(kind == '[' ? element(value, part, whole) : member(value, part, whole));
    expression.remove_prefix(kind == '[' ? end + 1 : part.size());
  }
  return value;
}

Result<Value> as_value(const Document& document, std::uint64_t limit) {
  Record all = document.record;
  if (document.has_table()) {
    List rows;
    bool too_many = false;
    TRY(document.each_row([&](const Row& row) {
      too_many = rows.size() >= limit;
      if (too_many) return false;
      Record record;
      for (std::size_t i = 0; i < document.columns.size(); ++i) {
        record.emplace_back(document.columns[i].name, row[i]);
      }
      rows.emplace_back(std::move(record));
      return true;
    }));
    if (too_many) {
      return fail(Errc::limit, fmt::format("more than {} rows", limit),
                  "narrow it with a filter or --limit");
    }
    all.emplace_back("rows", Value(std::move(rows)));
  }
  return Value(std::move(all));
}

std::string as_text(const Value& value) {
  if (const auto* text = value.as<std::string>()) return *text;
  if (const auto* integer = value.as<std::int64_t>()) return std::to_string(*integer);
  if (const auto* real = value.as<double>()) return fmt::format("{}", *real);
  if (const auto* state = value.as<bool>()) return *state ? "true" : "false";
  return {};
}

}  // namespace rpl
