#!/bin/sh
# In the place of adb: the commands of a device run here, and write down what they were given. What $BROKEN names fails.
fails() { grep -q -x -F -e "$1" "$BROKEN"; }
case "$*" in
  "shell dumpsys activity activities") cat "$FRONT" ;;
  "shell dumpsys input_method") ;;
  shell*) shift; fails shell && exit 1; PATH="$DEVICE:$PATH" exec sh -c "$*" ;;
  exec-out*) cat "$TREE" ;;
  emu*) shift; "$DEVICE/emu" "$@"; fails KO && printf 'KO: unknown command\r\n'; ! fails emu ;;
  *) echo "adb $* is not expected" >&2; exit 9 ;;
esac
