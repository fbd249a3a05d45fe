// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "engine/base/files.h"
#include "engine/base/policy.h"
#include "engine/base/text.h"
#include "engine/device/calibrate/recordings_table.h"
#include "engine/document/bound.h"
#include "shell/commands/profile/profile_files.h"
#include "shell/core/command/define.h"
#include "shell/core/command/registry.h"
#include "shell/core/inputs/one_argument.h"
#include "shell/core/run/script_files.h"
#include "shell/reference/manual.h"

// Of a build with the address sanitizer, whose heap mallinfo2() does not know.
extern "C" __attribute__((weak)) std::size_t __sanitizer_get_current_allocated_bytes();

namespace rpl {
namespace {

struct FolderArgs {
  std::string folder;
};

/// Paths that were written.
constexpr auto kWrittenColumns =
    bound_to<std::string>(column<+[](const std::string& path) { return std::string_view(path); }>(
        "file", "that was written"));

/// Writes files into one folder and lists them.
class Writer {
 public:
  explicit Writer(std::string folder) : folder_(std::move(folder)) {}

  Status write(const std::string& name, const std::string& content) {
    const std::string path = (std::filesystem::path(folder_) / name).string();
    TRY(check_named_output(path));
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    TRY(write_file(path, content));
    written_.push_back(path);
    return {};
  }
  Document take() {
    Document document;
    document.table(kWrittenColumns, written_);
    return document;
  }

 private:
  std::string folder_;
  std::vector<std::string> written_;
};

Result<Document> docs(const FolderArgs& args, const Registry& registry) {
  Writer writer(args.folder);
  TRY(writer.write("README.md", manual_index(registry)));
  for (const Class chapter : all_chapters()) {
    const std::string page = manual_chapter(registry, chapter);
    if (page.empty() || chapter == Class::user) continue;
    TRY(writer.write(fmt::format("{}.md", to_string(chapter)), page));
  }
  return writer.take();
}

Result<Document> schemas(const FolderArgs& args, const Registry& registry) {
  Writer writer(args.folder);
  TRY(writer.write("rpl.error-1.json", error_schema()));
  TRY(writer.write("rpl.request-1.json", request_schema()));
  TRY(writer.write("rpl.reply-1.json", reply_schema()));
  for (const auto& [path, command] : registry.all()) {
    if (command->is_user_defined || command->hidden) continue;
    TRY(writer.write(schema_file(*command) + ".json", document_schema(*command)));
  }
  for (const DocumentShape& shape : document_shapes())
    TRY(writer.write(schema_file(shape.schema) + ".json", document_schema(shape)));
  return writer.take();
}

struct Promised {
  std::string file;
  std::size_t added = 0;
};

constexpr auto kPromisedFields =
    bound_to<Promised>(column<&Promised::file>("file", "that was written"),
                       column<&Promised::added>("added", "lines that are new"));

/// Adds to the file what is promised now; never takes a line away.
Result<Document> promises(const FileArgs& args, const Registry& registry) {
  std::set<std::string> lines;
  const auto before = read_text_file(args.file);
  if (!before && before.error().code != Errc::not_found) return Failure(before.error());
  for (std::string& line : split_lines(before.value_or(""))) lines.insert(std::move(line));
  const std::size_t known = lines.size();
  for (const auto& [path, command] : registry.all()) {
    if (command->is_user_defined || command->hidden) continue;
    for (std::string& promise : schema_promises(*command)) lines.insert(std::move(promise));
  }
  for (const DocumentShape& shape : document_shapes()) {
    for (std::string& promise : schema_promises(shape)) lines.insert(std::move(promise));
  }
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  TRY(write_file(args.file, text));
  Document document;
  document.put(kPromisedFields, Promised{args.file, lines.size() - known});
  return document;
}

Result<Document> write_page(const std::string& path, const std::string& page) {
  TRY(write_file(path, page));
  Document document;
  document.table(kWrittenColumns, std::vector{path});
  return document;
}

Result<Document> reference(const FileArgs& args, const Registry& registry) {
  return write_page(args.file, manual_reference(registry));
}

Result<Document> instructions(const FileArgs& args) {
  return write_page(args.file, instruction_page());
}

Result<Document> sql_views(const FileArgs& args) { return write_page(args.file, sql_views_page()); }

Result<Document> gallery(const FileArgs& args, const Registry& registry, ScriptHost& scripts) {
  return write_page(args.file, TRY(gallery_page(registry, scripts)));
}

Result<Document> capabilities(const FileArgs& args, const Registry& registry, ScriptHost& scripts,
                              Settings& settings) {
  return write_page(args.file, capabilities_page(registry, scripts, settings));
}

/// Allocated and not freed; what malloc keeps for later is not in it.
std::uint64_t heap_bytes() {
  if (__sanitizer_get_current_allocated_bytes != nullptr)
    return __sanitizer_get_current_allocated_bytes();
  const auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

struct Memory {
  std::uint64_t heap_bytes = 0, resident_bytes = 0;
};

constexpr auto kMemoryFields = bound_to<Memory>(
    column<&Memory::heap_bytes>("heap_bytes", "allocated and not freed"),
    column<&Memory::resident_bytes>("resident_bytes", "pages of the process that are in memory"));

Result<Document> memory() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t all = 0, resident = 0;
  statm >> all >> resident;
  if (!statm)
    return fail(Errc::io, "cannot read /proc/self/statm", "it needs Linux with /proc mounted");
  Document document;
  document.put(
      kMemoryFields,
      Memory{heap_bytes(), resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE))});
  return document;
}

