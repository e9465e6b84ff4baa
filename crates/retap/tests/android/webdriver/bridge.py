"""A WebDriver server for tests, in the place of Appium with its driver UiAutomator2.

    bridge.py ADB_SERVER_PORT [--allow-insecure=uiautomator2:adb_shell]

It prints its port and serves on loopback until its standard input ends. Clients talk to it as to Appium 3: sessions with
capabilities, elements, actions, `mobile:` scripts, logs, in the paths, bodies and errors of the W3C protocol and of
Appium's own. It acts on a device through the adb server with what the driver uses: `am`, `pm`, `input`, `settings`,
`logcat`, and a UI Automator server on the device for texts.

It is not Appium. It has what native Android tests need of it and answers `unknown command` to the rest: no browsers,
no contexts, no files, no several fingers. An element is looked up again by its locator each time it is used. It knows
nothing of who wrote a test.
"""

import collections
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from lxml import etree

ELEMENT_KEY = "element-6066-11e4-a52e-4f735466cecf"
SHELL_FEATURE = "uiautomator2:adb_shell"
AUTOMATOR_PORT = 9008
LOG_LINES = 10_000
LONG_PRESS_MS = 500

STATUS = {
    "element not interactable": 400,
    "invalid argument": 400,
    "invalid selector": 400,
    "invalid session id": 404,
    "no such element": 404,
    "session not created": 500,
    "stale element reference": 404,
    "unknown command": 404,
    "unknown error": 500,
    "unknown method": 405,
    "unsupported operation": 500,
}


class Failure(Exception):
    """An error of the protocol: one of STATUS, and what happened."""

    def __init__(self, error, message):
        super().__init__(message)
        self.error, self.message = error, message


class Adb:
    """A device, reached through the adb server."""

    def __init__(self, port, serial):
        self.port, self.serial = port, serial

    def open(self, service):
        """A stream to a service of the device."""
        line = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        for request in (f"host:transport:{self.serial}", service):
            data = request.encode()
            line.sendall(b"%04x" % len(data) + data)
            if exactly(line, 4) != b"OKAY":
                raise Failure("unknown error", f"adb refuses {request}: {line.recv(4096)!r}")
        return line

    def shell(self, command):
        """Exit code, output and errors of a command on the device."""
        said = {1: b"", 2: b""}
        with self.open(f"shell,v2,raw:{command}") as line:
            while True:
                kind, length = exactly(line, 1)[0], int.from_bytes(exactly(line, 4), "little")
                data = exactly(line, length)
                if kind == 3:
                    return data[0], said[1].decode(errors="replace"), said[2].decode(errors="replace")
                said[kind] += data

    def run(self, command):
        """What a command prints; a failure when it does not succeed."""
        code, out, err = self.shell(command)
        if code:
            raise Failure("unknown error", f"'{command}' exits with {code}: {out}{err}")
        return out

    def tool(self, *args):
        """A command of adb itself."""
        command = ["adb", "-P", str(self.port), "-s", self.serial, *args]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if done.returncode:
            raise Failure("unknown error", f"{' '.join(command)}: {done.stdout}{done.stderr}")


def exactly(line, count):
    data = b""
    while len(data) < count:
        part = line.recv(count - len(data))
        if not part:
            raise Failure("unknown error", "the device is gone")
        data += part
    return data


def devices(port):
    with socket.create_connection(("127.0.0.1", port), timeout=60) as line:
        line.sendall(b"000chost:devices")
        exactly(line, 4)
        listed = exactly(line, int(exactly(line, 4), 16)).decode()
    return [row.split("\t")[0] for row in listed.splitlines() if row.endswith("\tdevice")]


class Logcat:
    """The log of a device from the start of a session on, with what its buffers held then."""

    def __init__(self, adb, clear):
        if clear:
            adb.run("logcat -c")
        self.lines = collections.deque(maxlen=LOG_LINES)
        self.stream = adb.open("shell:logcat -v threadtime")
        threading.Thread(target=self.follow, daemon=True).start()

    def follow(self):
        rest = b""
        try:
            self.stream.settimeout(None)
            while part := self.stream.recv(65536):
                *lines, rest = (rest + part).split(b"\n")
                self.lines.extend(line.decode(errors="replace").rstrip("\r") for line in lines)
        except OSError:
            pass

    def news(self):
        """What nobody was told yet, oldest first."""
        lines = [self.lines.popleft() for _ in range(len(self.lines))]
        now = int(time.time() * 1000)
        return [{"timestamp": now, "level": "ALL", "message": line} for line in lines]

    def stop(self):
        self.stream.close()


