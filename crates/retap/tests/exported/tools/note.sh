#!/bin/sh
# In the place of any command: its name and its arguments, each with a unit separator before it, then a record separator.
# Every setting is 1. Only the time that a call of adb may take passes as it does elsewhere.
if [ "${0##*/} $1" = "sleep $ADB_SECONDS" ]; then
  command -p sleep "$1"
  exit
fi
{
  printf '%s' "${0##*/}"
  for argument; do printf '\037%s' "$argument"; done
  printf '\036'
} >>"$DEEDS"
case "${0##*/} $1" in
  "settings get") echo 1 ;;
  "pm clear") [ -e "$BROKEN" ] && grep -qx "pm fails" "$BROKEN" && echo Failed || echo Success ;;
  input*) sed -n 's/^input says //p' "$BROKEN" 2>/dev/null ;;
  am*)
    # What it says, some of it where errors go, and the code with which it ends.
    sed -n 's/^am says //p' "$BROKEN"
    sed -n 's/^am complains //p' "$BROKEN" >&2
    exit "$(grep -x -e 'am ends with [0-9]*' "$BROKEN" | grep -o '[0-9]*$' || echo 0)"
    ;;
esac
