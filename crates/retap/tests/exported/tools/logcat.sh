#!/bin/sh
# In the place of a device's log. That an app hangs stands in it only after a while, which is counted in pauses.
grep -q -x -e "logcat $1" "$BROKEN" && { echo 'Unable to open log device' >&2; exit 1; }
[ "$1" = -d ] || exit 0
grep -a -v 'ANR in ' "$LOG"
pauses=$(tr '\036' '\n' <"$DEEDS" | grep -c '^sleep')
if [ "$pauses" -ge 10 ]; then grep -a 'ANR in ' "$LOG"; fi
exit 0
