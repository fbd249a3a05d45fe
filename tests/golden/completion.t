# What shells ask and are told. bash itself runs its script; docs/installation.md says where it goes.
# file train.db:
#| none
# file ask.sh:
#| # ask.sh LINE: what bash offers at the end of it, after the words that it would have taken apart.
#| complete() { :; }; compopt() { :; }
#| eval "$(rpl --emit-completion bash)"
#| COMP_LINE=$1 COMP_POINT=${#1}
#| eval "COMP_WORDS=($(printf '%s' "$2"))"
#| COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
#| _rpl rpl
#| printf '%s\n' "${COMPREPLY[@]}"
! bash ask.sh 'rpl --emit-' 'rpl --emit-'
--emit-completion
--emit-lua-stubs
--emit-man

! bash ask.sh 'rpl info ker' 'rpl info ker'
kernel
kernels

! bash ask.sh 'rpl info kernels --li' 'rpl info kernels --li'
--limit

! bash ask.sh 'rpl info kernels tr' 'rpl info kernels tr'
train.db

# By a unique beginning, as rpl takes commands.
! bash ask.sh 'rpl inf kernels --so' 'rpl inf kernels --so'
--sort

# The command behind -ex is one word, quoted.
! bash ask.sh "rpl -ex 'info ker" 'rpl -ex "\"info ker"'
info kernel
info kernels

! bash ask.sh "rpl -q -ex 'info kernels' -ex doc" 'rpl -q -ex "info kernels" -ex doc'
doctor
document

! bash ask.sh 'rpl --interpreter j' 'rpl --interpreter j'
jsonl

# The same with what each is, as zsh and fish show it.
! rpl --complete 'rpl --emit-'
--emit-completion	print what teaches bash, zsh or fish to complete rpl's words
--emit-lua-stubs	write annotations of the Lua interface for editors
--emit-man	print the manual page, rpl(1)

! rpl --complete 'rpl -ex "set tar'
set target	where every command runs that has no --target of its own; auto: RPL_TARGET, else the AMD GPU of this machine, else emu

$ --emit-completion csh
err: error: no shell 'csh'; --emit-completion bash|zsh|fish
? 2

$ --emit-man --nonsense
err: error: unknown option --nonsense; 'rpl --help' lists them
? 2

! rpl --emit-man | head -12
.\" Made by `rpl --emit-man`.
.TH RPL 1 "2026-11-23" "rocm-perf-lab 0.1.0" "User Commands"
.SH NAME
rpl, rocm\-perf, rocm\-perf\-lab \- capture, analyze, and explain what an AMD GPU did
.SH SYNOPSIS
.B rpl
[\fIoptions\fR] [\fITRACE\fR ...] [\-\- \fISCRIPT ARGS\fR]
.br
.B rpl
\\fICOMMAND ARGS\fR [\fB\-\-json\fR]
.SH DESCRIPTION
The first form is a shell in the manner of

# Nothing is kept for it.
! ls -A
ask.sh
train.db
