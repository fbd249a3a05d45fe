// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "shell/core/command/registry.h"
#include "shell/core/run/script_files.h"

/// What is written about a command, all of it from its definition.
namespace rpl {

/// The classes in the order of `help`.
std::span<const Class> all_chapters();

/// The commands of a class that are not hidden, by path.
std::vector<const Command*> listed_commands(const Registry& registry, Class chapter);

/// The name of the file that holds a command's schema, without ".json": "rpl.info.kernels-1".
std::string schema_file(const Command& command);

/// The same for a schema by name: "rpl.profile/1".
std::string schema_file(std::string schema);

/// "text", "whole number", "number", "yes or no".
std::string_view type_words(const Param& param);

/// The page that `help COMMAND` shows.
std::string manual_text(const Command& command);

/// Text as help shows it: paragraphs broken at blanks, indented lines (code) left alone.
std::string wrapped_text(const std::string& text);

/// The Markdown tables of a command: its parameters, and the record and the rows that it returns. Each begins with an empty line.
std::string manual_tables(const Command& command);

/// The Markdown page of one class of commands; "" when it has none that are listed.
std::string manual_chapter(const Registry& registry, Class chapter);

/// The Markdown page that lists the classes.
std::string manual_index(const Registry& registry);

/// docs/agents/cli.md: every command in a few lines each, for programs that choose one.
std::string manual_reference(const Registry& registry);

/// The JSON Schema (draft 2020-12) of a command's document, indented, with a final newline.
std::string document_schema(const Command& command);

/// The same of a document that is written to a file.
struct DocumentShape;
std::string document_schema(const DocumentShape& shape);

/// What a command's document promises to programs, a line for each field and column: "rpl.x/1 rows.total_ns integer".
std::vector<std::string> schema_promises(const Command& command);

std::vector<std::string> schema_promises(const DocumentShape& shape);

/// The JSON Schema of rpl.error/1.
std::string error_schema();

/// The JSON Schemas of what `--interpreter jsonl` reads and writes: rpl.request/1 and rpl.reply/1.
std::string request_schema();
std::string reply_schema();

}  // namespace rpl

/// What is written about scripts, from their headers.
namespace rpl {

class Registry;
class ScriptHost;

/// What `help SCRIPT` shows.
std::string script_manual(const ScriptHeader& script, const std::vector<const Command*>& commands);

/// The page docs/gallery.md: every known script, with the commands that it adds.
Result<std::string> gallery_page(const Registry& registry, ScriptHost& scripts);

class Settings;
/// docs/capabilities.md: what every command, setting and Lua function does.
std::string capabilities_page(const Registry& registry, const ScriptHost& scripts,
                              const Settings& settings);

/// docs/sql-views.md: the tables that `sql` and `export sqlite` promise.
std::string sql_views_page();

/// docs/emulator-instructions.md: which instructions the emulated devices execute, and how many of all.
std::string instruction_page();

}  // namespace rpl
