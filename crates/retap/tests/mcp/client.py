"""The official Python client against `retap mcp`: client.py PART MODE RETAP FOLDER."""

import sys
from pathlib import Path

import anyio
from jsonschema import Draft202012Validator
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

PART, MODE, RETAP, FOLDER = sys.argv[1], sys.argv[2], sys.argv[3], Path(sys.argv[4])
ENDLESS = {"device": "sim:notes", "strategy": "aware", "minutes": 1000000, "out": "long"}


def check(holds, what):
    if not holds:
        raise AssertionError(what)


def text(result):
    return "\n\n".join(block.text for block in result.content)


class Progress:
    """What was told of a call."""

    def __init__(self):
        self.told = []
        self.seen = anyio.Event()

    async def __call__(self, progress, total, message):
        check(not self.told or progress > self.told[-1][0], f"{progress} after {self.told}")
        check(message, "progress has words")
        self.told.append((progress, total, message))
        if len(self.told) == 3:
            self.seen.set()


async def call(client, tool, **arguments):
    progress = Progress()
    result = await client.call_tool(tool, arguments, progress_callback=progress)
    check(not result.is_error, text(result))
    return result.structured_content, text(result), progress.told


async def story(client):
    tools = (await client.list_tools()).tools
    names = [tool.name for tool in tools]
    check(names == ["explore", "reduce", "replay", "show", "export"], names)
    for tool in tools:
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema)
        check(tool.input_schema["additionalProperties"] is False, tool.name)
        for field in tool.input_schema["properties"].values():
            check(field["description"] and field["examples"], field)
            for example in field["examples"]:
                Draft202012Validator(field).validate(example)
    strategies = tools[0].input_schema["properties"]["strategy"]["enum"]
    check("aware" in strategies and "timetravel" in strategies, strategies)

    found, words, told = await call(
        client, "explore", device="sim:notes", strategy="aware", events=5000, seed=7, out="night"
    )
    check(found["status"] == "done" and found["events"] == 5000, found)
    check(told and all(total == 5000 for _, total, _ in told), told)
    check("states" in told[-1][2], told)
    check(found["crashes"] and found["crashes"][0]["signature"].split("@")[0] in words, words)

    crash = found["crashes"][0]
    reduced, words, told = await call(client, "reduce", input=crash["trace"], export="maestro", out="reduced")
    check(reduced["status"] == "reduced" and reduced["confirmed"] == {"reached": 20, "of": 20}, reduced)
    check(0 < len(reduced["steps_in_words"]) == reduced["events_after"] < 20, reduced["steps_in_words"])
    check(told and " runs" in told[-1][2], told)
    check(f"to {reduced['events_after']}; 20 of 20 fresh runs reached" in words, words)
    check(all(step in words for step in reduced["steps_in_words"]), words)
    check(reduced["test"]["text"] in words and 'appId: "org.retap.notes"' in words, words)

    exported, words, _ = await call(client, "export", trace="reduced", **{"as": "maestro"}, out="tests")
    check(exported["text"] == reduced["test"]["text"], exported)
    check((FOLDER / exported["file"]).read_text() == exported["text"], exported["file"])

    replayed, words, told = await call(client, "replay", trace=reduced["trace"], times=20)
    check(replayed["confirmed"] == {"reached": 20, "of": 20}, replayed)
    check(told[-1][:2] == (20, 20) and words.startswith("20 of 20 runs"), (told, words))

    shown, words, _ = await call(client, "show", path="reduced")
    check(shown["of"] == "reduce" and shown["result"]["confirmed"] == {"reached": 20, "of": 20}, shown)
    check(shown["trace"] == reduced["trace"] and all(step in words for step in reduced["steps_in_words"]), words)
    check(" at org.retap.notes." in words and "retap export" in words, words)
    shown, words, _ = await call(client, "show", path=reduced["trace"])
    check([step["words"] for step in shown["steps"]] == reduced["steps_in_words"], shown)
    claim = dict(shown["header"]["claim"])
    check(len(claim.pop("digest")) == 16, shown)
    check(claim == {"reached": 20, "runs": 20, "before": crash["events"]}, shown)
    check(shown["steps"][-1]["crash"]["signature"] == crash["signature"], shown)
    shown, words, _ = await call(client, "show", path="night")
    check([one["trace"] for one in shown["crashes"]] == [one["trace"] for one in found["crashes"]], shown)
    check("5000 events in" in words, words)
    shown, words, _ = await call(client, "show", path=crash["trace"])
    check(crash["events"] > 50 and len(shown["steps"]) == 50, len(shown["steps"]))
    check(shown["steps"][-1]["crash"]["signature"] == crash["signature"], shown["steps"][-1])
    shown, words, _ = await call(client, "show", path=crash["trace"], steps="2-4")
    check([step["number"] for step in shown["steps"]] == [2, 3, 4] and "not shown" in words, shown)


