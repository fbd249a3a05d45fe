// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/document/document.h"
#include "shell/tui/canvas.h"

/// What is shown above the command line. A view asks commands for their documents and draws those; its keys give command lines.
namespace rpl::tui {

/// Runs a line and gives its document; nothing is shown or kept.
using AskFor = std::function<Result<Document>(const std::string& line)>;

/// A key and the line that it stands for.
struct KeyHint {
  std::string key, line;
};

class View {
 public:
  virtual ~View() = default;
  /// As `layout` takes it.
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// What it shows, in a few words.
  [[nodiscard]] virtual std::string title() const = 0;
  /// Something may have changed: documents are asked for again. Of so many cells.
  virtual void update(const AskFor& ask, const Area& area) = 0;
  virtual void draw(ScreenCells& canvas, Area area) = 0;
  /// Whether what it shows changes while a line runs: then it is asked for again with each line of output.
  [[nodiscard]] virtual bool follows_what_runs() const { return false; }
  /// Whether the key is the view's, while the command line is empty; what changed is asked for by update(). `run`: a line to be run as if typed.
  virtual bool press(const Press& press, std::string& run) = 0;
  [[nodiscard]] virtual std::vector<KeyHint> keys() const = 0;
};

/// The view of that name: src, asm, regs, kernels, timeline, loop.
std::unique_ptr<View> make_view(std::string_view name);
std::span<const std::string_view> view_names();

/// The text of a document as a person reads it, so many columns wide, a line each; an error as one line.
std::vector<std::string> text_lines(const Result<Document>& document, int columns);

std::unique_ptr<View> kernels_view();
std::unique_ptr<View> loop_view();
std::unique_ptr<View> timeline_view();
/// Of a stopped kernel: `name` is src, asm or regs.
std::unique_ptr<View> code_view(std::string_view name);

}  // namespace rpl::tui
