// SPDX-License-Identifier: MIT
// space load, define, count: the configurations that tuning chooses among.
#include <fmt/format.h>

#include "engine/base/files.h"
#include "engine/base/output_file.h"
#include "engine/document/json.h"
#include "shell/commands/tune/tuning.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/one_argument.h"
#include "shell/core/session/script_host.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

struct NamedSpace {
  const tune::Space* space = nullptr;
  std::string file;
};

Record default_of(const tune::Space& space) { return space.configuration(space.default_point()); }

constexpr auto kSpaceFields = bound_to<NamedSpace>(
    column<&NamedSpace::space, &tune::Space::size>("search_space_size",
                                                   "configurations that meet the constraints"),
    column<&NamedSpace::space, &default_of>("default", "the configuration that is measured first"),
    column<&NamedSpace::space, &tune::Space::digest>("digest", "equal for equal spaces"),
    column<&NamedSpace::file>("file", "where it stands; null for nowhere").or_null());

std::string values_of(const tune::Parameter& parameter) {
  std::string out;
  for (const Value& value : parameter.values)
    out += (out.empty() ? "" : ", ") + tune::choice_text(value);
  return out;
}

constexpr auto kSpaceColumns = bound_to<tune::Parameter>(
    column<&tune::Parameter::name>("parameter", "its name"),
    column<&tune::Parameter::values, &how_many<std::vector<Value>>>("values", "how many it has"),
    column<&tune::Parameter::ordered>("ordered", "all are numbers: near ones are alike"),
    column<&values_of>("list", "the values"));

Document space_document(const tune::Space& space, const std::string& file) {
  Document out;
  out.put(kSpaceFields, NamedSpace{&space, file});
  out.table(kSpaceColumns, space.parameters());
  out.next = {"autotune --cmd-template \"./app {" + space.parameters().front().name + "}\""};
  return out;
}

Result<Document> load_space(const FileArgs& args, Workspace& workspace, ScriptHost& scripts) {
  workspace.space = TRY(space_named(workspace, scripts, args.file));
  return space_document(*workspace.space, args.file);
}

struct SpaceFileArgs {
  std::string file;
};

Result<Document> count_space(const SpaceFileArgs& args, Workspace& workspace, ScriptHost& scripts) {
  return space_document(*TRY(space_named(workspace, scripts, args.file)), args.file);
}

struct SpaceDefineArgs {
  std::vector<std::string> parameters, where, fixed;
  std::string lua, output;
};

/// A number, true or false, else a text.
Value choice_of(const std::string& text) {
  const auto parsed = parse_json(text);
  return parsed && (parsed->is_number() || parsed->as<bool>() != nullptr) ? *parsed : Value(text);
}

Result<tune::Parameter> parameter_of(const std::string& text) {
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos || sign == 0)
    return fail(Errc::usage, fmt::format("'{}' is not a parameter", text),
                "space define BLOCK=16,32,64");
  tune::Parameter out{.name = text.substr(0, sign), .values = {}};
  for (std::size_t at = sign + 1; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    out.values.push_back(choice_of(text.substr(at, end - at)));
    at = end + 1;
  }
  return out;
}

Result<Document> define_space(const SpaceDefineArgs& args, Workspace& workspace,
                              ScriptHost& scripts) {
  std::vector<tune::Parameter> parameters;
  for (const std::string& text : args.parameters) parameters.push_back(TRY(parameter_of(text)));
  tune::Predicate predicate;
  if (!args.lua.empty()) {
    predicate = TRY(scripts.predicate(args.lua));
  }
  tune::Space space = TRY(tune::Space::product(std::move(parameters), args.where, predicate));
  if (!args.fixed.empty()) {
    Record first;
    for (const std::string& text : args.fixed) {
      const tune::Parameter one = TRY(parameter_of(text));
      first.emplace_back(one.name, one.values.front());
    }
    TRY(space.set_default(first));
  }
  if (!args.output.empty()) TRY(write_named_file(args.output, json_text(space.to_value()) + "\n"));
  workspace.space = std::make_shared<const tune::Space>(std::move(space));
  return space_document(*workspace.space, args.output);
}

