"""For each test for Appium: whether it takes what stands in the file beside it for the words of a command that has worked."""

import json
import pathlib
import runpy
import sys
from unittest.mock import MagicMock

CLIENTS = ["appium", "appium.options.android", "selenium.common.exceptions", "selenium.webdriver.support.ui"]
for name in ["pytest", *CLIENTS]:
    sys.modules[name] = MagicMock()


class Driver:
    def __init__(self, says):
        self.says = says

    def execute_script(self, name, told):
        # Whatever the code of the command is, and wherever its words go.
        assert (name, told) == ("mobile: shell", {"command": "am start 2>&1; true"}), told
        return self.says


def worked(path):
    tell = runpy.run_path(path)["tell"]
    try:
        tell(Driver(pathlib.Path(path).with_suffix(".says").read_text()), "am start")
    except AssertionError as error:
        assert str(error).startswith("am start: "), error
        return False
    return True


print(json.dumps([worked(path) for path in sys.argv[1:]]))
