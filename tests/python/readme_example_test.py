"""Runs the Python example of proto/wire/README.md, changed only in the server's address."""

import contextlib
import importlib.util
import io
import os
import re
import sys
import types
import unittest

from google.protobuf import message_factory

import reflection
from server import Server

MODULE = "grpc_reflection.v1alpha.proto_reflection_descriptor_database"


def stand_in():
    """Replaces those packages of the example that Debian 12 does not have."""
    if not hasattr(message_factory, "GetMessageClass"):
        message_factory.GetMessageClass = reflection.message_class
    if importlib.util.find_spec("grpc_reflection") is None:
        for name in ("grpc_reflection", "grpc_reflection.v1alpha"):
            sys.modules[name] = types.ModuleType(name)
        sys.modules[MODULE] = reflection


def example():
    with open(os.environ["THALWEG_README"], encoding="utf-8") as file:
        blocks = re.findall(r"^```python\n(.*?)^```$", file.read(), re.DOTALL | re.MULTILINE)
    if len(blocks) != 1:
        raise AssertionError(f"the README has {len(blocks)} examples in Python")
    return blocks[0]


class ReadmeExampleTest(unittest.TestCase):
    def test_the_example_prints_heights(self):
        stand_in()
        source = example()
        self.assertEqual(source.count('"127.0.0.1:7070"'), 1)
        with Server() as server:
            names = {}
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(source.replace("127.0.0.1:7070", server.address), "README.md", "exec"), names)
            names["channel"].close()
        found = re.fullmatch(r"\(257, 257\) (-?[0-9.]+) (-?[0-9.]+)\n", printed.getvalue())
        self.assertIsNotNone(found, printed.getvalue())
        layer = names["layer"]
        self.assertEqual(float(found.group(1)), layer.min / 65536)
        self.assertEqual(float(found.group(2)), layer.max / 65536)
        self.assertLess(layer.min, layer.max)


if __name__ == "__main__":
    unittest.main()
