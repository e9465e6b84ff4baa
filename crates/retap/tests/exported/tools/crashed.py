"""For each test for Appium: whether the log beside it tells of the crash that the test expects. No client is needed."""

import json
import pathlib
import runpy
import sys
from unittest.mock import MagicMock

CLIENTS = ["appium", "appium.options.android", "selenium.common.exceptions", "selenium.webdriver.support.ui"]
for name in ["pytest", *CLIENTS]:
    sys.modules[name] = MagicMock()


class Driver:
    def __init__(self, log):
        self.app_log, self.log = "", log

    def get_log(self, _):
        return [{"message": line} for line in self.log]


def crashed(path):
    log = pathlib.Path(path).with_suffix(".log").read_text().splitlines()
    return runpy.run_path(path)["has_crashed_with_exception"](Driver(log))


print(json.dumps([crashed(path) for path in sys.argv[1:]]))
