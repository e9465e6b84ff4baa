"""Other people's clients against the phone: tools.py SERVER_PORT SERIAL APK_FOLDER."""

import hashlib
import socket
import sys
import time
from pathlib import Path

import adbutils
import uiautomator2
from ppadb.client import Client

PORT, SERIAL, FOLDER = int(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
APP = "org.retap.notes"


def check(holds, what):
    if not holds:
        raise AssertionError(what)


def echo(port):
    with socket.create_connection(("127.0.0.1", port), timeout=20) as line:
        line.sendall(b"ping")
        check(line.recv(16) == b"ping", "what is sent comes back")


def with_adbutils(device):
    check(device.shell("echo hi") == "hi", "shell")
    check(device.shell2("(exit 3)").returncode == 3, "status without frames")
    said = device.shell2("echo out; ls /nope", v2=True)
    check(said.stdout == "out\n" and "No such file" in said.stderr, f"frames: {said}")
    check(tuple(device.window_size()) == (1080, 1920), "size")
    check(device.rotation() == 0 and device.is_screen_on(), "screen")
    check(device.prop.model == "sdk_gphone64_x86_64", "model")
    check(APP in device.list_packages(), "packages")
    check(device.app_info(APP).version_name == "1.0", "app info")
    check(device.battery().level == 100, "battery")
    device.app_stop(APP)
    device.app_start(APP)
    current = device.app_current()
    check((current.package, current.activity) == (APP, ".MainActivity"), f"front: {current}")
    check("New note" in device.dump_hierarchy(), "dump")
    check(device.screenshot().size == (1080, 1920), "screenshot")
    device.click(900, 136)
    check(device.app_current().activity == ".EditorActivity", "click")
    device.keyevent("HOME")
    check(device.app_current().package == "com.android.launcher3", "key")
    content = bytes(range(256)) * 8000
    device.sync.push(content, "/data/local/tmp/pushed")
    check(device.sync.read_bytes("/data/local/tmp/pushed") == content, "push and pull")
    check(any(entry.path == "Music" for entry in device.sync.iter_directory("/sdcard")), "list")
    device.install(str(FOLDER / "any.apk"), nolaunch=True, silent=True)
    check("com.example.small" in device.list_packages(), "install")
    device.uninstall("com.example.small")
    echo(device.forward_port(7))
    device.forward_remove_all()


def with_ppadb():
    client = Client(host="127.0.0.1", port=PORT)
    device = next(device for device in client.devices() if device.serial == SERIAL)
    check(device.shell("echo hi") == "hi\n", "shell")
    check(tuple(device.wm_size()) == (1080, 1920) and device.wm_density() == 2, "screen")
    check(device.get_battery_level() == 100, "battery")
    device.shell(f"monkey -p {APP} -c android.intent.category.LAUNCHER 1")
    check(device.get_top_activity().package == APP, "front")
    check(device.get_pid(APP) == device.shell(f"pidof {APP}").strip(), "process")
    device.input_tap(900, 136)
    check(device.get_top_activity().activity == ".EditorActivity", "click")
    check(device.screencap()[:4] == b"\x89PNG", "screenshot")
    sent, back = FOLDER / "sent", FOLDER / "back"
    sent.write_bytes(b"x" * 1_000_001)
    device.push(str(sent), "/sdcard/sent")
    device.pull("/sdcard/sent", str(back))
    same = hashlib.md5(back.read_bytes()).digest() == hashlib.md5(sent.read_bytes()).digest()
    check(same, "push and pull")
    check(device.install(str(FOLDER / "any.apk")) and device.is_installed("com.example.small"), "install")
    check(device.uninstall("com.example.small"), "uninstall")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    device.forward(f"tcp:{port}", "tcp:7")
    echo(port)
    device.killforward_all()


def with_uiautomator2(adb_device):
    device = uiautomator2.connect(adb_device)
    device.app_start(APP, stop=True)
    check(device.info["currentPackageName"] == APP, "info")
    check(device.app_current()["activity"] == ".MainActivity", "front")
    check("Shopping list" in device.dump_hierarchy(), "dump")
    check(device(text="Search").exists, "exists")
    device(text="Search").click()
    check(device.app_current()["activity"] == ".SearchActivity", "click")
    field = device(className="android.widget.EditText")
    field.set_text("milk")
    check(field.get_text() == "milk", "text")
    field.click()
    device.send_keys(" and honey")
    check(field.get_text() == "milk and honey", f"keys: {field.get_text()}")
    device.press("back")
    device.press("back")
    check(device.app_current()["activity"] == ".MainActivity", "back")
    check(device.xpath("//*[@text='Settings']").exists, "xpath")
    device.xpath("//*[@text='Settings']").click()
    check(device.app_current()["activity"] == ".SettingsActivity", "click by xpath")
    device.orientation = "l"
    check(device.info["displayRotation"] == 1 and device.window_size() == (1920, 1080), "rotation")
    device.orientation = "n"
    check(device.screenshot().size == (1080, 1920), "screenshot")
    began = time.time()
    check(not device(text="nonsense").wait(timeout=1), "wait")
    check(time.time() - began < 20, "waiting has an end")
    try:
        device(text="nonsense").click(timeout=0.2)
        raise AssertionError("a widget that is not there was clicked")
    except uiautomator2.UiObjectNotFoundError:
        pass
    device.stop_uiautomator()


adb = adbutils.AdbClient(host="127.0.0.1", port=PORT)
with_adbutils(adb.device(SERIAL))
print("adbutils", adbutils.__version__)
with_ppadb()
print("pure-python-adb")
with_uiautomator2(adb.device(SERIAL))
print("uiautomator2")
