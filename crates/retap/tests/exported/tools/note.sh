#!/bin/sh
# In the place of any command: its name and its arguments, each with a unit separator before it, then a record separator.
# Every setting is 1.
{
  printf '%s' "${0##*/}"
  for argument; do printf '\037%s' "$argument"; done
  printf '\036'
} >>"$DEEDS"
case "${0##*/} $1" in "settings get") echo 1 ;; esac
