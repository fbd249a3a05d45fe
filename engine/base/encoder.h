// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include "engine/base/encoded.h"

namespace rpl {

/// Calls bytes a medium's own: for encoders (engine/base/encode.cc, and the writer of JSON) alone, which a test checks.
class Encoder {
 public:
  template <class Text>
  static Text made(std::string bytes) {
    return Text(typename Text::Made(), std::move(bytes));
  }
  /// To add to what is there.
  template <class Medium>
  static std::string& bytes(Encoded<Medium>& text) {
    return text.bytes_;
  }
};

}  // namespace rpl
