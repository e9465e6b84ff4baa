"""For each file: the shape of its program, in which every text is alike, and the texts in their order."""

import ast
import json
import sys
import tokenize


class Values(ast.NodeVisitor):
    def __init__(self):
        self.strings = []

    def visit_Constant(self, node):
        if isinstance(node.value, str):
            self.strings.append(node.value)
            node.value = "text"

    def visit_FunctionDef(self, node):
        # Tests are named after the crash.
        if node.name.startswith("test_"):
            node.name = "test"
        self.generic_visit(node)


def values(path):
    # As Python itself reads a file: it may say how it is encoded.
    with tokenize.open(path) as file:
        tree = ast.parse(file.read())
    seen = Values()
    seen.visit(tree)
    return {"shape": ast.dump(tree), "strings": seen.strings}


print(json.dumps({path: values(path) for path in sys.argv[1:]}))
