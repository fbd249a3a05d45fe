# Flags of a release build for what is not hot: code that runs once a command, of which there is most. Editors and debug
# builds do not see them.

# Passes of g++ that are part of -O1, take time, and win nothing for such code. Without the list g++ 12 takes 23.3 s of
# processor for the commands of shell/commands/trace joined, with it 17.1 s, a quarter less, for an object a tenth larger.
set(RPL_COLD_PASSES_LEFT_OUT
    # over memory and structs
    -fno-tree-pta -fno-tree-sra -fno-tree-dse -fno-tree-sink -fno-tree-phiprop -fno-lifetime-dse -fno-split-wide-types
    # over loops
    -fno-tree-loop-optimize -fno-tree-ch -fno-tree-scev-cprop -fno-move-loop-invariants
    # over values and what is computed twice or for nothing
    -fno-tree-dominator-opts -fno-tree-slsr -fno-tree-ccp -fno-tree-bit-ccp -fno-tree-vrp -fno-tree-dce -fno-tree-copy-prop
    -fno-tree-builtin-call-dce -fno-ssa-backprop -fno-forward-propagate -fno-cprop-registers -fno-dce -fno-dse -fno-cse-follow-jumps
    # over branches
    -fno-tree-cselim -fno-tree-switch-conversion -fno-ssa-phiopt -fno-guess-branch-probability -fno-if-conversion
    -fno-if-conversion2 -fno-reorder-blocks -fno-thread-jumps -fno-compare-elim
    # between functions, and of stack frames and registers
    -fno-ipa-pure-const -fno-ipa-modref -fno-ipa-profile -fno-ipa-reference -fno-combine-stack-adjustments -fno-shrink-wrap
    -fira-algorithm=priority)

# At -O1 g++ 12 sees too little of std::variant and std::string to judge them, and warns about both without reason.
set(RPL_COLD_WARNINGS_LEFT_OUT -Wno-array-bounds -Wno-stringop-overread -Wno-dangling-pointer)

function(rpl_cold target)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    return()
  endif()
  target_compile_options(${target} PRIVATE -O1)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE ${RPL_COLD_WARNINGS_LEFT_OUT} ${RPL_COLD_PASSES_LEFT_OUT})
    # From g++ 13 on -O2, which the precompiled header is made with, turns these on for x86; code compiled without them
    # would refuse the header.
    if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13 AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
      target_compile_options(${target} PRIVATE -munroll-only-small-loops -mvzeroupper)
    endif()
  endif()
endfunction()
