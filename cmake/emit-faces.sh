#!/bin/sh
# emit-faces.sh [EMULATOR] RPL: writes what rpl says of itself into the current folder: the manual page, completion of three shells, annotations of its Lua.
set -e
mkdir -p bash zsh fish man
"$@" --emit-man >man/rpl.1
"$@" --emit-completion bash >bash/rpl
"$@" --emit-completion zsh >zsh/_rpl
"$@" --emit-completion fish >fish/rpl.fish
"$@" --emit-lua-stubs lua-stubs
for name in rocm-perf rocm-perf-lab; do
  ln -sf rpl.1 "man/$name.1"
  ln -sf rpl "bash/$name"
  ln -sf rpl.fish "fish/$name.fish"
done
touch made