class Automator:
    """The UI Automator server on the device, which sets texts as accessibility services do."""

    def __init__(self, adb):
        self.adb = adb
        jar = "/data/local/tmp/automator.jar"
        adb.run(f"echo > {jar}")
        self.process = adb.open(f"shell:CLASSPATH={jar} app_process / com.wetest.uia2.Main")
        self.process.recv(64)

    def call(self, method, *params):
        connection = http.client.HTTPConnection("127.0.0.1")
        connection.sock = self.adb.open(f"tcp:{AUTOMATOR_PORT}")
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        connection.request("POST", "/jsonrpc/0", body)
        answer = json.loads(connection.getresponse().read())
        connection.close()
        if "error" in answer:
            raise Failure("unknown error", answer["error"]["message"])
        return answer["result"]

    def stop(self):
        self.process.close()


class Screen:
    """The widgets in front, as Appium shows them: elements named after their classes."""

    def __init__(self, dump):
        start, end = dump.find("<hierarchy"), dump.rfind("</hierarchy>")
        if start < 0:
            raise Failure("unknown error", f"the screen cannot be read: {dump.strip()}")
        self.root = etree.fromstring(dump[start : end + len("</hierarchy>")])
        self.rotation = self.root.get("rotation")
        self.nodes = list(self.root.iter("node"))
        for node in self.nodes:
            node.tag = re.sub(r"[^\w.]", "_", node.get("class")) or "android.view.View"

    def find(self, using, value, package, under=None):
        """The nodes that a locator means, in their order."""
        among = self.nodes if under is None else [node for node in under.iter() if node is not under]
        if using == "id":
            names = {value} if ":" in value else {value, f"{package}:id/{value}"}
            return [node for node in among if node.get("resource-id") in names]
        if using == "accessibility id":
            return [node for node in among if node.get("content-desc") == value]
        if using == "class name":
            return [node for node in among if node.get("class") == value]
        if using == "xpath":
            return self.by_xpath(value, under)
        if using == "-android uiautomator":
            return UiSelector(value).find(among)
        raise Failure("invalid selector", f"Locator Strategy '{using}' is not supported for this session")

    def by_xpath(self, path, under):
        try:
            found = (self.root if under is None else under).xpath(path)
        except etree.XPathError as error:
            raise Failure("invalid selector", f"{path}: {error}") from error
        if not isinstance(found, list) or any(not isinstance(node, etree._Element) for node in found):
            raise Failure("invalid selector", f"{path} does not mean elements")
        return found


class UiSelector:
    """`new UiSelector().text("Edit").instance(1)`, read as UI Automator's server for Appium reads it: of all escapes,
    strings have but that of the quote."""

    WORDS = {
        "text": "text",
        "description": "content-desc",
        "resourceId": "resource-id",
        "className": "class",
        "packageName": "package",
    }
    FLAGS = {"longClickable": "long-clickable"}
    PLAIN_FLAGS = ("checkable", "checked", "clickable", "enabled", "focusable", "focused", "scrollable", "selected")
    CALL = re.compile(r'\s*\.\s*(\w+)\s*\(\s*("(?:\\"|[^"])*"|true|false|\d+)\s*\)')

    def __init__(self, text):
        start = re.match(r"\s*(?:new\s+)?UiSelector\(\s*\)", text)
        if not start:
            raise Failure("invalid selector", f"Could not parse UiSelector argument: {text}")
        self.tests, self.instance, at = [], None, start.end()
        while at < len(text.rstrip(" ;")):
            call = self.CALL.match(text, at)
            if not call:
                raise Failure("invalid selector", f"Could not parse UiSelector argument: {text[at:]}")
            self.add(call[1], call[2])
            at = call.end()

    def add(self, name, argument):
        if name == "instance" and argument.isdigit():
            self.instance = int(argument)
        elif name == "index" and argument.isdigit():
            self.tests.append(lambda node: node.get("index") == argument)
        elif name in self.PLAIN_FLAGS + tuple(self.FLAGS) and argument in ("true", "false"):
            flag = self.FLAGS.get(name, name)
            self.tests.append(lambda node: node.get(flag) == argument)
        elif argument.startswith('"'):
            self.tests.append(self.words(name, argument[1:-1].replace('\\"', '"')))
        else:
            raise Failure("invalid selector", f"UiSelector has no suitable method {name}({argument})")

    def words(self, name, value):
        part = next((part for part in self.WORDS if name.startswith(part)), None)
        how = name[len(part) :] if part else None
        attribute = self.WORDS.get(part)
        tests = {
            "": lambda said: said == value,
            "Contains": lambda said: value.lower() in said.lower(),
            "StartsWith": lambda said: said.lower().startswith(value.lower()),
            "Matches": lambda said: re.fullmatch(value, said, re.DOTALL) is not None,
        }
        if how not in tests:
            raise Failure("invalid selector", f"UiSelector has no method {name}")
        return lambda node: tests[how](node.get(attribute))

    def find(self, among):
        found = [node for node in among if all(test(node) for test in self.tests)]
        return found if self.instance is None else found[self.instance : self.instance + 1]


