// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "engine/source/text/guard.h"

namespace rpl {

/// Whether the tokens of a statement `asm …;` hold instructions alone: every line of the template is a mnemonic with its operands, as what they do is judged on
/// the machine code. Directives (".incbin", ".section"), labels, comments and strings inside would put in what nobody decodes as an instruction of the kernel.
bool is_plain_assembly(const SourceText& text, const ByteRange& statement);

/// How many asm statements a body spells out; those that macros bring are not among them.
std::uint32_t count_assembly(const BodyInText& body);

}  // namespace rpl
