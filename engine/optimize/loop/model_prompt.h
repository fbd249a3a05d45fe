// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

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

}  // namespace rpl
