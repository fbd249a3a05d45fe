// SPDX-License-Identifier: MIT
// prompt: what a language model is told of a kernel.
#include <fmt/format.h>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/document/bound.h"
#include "engine/optimize/loop/screen.h"
#include "engine/source/text/declarations.h"
#include "shell/commands/optimize/model_session.h"
#include "shell/core/command/define.h"
#include "shell/core/session/session_log.h"

namespace rpl {
namespace {

struct PromptArgs {
  std::string source, binary, kernel;
  bool full_source = false, compact = false;
};

PromptExtent extent_of(const PromptArgs& args) {
  return args.full_source ? PromptExtent::whole_file : PromptExtent::kernel;
}

/// The kernel that is meant: the one named, the one that the binary and the file share, or the only one of the file.
Result<std::string> kernel_of(const PromptArgs& args, const isa::CodeObject* object) {
  if (!args.kernel.empty()) return args.kernel;
  if (object && object->kernels().size() == 1) return object->kernels().front().name;
  const std::string text = TRY(read_text_file(args.source));
  const auto kernels = find_kernels(text);
  if (kernels.size() == 1) return kernels.front().qualified;
  std::string names;
  for (const SourceKernel& kernel : kernels)
    names += (names.empty() ? "" : ", ") + kernel.qualified;
  return fail(kernels.empty() ? Errc::not_found : Errc::ambiguous,
              fmt::format("{} has {} kernels{}{}", args.source, kernels.size(),
                          names.empty() ? "" : ": ", names),
              "'--kernel NAME' says which");
}

/// "scale" and "a::scale" of "void a::scale<float>(float*)".
bool is_kernel_called(const isa::Kernel& kernel, const std::string& name) {
  if (kernel.name == name) return true;
  std::string said = demangled(kernel.name);
  said = said.substr(0, said.find('('));
  said = said.substr(0, said.find('<'));
  said = said.substr(said.rfind(' ') + 1);
  return said == name || said.ends_with("::" + name);
}

/// The file's kernel is known by its plain name, and the code object's by a mangled one.
Result<Record> machine_facts(const isa::CodeObject& object, const std::string& kernel,
                             const std::string& path) {
  for (const isa::Kernel& held : object.kernels()) {
    if (is_kernel_called(held, kernel)) return static_record(object, held.name);
  }
  return fail(Errc::not_found, fmt::format("{} holds no kernel {}", path, kernel),
              "'object list' shows what a code object holds");
}

Result<llm::PromptParts> parts_of_source(const PromptArgs& args, const Inputs& inputs) {
  std::shared_ptr<const isa::CodeObject> object;
  if (!args.binary.empty()) object = TRY(isa::CodeObject::open(args.binary));
  const std::string kernel = TRY(kernel_of(args, object.get()));
  llm::PromptParts parts =
      object ? TRY(prompt_of_source(
                   args.source, kernel, TRY(machine_facts(*object, kernel, args.binary)),
                   hardware_facts(inputs, std::string(to_string(object->arch()))), extent_of(args)))
             : TRY(prompt_of_source(args.source, kernel, {}, {}, extent_of(args)));
  parts.hot_lines = TRY(open_hot_lines(inputs.workspace, kernel, args.source, args.source));
  return parts;
}

Result<llm::PromptParts> parts_of_current(const PromptArgs& args, const Inputs& inputs,
                                          SessionLog& log) {
  const auto store = TRY(kept_proposals(log));
  if (!store)
    return fail(
        Errc::not_found, "no kernel is being optimized",
        "'prompt SOURCE [BINARY]' needs none; 'step --source FILE.hip --capture DIR' begins");
  const Optimization current = TRY(store->current());
  const ModelLog asked = TRY(ModelLog::read(*TRY(log.existing())));
  return current_prompt(inputs, current, *store, asked, extent_of(args));
}

struct ShownPrompt {
  std::string kernel, instructions, prompt;

  [[nodiscard]] std::size_t bytes() const { return instructions.size() + prompt.size(); }
};

constexpr auto kPromptFields = bound_to<ShownPrompt>(
    column<&ShownPrompt::kernel>("kernel", "the kernel in question").as(Type::kernel),
    column<&ShownPrompt::instructions>("instructions",
                                       "what is asked of the model, the same for every kernel"),
    column<&ShownPrompt::prompt>("prompt", "the sections as one text"),
    column<&ShownPrompt::bytes>("bytes", "of both").in(Unit::bytes));

using Section = std::pair<std::string, std::string>;
constexpr auto kSectionColumns =
    bound_to<Section>(column<&Section::first>("section", "its title"),
                      column<&Section::second>("text", "what it says"));

Result<Document> show_prompt(const PromptArgs& args, Inputs inputs, SessionLog& log) {
  llm::PromptParts parts = args.source.empty() ? TRY(parts_of_current(args, inputs, log))
                                               : TRY(parts_of_source(args, inputs));
  parts.compact = args.compact;
  const llm::Prompt prompt = llm::make_prompt(parts);
  const ShownPrompt shown{parts.kernel, prompt.instructions, prompt.text()};
  Document out;
  out.put(kPromptFields, shown);
  out.table(kSectionColumns, prompt.sections);
  out.text = fmt::format("{}\n\n{}", shown.instructions, shown.prompt);
  return out;
}

}  // namespace

void add_prompt_command(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "prompt",
              .does = kKeeps,
              .chapter = Class::proposals,
              .summary = "Show what a language model is told of a kernel.",
              .help =
                  "Without arguments: what `propose llm` would send now about the kernel that is "
                  "being optimized, with its launch, its modelled profile and what was tried "
                  "before. With a source: what can be said of its kernel without running it; a "
                  "binary adds its machine code. What is not known is left out. "
                  "Nothing is sent.",
              .fields = described(kPromptFields),
              .columns = described(kSectionColumns),
              .scalar = "prompt",
              .examples = {"prompt SOURCE --compact", "prompt --full-source"}},
          {arg("source", &PromptArgs::source, "HIP source; default: the optimization under way")
               .completes(Complete::file),
           arg("binary", &PromptArgs::binary, "code object or program built from it")
               .completes(Complete::file),
           option("kernel", &PromptArgs::kernel,
                  "which kernel of the source; default: the only one"),
           flag("full-source", &PromptArgs::full_source,
                "the whole file instead of the kernel with what it uses"),
           flag("compact", &PromptArgs::compact,
                "shorter: the rules by name, the last three attempts")},
          show_prompt));
}

}  // namespace rpl
