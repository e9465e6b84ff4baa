#!/bin/sh
# In the place of adb: the commands of a device run here, and write down what they were given.
case $1 in
  shell) shift; PATH="$DEVICE:$PATH" exec sh -c "$*" ;;
  exec-out) cat "$TREE" ;;
  logcat) case $2 in -d) cat "$LOG" ;; esac ;;
  *) echo "adb $* is not expected" >&2; exit 9 ;;
esac
