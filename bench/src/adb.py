"""The same taps and looks by adbutils: adb.py SERVER_PORT SERIAL APP EVENTS LOOKS X Y NEW_X NEW_Y."""

import json
import sys
import time

import adbutils

port, serial, app = int(sys.argv[1]), sys.argv[2], sys.argv[3]
events, looks, x, y, new_x, new_y = (int(text) for text in sys.argv[4:10])
device = adbutils.AdbClient(host="127.0.0.1", port=port).device(serial)
device.shell(f"pm clear {app}")
device.app_start(app)


def rate(times, act):
    began = time.perf_counter()
    for _ in range(times):
        act()
    return times / (time.perf_counter() - began)


def look():
    assert "<hierarchy" in device.dump_hierarchy()
    assert device.app_current().package == app


events_per_second = rate(events, lambda: device.click(x, y))
device.click(new_x, new_y)
assert device.app_current().activity.endswith("EditorActivity"), "taps arrive"
print(json.dumps({"events_per_second": events_per_second, "looks_per_second": rate(looks, look)}))
