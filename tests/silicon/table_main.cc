// SPDX-License-Identifier: MIT
// silicon_table MEASURED.csv MODELLED.csv [--families]: puts modelled times beside measured ones.
#include <cstdio>
#include <cstring>

#include "tests/silicon/measured_times.h"

int main(int count, char** arguments) {
  using namespace rpl;
  if (count < 3) {
    std::fprintf(stderr, "usage: %s MEASURED.csv MODELLED.csv [--families]\n", arguments[0]);
    return 2;
  }
  const auto measured = silicon::read_measured(arguments[1]);
  const auto modelled = silicon::read_modelled(arguments[2]);
  for (const Error* error :
       {measured ? nullptr : &measured.error(), modelled ? nullptr : &modelled.error()}) {
    if (error == nullptr) continue;
    std::fprintf(stderr, "error: %s\n", error->message.c_str());
    return 1;
  }
  const bool points = count < 4 || std::strcmp(arguments[3], "--families") != 0;
  std::fputs(silicon::table(silicon::paired(*measured, *modelled), points).c_str(), stdout);
  return 0;
}
