#!/bin/sh
# In the place of any command: its name and its arguments, each with a unit separator before it, then a record separator.
{
  printf '%s' "${0##*/}"
  for argument; do printf '\037%s' "$argument"; done
  printf '\036'
} >>"$DEEDS"