def bounds(node):
    return [int(number) for number in re.findall(r"-?\d+", node.get("bounds"))]


def middle(node):
    left, top, right, bottom = bounds(node)
    return (left + right) // 2, (top + bottom) // 2


class Session:
    """One client on one device."""

    def __init__(self, caps, adb, insecure):
        self.caps, self.adb, self.insecure = caps, adb, insecure
        self.id = str(uuid.uuid4())
        self.package = caps.get("appPackage")
        self.elements = {}
        self.implicit = 0
        self.log = Logcat(adb, caps.get("clearDeviceLogsOnStart", False))
        self.automator = Automator(adb)
        if self.package:
            self.prepare()
            if caps.get("autoLaunch", True):
                self.start()

    def prepare(self):
        """The app as on its first day, unless the session is to keep what is there."""
        keeps, app = self.caps.get("noReset", False), self.caps.get("app")
        installed = f"package:{self.package}" in self.adb.run("pm list packages").split()
        if app is not None and not os.path.isfile(app):
            raise Failure("session not created", f"The application at '{app}' does not exist")
        if app is not None and not (keeps and installed):
            if installed:
                self.adb.run(f"pm uninstall {self.package}")
            self.adb.tool("install", app)
        elif not installed:
            raise Failure("session not created", f"'{self.package}' is not installed, and no 'app' is given")
        elif not keeps:
            self.adb.run(f"am force-stop {self.package}")
            if "Failed" in self.adb.run(f"pm clear {self.package}"):
                raise Failure("session not created", f"Cannot clear the application data of '{self.package}'")

    def activity(self):
        found = self.adb.run(f"cmd package resolve-activity --brief {self.package}").split()
        if "/" not in found[-1]:
            raise Failure("unknown error", f"Unable to resolve the launchable activity of '{self.package}'")
        return found[-1]

    def start(self):
        activity = self.caps.get("appActivity")
        component = f"{self.package}/{activity}" if activity else self.activity()
        stop = "" if self.caps.get("noReset", False) else "-S "
        said = self.adb.run(
            f"am start -W -n {component} {stop}-a android.intent.action.MAIN "
            "-c android.intent.category.LAUNCHER -f 0x10200000"
        )
        if "Error" in said:
            raise Failure("session not created", f"Cannot start the '{self.package}' application: {said}")
        until = time.monotonic() + self.caps.get("appWaitDuration", 20_000) / 1000
        while self.in_front()[0] != self.package:
            if time.monotonic() > until:
                raise Failure("session not created", f"'{self.package}' never started")
            time.sleep(0.1)

    def in_front(self):
        """Package and activity of the window that has the focus."""
        found = re.search(r"mCurrentFocus=\S+ \S+ ([\w.]+)/([\w.$]+)", self.adb.run("dumpsys window displays"))
        return found.groups() if found else ("", "")

    def activate(self):
        self.adb.run(
            "am start-activity -a android.intent.action.MAIN -c android.intent.category.LAUNCHER "
            f"-f 0x10200000 -n {self.activity()}"
        )

    def quit(self):
        if self.package and not self.caps.get("noReset", False):
            self.adb.run(f"am force-stop {self.package}")
        self.automator.stop()
        self.log.stop()

    def screen(self):
        return Screen(self.adb.run("uiautomator dump /dev/tty"))

    def find(self, body, under=None):
        """References to all elements that fit; waits for the first as long as the session says."""
        using, value = body.get("using"), body.get("value")
        until = time.monotonic() + self.implicit
        while True:
            screen = self.screen()
            scope = None if under is None else self.node(under, screen)
            found = screen.find(using, value, self.package, scope)
            if found or time.monotonic() >= until:
                return [self.reference(("found", using, value, number, under)) for number in range(len(found))]
            time.sleep(0.1)

    def reference(self, locator):
        element = str(uuid.uuid4())
        self.elements[element] = locator
        return {ELEMENT_KEY: element}

    def find_one(self, body, under=None):
        found = self.find(body, under)
        if not found:
            message = "An element could not be located on the page using the given search parameters."
            raise Failure("no such element", message)
        return found[0]

    def focused(self):
        found = self.find({"using": "-android uiautomator", "value": "new UiSelector().focused(true)"})
        if not found:
            raise Failure("no such element", "No element has the focus")
        return found[0]

    def node(self, element, screen=None):
        """The widget of an element, as it is now."""
        if element not in self.elements:
            raise Failure("no such element", f"The element with id {element} is not known")
        _, using, value, number, under = self.elements[element]
        screen = screen or self.screen()
        found = screen.find(using, value, self.package, None if under is None else self.node(under, screen))
        if number >= len(found):
            message = f"The element located by {using}: {value} is not on the screen any more"
            raise Failure("stale element reference", message)
        return found[number]

    def set_text(self, element, change):
        screen = self.screen()
        node = self.node(element, screen)
        alike = [other for other in screen.nodes if other.get("class") == node.get("class")]
        selector = {"className": node.get("class"), "instance": alike.index(node)}
        self.automator.call("setText", selector, change(node, selector))

    def clear(self, element):
        self.set_text(element, lambda node, selector: "")

    def type(self, element, text):
        """Adds to what stands in a field; what stands there after it was cleared is a hint."""

        def added(node, selector):
            before = node.get("text")
            if before:
                self.automator.call("clearTextField", selector)
                if self.node(element).get("text"):
                    before = ""
            return before + text

        self.set_text(element, added)

    def touch(self, start, end, millis):
        if start == end and millis < LONG_PRESS_MS:
            self.adb.run(f"input tap {start[0]} {start[1]}")
        else:
            self.adb.run(f"input swipe {start[0]} {start[1]} {end[0]} {end[1]} {millis}")

    def perform(self, sources):
        """What one finger does; sources without a finger only take their time."""
        fingers = [source for source in sources if source.get("type") == "pointer"]
        if len(fingers) != 1 or any(source.get("type") == "key" for source in sources):
            raise Failure("unsupported operation", "one pointer is all that is supported here")
        at, down, millis = (0, 0), None, 0
        for action in fingers[0]["actions"]:
            kind, takes = action["type"], action.get("duration") or 0
            if kind == "pointerMove":
                at = self.moved(at, action)
                millis += takes if down else 0
            elif kind == "pointerDown":
                down, millis = at, 0
            elif kind == "pause" and down:
                millis += takes
            elif kind == "pause":
                time.sleep(takes / 1000)
            elif kind == "pointerUp" and down:
                self.touch(down, at, int(millis))
                down = None

    def moved(self, at, action):
        origin, x, y = action.get("origin", "viewport"), round(action["x"]), round(action["y"])
        if origin == "viewport":
            return x, y
        base = at if origin == "pointer" else middle(self.node(origin[ELEMENT_KEY]))
        return base[0] + x, base[1] + y

    def place(self, args):
        """Where a gesture goes: the middle of an element, an offset in it, or a place on the screen."""
        element, offset = args.get("elementId"), None
        if "x" in args and "y" in args:
            offset = round(args["x"]), round(args["y"])
        if element is None and offset is None:
            raise Failure("invalid argument", "Either element id or offset must be provided")
        if element is None:
            return offset
        node = self.node(element)
        left, top, _, _ = bounds(node)
        return (left + offset[0], top + offset[1]) if offset else middle(node)

    def execute(self, script, args):
        args = args[0] if args and isinstance(args[0], dict) else {}
        name = script.removeprefix("mobile:").strip()
        if name == "clickGesture":
            self.touch(self.place(args), self.place(args), 0)
        elif name == "longClickGesture":
            at = self.place(args)
            self.touch(at, at, int(args.get("duration", LONG_PRESS_MS)))
        elif name == "doubleClickGesture":
            x, y = self.place(args)
            self.adb.run(f"input tap {x} {y}; input tap {x} {y}")
        elif name == "pressKey":
            self.press(args)
        elif name == "activateApp":
            self.activate_app(args)
        elif name == "getCurrentActivity":
            return self.in_front()[1]
        elif name == "shell":
            return self.device_shell(args)
        else:
            raise Failure("unknown method", f"Unsupported execute method '{script}'")
        return None

    def press(self, args):
        if not isinstance(args.get("keycode"), int):
            raise Failure("invalid argument", "'keycode' must be a number")
        self.adb.run(f"input keyevent {args['keycode']}")

    def activate_app(self, args):
        app = args.get("appId") or args.get("bundleId")
        if app != self.package:
            raise Failure("unsupported operation", f"only the session's own app is started here, not '{app}'")
        self.activate()

    def device_shell(self, args):
        if SHELL_FEATURE not in self.insecure:
            message = (
                "Potentially insecure feature 'adb_shell' has not been enabled. If you want to enable this feature "
                "and accept the security ramifications, please do so by following the documented instructions"
            )
            raise Failure("unknown error", message)
        if not isinstance(args.get("command"), str):
            raise Failure("invalid argument", "The 'command' argument is mandatory")
        return self.adb.run(" ".join([args["command"], *args.get("args", [])]))

    def turn(self, orientation):
        if orientation not in ("PORTRAIT", "LANDSCAPE"):
            raise Failure("invalid argument", f"'{orientation}' is no orientation")
        self.adb.run("settings put system accelerometer_rotation 0")
        self.adb.run(f"settings put system user_rotation {int(orientation == 'LANDSCAPE')}")

    def logs(self, kind):
        if kind != "logcat":
            raise Failure("invalid argument", f"Unsupported log type '{kind}'. Supported types are logcat")
        return self.log.news()