async def cancel(client):
    progress = Progress()
    async with anyio.create_task_group() as tasks:
        inner = anyio.CancelScope()

        async def explore():
            with inner:
                await client.call_tool("explore", ENDLESS, progress_callback=progress)
                raise AssertionError("an endless exploration has ended")

        tasks.start_soon(explore)
        with anyio.fail_after(100):
            await progress.seen.wait()
        inner.cancel()
    with anyio.fail_after(100):
        replayed, _, _ = await call(client, "replay", trace="dalvik.trace.jsonl", times=5)
        check(replayed["confirmed"]["of"] == 5, replayed)
        while "explore stopped: " not in (FOLDER / "server.log").read_text():
            await anyio.sleep(0.01)
        shown, words, _ = await call(client, "show", path="long")
        check(shown["of"] == "explore" and "sim:notes" in words, words)


MISTAKES = [
    ("explore", {"events": "many"}, "events takes a whole number from 1 to"),
    ("explore", {"events": 0}, "events takes a whole number from 1 to"),
    ("explore", {"device": 7}, 'device takes a text, such as "sim:notes", not 7'),
    ("explore", {"stratgy": "aware"}, "there is no field 'stratgy'; did you mean `strategy`?"),
    ("explore", {"strategy": "awre"}, "strategy: there is no strategy 'awre'; did you mean `aware`?"),
    ("explore", {}, "no device is given; write device sim:notes, or set device in retap.toml"),
    ("explore", {"device": "sim:nonsense"}, "nonsense"),
    ("explore", {"device": "smi:notes"}, "there is no device 'smi:notes'; did you mean `sim`?"),
    ("explore", {"device": "sim:notes", "reduce": "yes"}, "reduce takes true or false"),
    ("explore", {"resume": "nothing"}, "nothing"),
    ("reduce", {}, "input is missing; give it, such as"),
    ("reduce", {"input": "nothing.trace.jsonl"}, "input: there is no file or folder nothing.trace.jsonl"),
    ("reduce", {"input": "broken.trace.jsonl"}, "broken.trace.jsonl:1:1: this is not a retap trace"),
    ("reduce", {"input": "../x"}, "input: ../x is outside of"),
    ("reduce", {"input": "dalvik.trace.jsonl", "to": "cmd:true"}, "to: this server runs no commands"),
    ("reduce", {"input": "dalvik.trace.jsonl", "to": "activty:X"}, "to: "),
    ("reduce", {"input": "dalvik.trace.jsonl", "to": "crash", "crash": "x"}, "crash and to exclude each other"),
    ("reduce", {"input": "dalvik.trace.jsonl", "search": "dmin"}, "did you mean `ddmin`?"),
    ("reduce", {"input": "dalvik.trace.jsonl", "rule": "20/18"}, "20/18"),
    ("reduce", {"input": "dalvik.trace.jsonl", "schedule": "async"}, "schedule async does nothing with the default search"),
    ("reduce", {"input": "dalvik.trace.jsonl", "min_rate": 2}, "min_rate takes a number from 0 to 1"),
    ("replay", {"trace": "dalvik.trace.jsonl", "times": 0}, "times takes a whole number from 1 to 100000"),
    ("replay", {"trace": "dalvik.trace.jsonl", "device": "sim:notes"}, "name a device that runs"),
    ("export", {"trace": "dalvik.trace.jsonl"}, 'as is missing; give it, such as "maestro"'),
    ("export", {"trace": "dalvik.trace.jsonl", "as": "maestr"}, "did you mean `maestro`?"),
    ("export", {"trace": ".", "as": "maestro"}, "is not the folder of a recording, or of a reduction"),
    ("show", {"path": "dalvik.trace.jsonl", "steps": "9-2"}, "steps: '9-2' is no range of steps: it begins after its end"),
    ("show", {"path": "dalvik.trace.jsonl", "steps": "9000000"}, "steps 9000000: dalvik.trace.jsonl has"),
]


async def mistakes(client):
    (FOLDER / "broken.trace.jsonl").write_text("{\n")
    before = sorted(path.name for path in FOLDER.iterdir())
    for tool, arguments, said in MISTAKES:
        result = await client.call_tool(tool, arguments)
        check(result.is_error, f"{tool} {arguments}: {text(result)}")
        check(said in text(result) and "\n" not in text(result), f"{tool} {arguments}: {text(result)}")
    check(sorted(path.name for path in FOLDER.iterdir()) == before, "nothing was written")
    replayed, _, _ = await call(client, "replay", trace="dalvik.trace.jsonl", times=1)
    check(replayed["runs"] == 1, replayed)


async def gone(client):
    await client.call_tool("explore", ENDLESS)


async def main():
    with open(FOLDER / "server.log", "w") as log:
        server = StdioServerParameters(command=RETAP, args=["mcp"], cwd=FOLDER, env={"NO_COLOR": "1"})
        async with Client(stdio_client(server, errlog=log), mode=MODE) as client:
            await {"story": story, "cancel": cancel, "mistakes": mistakes, "gone": gone}[PART](client)
    print(f"{PART}: passed")


anyio.run(main)
