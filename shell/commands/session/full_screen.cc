// SPDX-License-Identifier: MIT
// layout, tui enable, tui disable: the full-screen mode.
#include "shell/core/command/define.h"
#include "shell/core/session/face.h"

namespace rpl {
namespace {

struct GroupArgs {
  std::string group;
};

struct LayoutArgs {
  std::string view;
};

Document shown(Face& face, std::string_view view) {
  Document out;
  if (!face.full_screen(view))
    out.notes.emplace_back("nobody sits at a terminal here, which the full-screen mode is for");
  return out;
}

Result<Document> choose_layout(const LayoutArgs& args, Face& face) {
  return shown(face, args.view == "split" ? "asm" : args.view);
}
Result<Document> show_registers(const GroupArgs& /*all are shown*/, Face& face) {
  return shown(face, "regs");
}
Result<Document> enable_screen(Face& face) { return shown(face, "on"); }
Result<Document> disable_screen(Face& face) { return shown(face, ""); }

}  // namespace

void add_full_screen_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "layout",
                  .does = kReads,
                  .chapter = Class::support,
                  .summary = "Show a view of the full-screen mode.",
                  .help = "kernels: kernels and findings, one chosen by cursor keys, Enter for its "
                          "details. timeline: what ran when, zoomed and panned by keys. loop: the "
                          "proposals of the optimization. Of a stopped kernel: src, its source; "
                          "asm or split, source and machine code; regs, machine code and "
                          "registers, each "
                          "with the waves; next and prev, from one of these to another. The "
                          "command line stays at the foot, and each key shows "
                          "the line that it stands for. Ctrl-X A or `tui disable` leaves it.",
                  .examples = {"layout kernels"},
                  .keeps_place = true,
                  .changes_program = true},
          {arg("view", &LayoutArgs::view, "what to show")
               .required()
               .one_of(
                   {"src", "asm", "split", "regs", "kernels", "timeline", "loop", "next", "prev"})},
          choose_layout));
  add(registry, command(Command{.path = "tui enable",
                                .does = kReads,
                                .chapter = Class::support,
                                .summary = "Begin the full-screen mode.",
                                .help = "With the view that was shown last, the kernels at first; "
                                        "`layout` chooses one. Ctrl-X A does the same at the "
                                        "prompt, `rpl --tui` from the start.",
                                .examples = {"tui enable"},
                                .keeps_place = true,
                                .changes_program = true},
                        enable_screen));
  add(registry, command(Command{.path = "tui reg",
                                .does = kReads,
                                .chapter = Class::support,
                                .summary = "Show the registers in the full-screen mode.",
                                .help = "As `layout regs`. All groups are in one view.",
                                .examples = {"tui reg"},
                                .keeps_place = true,
                                .changes_program = true},
                        {arg("group", &GroupArgs::group, "as GDB names them: general, next, …")},
                        show_registers));
  add(registry, command(Command{.path = "tui disable",
                                .does = kReads,
                                .chapter = Class::support,
                                .summary = "Leave the full-screen mode for the prompt.",
                                .help = "Ctrl-X A does the same.",
                                .examples = {"tui disable"},
                                .keeps_place = true,
                                .changes_program = true},
                        disable_screen));
}

}  // namespace rpl
