// SPDX-License-Identifier: MIT
#include "shell/repl/prompt.h"

#include <iostream>
#include <string>

namespace rpl {

int run_prompt(Context& context, Console& console) {
  for (std::string line; !context.quit && std::getline(std::cin, line);) console.run(line);
  return context.exit_code;
}

}  // namespace rpl
