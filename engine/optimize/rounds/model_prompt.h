// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/att/read/thread_trace.h"
#include "engine/base/result.h"
#include "engine/capture/capture.h"
#include "engine/optimize/model/prompt.h"
#include "engine/optimize/store/store.h"

namespace rpl {

/// Asks for another kind of change than these proposals, which wait for their turn; nothing for none.
void add_alternatives(const std::vector<Proposal>& beside, llm::PromptParts& parts);

/// A reply of a model that became no proposal, as the session knows it.
struct RefusedReply {
  std::int64_t optimization = 0;
  std::string strategy;
  std::vector<Reason> reasons;
};

/// How much a prompt says of a kernel's source.
enum class PromptExtent { kernel, whole_file };

/// What is known of the kernel of an optimization, for a model: source, launch, modelled profile, machine code, and every attempt on the way here.
/// `hardware` is what the caller knows of the GPU. Fails as kernel_text() does, io.
Result<llm::PromptParts> prompt_of(const Optimization& optimization, const Capture& capture,
                                   const ProposalStore& store,
                                   const std::vector<RefusedReply>& refused,
                                   std::vector<llm::PromptFact> hardware, PromptExtent extent);

/// The same of a source that is not being optimized: `static_facts` is what static_record() says of its machine code; empty: not known.
Result<llm::PromptParts> prompt_of_source(const std::string& source, const std::string& kernel,
                                          const Record& static_facts,
                                          std::vector<llm::PromptFact> hardware,
                                          PromptExtent extent);

/// A kernel's definition as it stands in its file, and what it uses of that file.
struct KernelText {
  std::string definition;
  /// Functions, macros, types and variables of the file that the definition names, directly or through each other, in the order of the file.
  /// Other kernels, `main` and includes are left out. Known by spelling: a name of another scope may bring too much, never too little.
  std::string context;
};

/// Fails as find_target() does.
Result<KernelText> kernel_text(std::string_view source, std::string_view kernel);

/// The hottest lines of a kernel's source by a thread trace or PC samples, for a prompt: the most expensive first, each with its share and with what stalled its waves, under one
/// fact that says what was traced. `source` is the text as it is now, of a file named `file`: a line of the trace whose text does not stand there any more, or in more than one place
/// and not on the same line, is left out, as are those of other files. A trace without a copy of the source gives nothing.
std::vector<llm::PromptFact> hot_lines(const att::ThreadTrace& trace, std::string_view source,
                                       std::string_view file, std::size_t most = 5);

}  // namespace rpl
