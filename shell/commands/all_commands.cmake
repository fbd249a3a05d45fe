# cmake -DFOLDER=shell/commands -DOUT=FILE -P all_commands.cmake: writes add_all_commands(), which calls each function
# `void add_…_command(Registry& registry)` or `…_commands(Registry& registry)` that a source of a family defines.
file(GLOB sources ${FOLDER}/*/*.cc)
set(declarations "")
set(calls "")
foreach(source ${sources})
  file(STRINGS ${source} lines REGEX "^void add_[a-z_]+_commands?\\(Registry& registry\\) {")
  foreach(line ${lines})
    string(REGEX REPLACE "^void (add_[a-z_]+)\\(.*" "\\1" name "${line}")
    string(APPEND declarations "void ${name}(Registry& registry);\n")
    string(APPEND calls "  ${name}(registry);\n")
  endforeach()
endforeach()
set(text "// Written by shell/commands/all_commands.cmake.
#include \"shell/commands/all.h\"

namespace rpl {

${declarations}
void add_all_commands(Registry& registry) {
${calls}}

}  // namespace rpl
")
# Where nothing was added, what includes it stays as it is.
file(CONFIGURE OUTPUT ${OUT} CONTENT "${text}" @ONLY)
