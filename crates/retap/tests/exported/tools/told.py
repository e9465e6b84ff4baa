"""For each test for Appium: whether it takes what the `am` beside it says, and how it ends, for a command that has worked."""

import json
import os
import pathlib
import runpy
import subprocess
import sys
from unittest.mock import MagicMock

CLIENTS = ["appium", "appium.options.android", "selenium.common.exceptions", "selenium.webdriver.support.ui"]
for name in ["pytest", *CLIENTS]:
    sys.modules[name] = MagicMock()


class Driver:
    def __init__(self, folder):
        self.path = f"{folder}:{os.environ['PATH']}"

    def execute_script(self, name, told):
        assert name == "mobile: shell", name
        env = {**os.environ, "PATH": self.path}
        return subprocess.run(["sh", "-c", told["command"]], env=env, stdout=subprocess.PIPE, text=True, check=True).stdout


def worked(path):
    path = pathlib.Path(path)
    test = runpy.run_path(str(path))
    asks = next(line.strip() for line in path.read_text().splitlines() if line.startswith("    tell(driver, "))
    try:
        eval(asks, test, {"driver": Driver(path.parent)})
    except AssertionError as error:
        assert str(error).startswith("am st"), error
        return False
    return True


print(json.dumps([worked(path) for path in sys.argv[1:]]))
