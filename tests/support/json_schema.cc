// SPDX-License-Identifier: MIT
#include "tests/support/json_schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

#include "engine/base/files.h"
#include "engine/document/json.h"

namespace rpl::testing_support {
namespace {

std::string text_of(const Value& value) {
  const auto* text = value.as<std::string>();
  return text == nullptr ? to_json(value) : *text;
}

std::string type_of(const Value& value) {
  if (value.as<Record>() != nullptr) return "object";
  if (value.as<List>() != nullptr) return "array";
  if (value.as<std::string>() != nullptr) return "string";
  if (value.as<bool>() != nullptr) return "boolean";
  if (!value.number()) return "null";
  return value.as<double>() != nullptr ? "number" : "integer";
}

bool is_of(const std::string& actual, const std::string& wanted) {
  return actual == wanted || (actual == "integer" && wanted == "number");
}

class Check {
 public:
  std::vector<std::string> faults;

  void check(const Value& value, const Value& schema, const std::string& place) {
    for (const auto& [word, what] : *schema.as<Record>()) {
      if (word == "type") {
        check_type(value, what, place);
      } else if (word == "const") {
        if (!(value == what))
          fault(place, fmt::format("is {}, not {}", to_json(value), to_json(what)));
      } else if (word == "enum") {
        const List& all = *what.as<List>();
        if (std::ranges::find(all, value) == all.end())
          fault(place, fmt::format("is {}, none of {}", to_json(value), to_json(what)));
      } else if (word == "pattern") {
        const auto* text = value.as<std::string>();
        if (text != nullptr && !std::regex_search(*text, std::regex(*what.as<std::string>())))
          fault(place, fmt::format("is '{}', not like {}", *text, to_json(what)));
      } else if (word == "required") {
        for (const Value& key : *what.as<List>()) {
          if (value.as<Record>() != nullptr && value.find(text_of(key)) == nullptr)
            fault(place, "lacks " + text_of(key));
        }
      } else if (word == "properties") {
        for (const auto& [key, inner] : *what.as<Record>()) {
          if (const Value* found = value.find(key))
            check(*found, inner, place.empty() ? key : place + "." + key);
        }
      } else if (word == "additionalProperties") {
        const Value* named = schema.find("properties");
        for (const auto& [key, inner] : value.as<Record>() ? *value.as<Record>() : Record()) {
          if (named == nullptr || named->find(key) == nullptr)
            check(inner, what, place.empty() ? key : place + "." + key);
        }
      } else if (word == "items") {
        const List* items = value.as<List>();
        for (std::size_t i = 0; items != nullptr && i < items->size(); ++i)
          check((*items)[i], what, fmt::format("{}[{}]", place, i));
      } else if (word != "description" && word != "$schema" && word != "$id") {
        fault(place, "the schema says " + word + ", which this test does not know");
      }
    }
  }

 private:
  void fault(const std::string& place, const std::string& what) {
    faults.push_back(fmt::format("{}: {}", place.empty() ? "the document" : place, what));
  }

  void check_type(const Value& value, const Value& what, const std::string& place) {
    std::vector<std::string> wanted;
    if (const List* several = what.as<List>()) {
      for (const Value& one : *several) wanted.push_back(text_of(one));
    } else {
      wanted.push_back(text_of(what));
    }
    const std::string actual = type_of(value);
    if (std::ranges::none_of(wanted, [&](const std::string& one) { return is_of(actual, one); })) {
      fault(place, fmt::format("is {}, not {}", actual, fmt::join(wanted, " or ")));
    }
  }
};

}  // namespace

std::vector<std::string> schema_faults(const Value& value, const Value& schema) {
  Check all;
  all.check(value, schema, "");
  return all.faults;
}

std::vector<std::string> faults_of_document(const std::string& json, const std::string& folder) {
  const auto document = parse_json(json);
  if (!document) return {document.error().message};
  const Value* name = document->find("schema");
  if (name == nullptr) return {"the document names no schema"};
  std::string file = text_of(*name);
  std::ranges::replace(file, '/', '-');
  const auto text = read_text_file(fmt::format("{}/{}.json", folder, file));
  if (!text) return {text.error().message};
  const auto schema = parse_json(*text);
  if (!schema) return {schema.error().message};
  return schema_faults(*document, *schema);
}

}  // namespace rpl::testing_support
