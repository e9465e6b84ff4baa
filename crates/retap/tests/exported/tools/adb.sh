#!/bin/sh
# In the place of adb: the commands of a device run here, and write down what they were given. What $BROKEN names fails.
fails() { grep -q -x -F -e "$1" "$BROKEN"; }
# The phone dies at the call that begins so: from there on adb fails, or says nothing. These calls are written down.
dies_at=$(sed -n 's/^dies at //p' "$BROKEN")
case "$*" in "${dies_at:-never}"*) : >>"$BROKEN.calls" ;; esac
if [ -e "$BROKEN.calls" ]; then
  echo "$*" >>"$BROKEN.calls"
  if fails silent; then PATH=/usr/bin:/bin; exec sleep 60; fi
  echo "adb: device 'here' not found" >&2
  exit 1
fi
case "$*" in
  get-state) echo device ;;
  "shell dumpsys activity activities") cat "$FRONT" ;;
  "shell dumpsys input_method") ! fails "dumpsys input_method" ;;
  shell*) shift; fails shell && exit 1; PATH="$DEVICE:$PATH" exec sh -c "$*" ;;
  exec-out*) cat "$TREE" ;;
  emu*) shift; "$DEVICE/emu" "$@"; fails KO && printf 'KO: unknown command\r\n'; ! fails emu ;;
  *) echo "adb $* is not expected" >&2; exit 9 ;;
esac