Command about_spaces(Label path, Label summary, Label help, Label example) {
  return Command{.path = path,
                 .does = kReads,
                 .chapter = Class::tuning,
                 .summary = summary,
                 .help = help,
                 .fields = described(kSpaceFields),
                 .columns = described(kSpaceColumns),
                 .scalar = "search_space_size",
                 .examples = {example}};
}

constexpr const char* kSpaceFileHelp =
    "JSON: a list of configurations, `[{\"BLOCK\": 16, \"UNROLL\": 1}, …]`, or parameters with "
    "values and constraints, `{\"parameters\": {\"BLOCK\": [16, 32]}, "
    "\"constraints\": [\"BLOCK <= 64\"], \"default\": {\"BLOCK\": 16}}`. A file that ends in "
    "`.lua` returns the same as a table, whose `where` may be a function of a "
    "configuration. Names of parameters are free.";

}  // namespace

Result<std::shared_ptr<const tune::Space>> space_named(const Workspace& workspace,
                                                       ScriptHost& scripts,
                                                       const std::string& file) {
  if (file.empty()) {
    if (workspace.space) return workspace.space;
    return fail(Errc::not_found, "no space of configurations is loaded",
                "space load FILE, or --space FILE");
  }
  if (file.ends_with(".lua")) {
    const auto [value, predicate] = TRY(scripts.space_of(file));
    auto space = tune::Space::from_value(value, predicate);
    if (!space) return Failure(std::move(space).error().in(file));
    return std::make_shared<const tune::Space>(std::move(*space));
  }
  auto space = tune::Space::parse(TRY(read_text_file(file)));
  if (!space) return Failure(std::move(space).error().in(file));
  return std::make_shared<const tune::Space>(std::move(*space));
}

void add_tune_space_commands(Registry& registry) {
  add(registry,
      command(about_spaces("space load", "Load a space of configurations for tuning.",
                           kSpaceFileHelp, "space load SPACE"),
              {arg("file", &FileArgs::file, "JSON or Lua").required().completes(Complete::file)},
              load_space));
  add(registry,
      command(about_spaces(
                  "space count", "Count the configurations of a space.",
                  "Of a file as `space load` takes it, without loading it, or of the loaded one.",
                  "space count SPACE"),
              {arg("file", &SpaceFileArgs::file, "JSON or Lua; default: the loaded space")
                   .completes(Complete::file)},
              count_space));
  add(registry,
      command(
          about_spaces("space define", "Define a space of configurations by hand.",
                       "Each parameter with its values; `--where` takes conditions over them, all "
                       "of which must hold: + - * / // %, comparisons, and, or, not, min, "
                       "max, log2. `--lua` takes one as a Lua expression over `p`, a "
                       "configuration. The space becomes the loaded one.",
                       "space define BLOCK=16,32,64 UNROLL=1,2,4 --where 'BLOCK * UNROLL <= 128'"),
          {arg("parameters", &SpaceDefineArgs::parameters, "NAME=VALUE,VALUE…").required(),
           option("where", &SpaceDefineArgs::where, "a condition; may be repeated")
               .named("CONDITION"),
           option("lua", &SpaceDefineArgs::lua, "a condition in Lua: p.BLOCK <= 64")
               .named("EXPRESSION"),
           option("default", &SpaceDefineArgs::fixed,
                  "a value of the configuration that is measured first; one for each parameter")
               .named("NAME=VALUE"),
           option("output", &SpaceDefineArgs::output, "also write it to this file")
               .or_letter('o')
               .needs({Capability::write})
               .writes_file()
               .named("FILE")
               .completes(Complete::file)},
          define_space));
}

}  // namespace rpl
