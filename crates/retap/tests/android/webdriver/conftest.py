"""Tells each test its device and its app, and writes down how it ended."""

import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
VARIABLES = json.loads((FOLDER / "variables.json").read_text())


@pytest.fixture(autouse=True)
def variables(request, monkeypatch):
    for name, value in VARIABLES[request.path.stem.removeprefix("test_")].items():
        monkeypatch.setenv(name, value)


def pytest_runtest_logreport(report):
    # A test that cannot be set up has no call, and one that cannot be torn down has failed after all.
    if report.when == "call" or report.failed:
        name = Path(report.fspath).stem.removeprefix("test_")
        message = "" if report.passed else report.longrepr.reprcrash.message
        result = {"name": name, "passed": report.passed, "message": message}
        with (FOLDER / "results.jsonl").open("a") as results:
            results.write(json.dumps(result) + "\n")