def rect(node):
    left, top, right, bottom = bounds(node)
    return {"x": left, "y": top, "width": right - left, "height": bottom - top}


ATTRIBUTES = {"contentDescription": "content-desc", "resourceId": "resource-id", "className": "class", "name": "text"}
ORIENTATIONS = ("LANDSCAPE", "PORTRAIT")

# What is asked for, and what that does to a session: parts of the path in braces come before the body.
ROUTES = [
    ("GET", "", lambda s, b: s.caps),
    ("GET", "/timeouts", lambda s, b: {"implicit": int(s.implicit * 1000)}),
    ("POST", "/timeouts", lambda s, b: setattr(s, "implicit", b.get("implicit", 0) / 1000)),
    ("GET", "/context", lambda s, b: "NATIVE_APP"),
    ("GET", "/source", lambda s, b: etree.tostring(s.screen().root, encoding="unicode")),
    ("POST", "/element", lambda s, b: s.find_one(b)),
    ("POST", "/elements", lambda s, b: s.find(b)),
    ("GET", "/element/active", lambda s, b: s.focused()),
    ("POST", "/element/{}/element", lambda s, e, b: s.find_one(b, e)),
    ("POST", "/element/{}/elements", lambda s, e, b: s.find(b, e)),
    ("POST", "/element/{}/click", lambda s, e, b: s.touch(*[middle(s.node(e))] * 2, 0)),
    ("POST", "/element/{}/clear", lambda s, e, b: s.clear(e)),
    ("POST", "/element/{}/value", lambda s, e, b: s.type(e, b["text"])),
    ("GET", "/element/{}/text", lambda s, e, b: s.node(e).get("text")),
    ("GET", "/element/{}/name", lambda s, e, b: s.node(e).get("class")),
    ("GET", "/element/{}/rect", lambda s, e, b: rect(s.node(e))),
    ("GET", "/element/{}/enabled", lambda s, e, b: s.node(e).get("enabled") == "true"),
    ("GET", "/element/{}/selected", lambda s, e, b: s.node(e).get("selected") == "true"),
    ("GET", "/element/{}/displayed", lambda s, e, b: s.node(e) is not None),
    ("GET", "/element/{}/attribute/{}", lambda s, e, name, b: s.node(e).get(ATTRIBUTES.get(name, name))),
    ("POST", "/actions", lambda s, b: s.perform(b["actions"])),
    ("DELETE", "/actions", lambda s, b: None),
    ("POST", "/execute/sync", lambda s, b: s.execute(b["script"], b["args"])),
    ("GET", "/orientation", lambda s, b: ORIENTATIONS[s.screen().rotation in ("0", "2")]),
    ("POST", "/orientation", lambda s, b: s.turn(b["orientation"])),
    ("POST", "/appium/device/activate_app", lambda s, b: s.activate_app(b)),
    ("GET", "/log/types", lambda s, b: ["logcat"]),
    ("GET", "/se/log/types", lambda s, b: ["logcat"]),
    ("POST", "/log", lambda s, b: s.logs(b["type"])),
    ("POST", "/se/log", lambda s, b: s.logs(b["type"])),
]
PATTERNS = [
    (method, re.compile(path.replace("{}", "([^/]+)") + "$"), answer) for method, path, answer in ROUTES
]


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, adb_port, insecure):
        super().__init__(("127.0.0.1", 0), Handler)
        self.adb_port, self.insecure, self.sessions = adb_port, insecure, {}

    def create(self, body):
        wanted = body.get("capabilities", {})
        caps = dict(wanted.get("alwaysMatch", {}))
        for more in wanted.get("firstMatch", [{}])[:1]:
            caps.update(more)
        bare = {name.removeprefix("appium:"): value for name, value in caps.items()}
        for name, value in (("platformName", "android"), ("automationName", "uiautomator2")):
            if str(bare.get(name, "")).lower() != value:
                raise Failure("session not created", f"no driver is installed for {name} '{bare.get(name)}'")
        known = devices(self.adb_port)
        serial = bare.get("udid") or next(iter(known), None)
        if serial not in known:
            raise Failure("session not created", f"Device {serial} was not in the list of connected devices")
        session = Session(bare, Adb(self.adb_port, serial), self.insecure)
        self.sessions[session.id] = session
        return {"sessionId": session.id, "capabilities": {**caps, "appium:deviceUDID": serial}}

    def answer(self, method, path, body):
        if (method, path) == ("GET", "/status"):
            return {"ready": True, "message": "The server is ready to accept new connections"}
        if (method, path) == ("POST", "/session"):
            return self.create(body)
        found = re.match("/session/([^/]+)(.*)", path)
        if not found:
            raise Failure("unknown command", f"{method} {path} is no command that is known here")
        session = self.sessions.get(found[1])
        if session is None:
            raise Failure("invalid session id", "A session is either terminated or not started")
        if method == "DELETE" and not found[2]:
            return self.sessions.pop(session.id).quit()
        for known, pattern, act in PATTERNS:
            parts = pattern.match(found[2])
            if known == method and parts:
                return act(session, *parts.groups(), body)
        raise Failure("unknown command", f"{method} {found[2]} is no command that is known here")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_command(self):
        length = int(self.headers.get("Content-Length") or 0)
        text = self.rfile.read(length)
        try:
            body = json.loads(text) if text else {}
            status, value = 200, self.server.answer(self.command, self.path, body)
        except Failure as failure:
            status, value = STATUS[failure.error], {
                "error": failure.error,
                "message": failure.message,
                "stacktrace": "",
            }
        except (KeyError, TypeError, ValueError) as wrong:
            status, value = 400, {"error": "invalid argument", "message": repr(wrong), "stacktrace": ""}
        except OSError as broken:
            status, value = 500, {"error": "unknown error", "message": repr(broken), "stacktrace": ""}
        print(self.command, self.path, text.decode(errors="replace"), "->", status, value, file=sys.stderr)
        answer = json.dumps({"value": value}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Cache-Control", "no-cache")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = do_DELETE = handle_command

    def log_message(self, *_):
        pass


def main():
    port, *flags = sys.argv[1:]
    insecure = {flag.removeprefix("--allow-insecure=") for flag in flags}
    server = Server(int(port), insecure)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
