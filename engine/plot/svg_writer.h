// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>

namespace rpl {

/// The text of a picture while it is being drawn.
class SvgWriter {
 protected:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  /// Closes the picture and gives it away.
  std::string take() {
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  std::string out_;
};

}  // namespace rpl