struct ModelTableArgs {
  std::string recordings, file;
};

Result<Document> model_table(const ModelTableArgs& args) {
  return write_page(args.file, TRY(calibrate::recordings_table(args.recordings)));
}

Command definition(Label path, Label summary, Label help) {
  return {.path = path,
          .does = {Capability::read, Capability::write},
          .summary = summary,
          .help = help,
          .columns = described(kWrittenColumns),
          .scalar = "file",
          .examples = {fmt::format("{} out", path)},
          .changes_program = true,
          .hidden = true};
}

std::vector<Bound> folder_param() {
  std::vector<Bound> params;
  params.push_back(
      arg("folder", &FolderArgs::folder, "where to write").required().completes(Complete::file));
  return params;
}

}  // namespace

void add_maintenance_commands(Registry& registry) {
  add(registry,
      command<FolderArgs>(
          definition("maint docs", "Write the documentation pages of all commands.",
                     "What is in docs/commands: a Markdown page for each class, and an index."),
          folder_param(), docs));
  add(registry, command<FolderArgs>(
                    definition("maint schemas", "Write the JSON Schemas of all documents.",
                               "What is in docs/schemas: one for each command and one for errors."),
                    folder_param(), schemas));
  add(registry,
      command<FileArgs>(
          definition("maint instructions", "Write which instructions the emulated devices execute.",
                     "What is in docs/emulator-instructions.md."),
          {arg("file", &FileArgs::file, "the page").required().completes(Complete::file)},
          instructions));
  add(registry, command<FileArgs>(
                    definition("maint sql-views", "Write which tables of a recording are promised.",
                               "What is in docs/sql-views.md."),
                    {arg("file", &FileArgs::file, "the page").required().completes(Complete::file)},
                    sql_views));
  add(registry, command<FileArgs>(
                    definition("maint reference", "Write every command in a few lines each.",
                               "What is in docs/agents/cli.md."),
                    {arg("file", &FileArgs::file, "the page").required().completes(Complete::file)},
                    reference));
  add(registry, command<FileArgs>(
                    definition("maint gallery", "Write the page of the scripts.",
                               "What is in docs/gallery.md, from the headers of the scripts and "
                               "the commands that they add."),
                    {arg("file", &FileArgs::file, "the page").required().completes(Complete::file)},
                    gallery));
  add(registry,
      command<FileArgs>(
          definition("maint capabilities", "Write what every command and function may do.",
                     "What is in docs/capabilities.md, from the definitions."),
          {arg("file", &FileArgs::file, "the page").required().completes(Complete::file)},
          capabilities));
  add(registry,
      command<ModelTableArgs>(
          definition("maint model-table",
                     "Write the cycle model's errors against recorded thread traces.",
                     "What is in docs/cycle-model-recordings.md, from a folder with the seven "
                     "recordings that it names."),
          {arg("recordings", &ModelTableArgs::recordings, "folder of the recordings")
               .required()
               .completes(Complete::file),
           arg("file", &ModelTableArgs::file, "the page").required().completes(Complete::file)},
          model_table));
  Command remembering = definition("maint memory", "Show how much memory this process holds.",
                                   "What is allocated and what is resident. A test asks before and "
                                   "after thousands of commands.");
  remembering.does = kReads;
  remembering.columns.clear();
  remembering.fields = described(kMemoryFields);
  remembering.scalar = "heap_bytes";
  remembering.examples = {"maint memory"};
  add(registry, command(std::move(remembering), memory));
  Command promising = definition("maint promises", "Add to the list of what documents promise.",
                                 "A test fails when a line of tests/schemas/promises.txt does not "
                                 "hold any more: documents only grow.");
  promising.columns.clear();
  promising.fields = described(kPromisedFields);
  add(registry, command<FileArgs>(
                    std::move(promising),
                    {arg("file", &FileArgs::file, "the list").required().completes(Complete::file)},
                    promises));
}

}  // namespace rpl
