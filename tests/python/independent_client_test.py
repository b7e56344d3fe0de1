"""A client that knows only gRPC, the server's description of itself and proto/wire/README.md."""

import queue
import unittest

import grpc
import numpy
import zstandard
from google.protobuf import descriptor_pool

from reflection import ProtoReflectionDescriptorDatabase, message_class
from server import Server
from tile import decode, unequal_edges

SERVICE = "thalweg.v1.TerrainService"
PATIENCE_S = 120


class Client:
    """Makes calls with the message types that the server describes by reflection."""

    def __init__(self, address):
        options = [("grpc.max_receive_message_length", 64 << 20), ("grpc.enable_http_proxy", 0)]
        self._channel = grpc.insecure_channel(address, options)
        pool = descriptor_pool.DescriptorPool(ProtoReflectionDescriptorDatabase(self._channel))
        self._service = pool.FindServiceByName(SERVICE)

    def close(self):
        self._channel.close()

    def call(self, name, kind):
        """A method's request class, and a function that calls it. `kind` is the kind of call, such as unary_stream."""
        method = self._service.FindMethodByName(name)
        takes, gives = message_class(method.input_type), message_class(method.output_type)
        return takes, getattr(self._channel, kind)(
            f"/{SERVICE}/{name}", request_serializer=takes.SerializeToString, response_deserializer=gives.FromString)


def place(key):
    return (key.level, key.x, key.y)


def fly(client, keys):
    """A session's tiles: those with the given keys, and those of one view until it is settled."""
    request, session = client.call("Session", "stream_stream")
    messages = queue.Queue()
    responses = session(iter(messages.get, None), timeout=PATIENCE_S)
    messages.put(request(open={"world": "dales"}))
    opened = next(responses).opened
    messages.put(request(credit={"tiles": 10000, "bytes": 1 << 40}))
    messages.put(request(want={"keys": [{"level": level, "x": x, "y": y} for level, x, y in keys]}))
    messages.put(request(view={
        "id": 1, "position_m": {"east": 1000, "south": 500, "up": 400}, "direction": {"east": 1, "up": -0.3},
        "vertical_fov_deg": 60, "aspect": 1.5, "viewport_height_px": 400, "tolerated_error_px": 2,
        "range_m": 20000}))
    tiles = {}
    settled = None
    while settled is None or not keys <= tiles.keys():
        response = next(responses)
        kind = response.WhichOneof("response")
        if kind == "failed":
            raise AssertionError(response.failed.message)
        if kind == "settled":
            settled = response.settled
        if kind == "tile":
            if place(response.tile.key) in tiles:
                raise AssertionError(f"tile {place(response.tile.key)} was sent twice")
            tiles[place(response.tile.key)] = response.tile
    messages.put(None)
    if list(responses) or responses.code() != grpc.StatusCode.OK:
        raise AssertionError("the session goes on after all was sent")
    return opened, settled, tiles


class IndependentClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server())
        cls.client = Client(cls.server.address)
        cls.addClassCleanup(cls.client.close)
        request, stream = cls.client.call("StreamTiles", "unary_stream")
        cls.tiles = {}
        for response in stream(request(world="dales", first={"level": 2, "x": -2, "y": -1}, columns=4, rows=3),
                               timeout=PATIENCE_S):
            cls.tiles[place(response.tile.key)] = response.tile
        cls.heights = {key: decode(tile.layers[0]) for key, tile in cls.tiles.items()}

    def test_a_rectangle_is_complete(self):
        self.assertEqual(set(self.tiles), {(2, x, y) for x in range(-2, 2) for y in range(-1, 2)})
        for key, tile in self.tiles.items():
            self.assertEqual(tile.layers[0].min, self.heights[key].min())
            self.assertEqual(tile.layers[0].max, self.heights[key].max())

    def test_neighbours_share_their_edges(self):
        self.assertEqual(unequal_edges(self.heights), (0, 17))
        # The ground is not flat, which would make all edges equal.
        self.assertGreater(len({int(values[0, -1]) for values in self.heights.values()}), 6)

    def test_an_edge_that_differs_is_noticed(self):
        altered = dict(self.heights)
        altered[(2, 0, 0)] = altered[(2, 0, 0)].copy()
        altered[(2, 0, 0)][128, -1] += 1
        self.assertEqual(unequal_edges(altered), (1, 17))

    def test_a_session_sends_the_same_tiles(self):
        opened, settled, tiles = fly(self.client, set(self.tiles))
        self.assertEqual(settled.failed, 0)
        self.assertGreaterEqual(len(tiles), settled.tiles)
        self.assertEqual({tile.world_id for tile in tiles.values()}, {opened.world_id})
        for key, tile in self.tiles.items():
            self.assertEqual(tiles[key].tag, tile.tag)
            self.assertTrue(numpy.array_equal(decode(tiles[key].layers[0]), self.heights[key]))
        heights = {key: decode(tile.layers[0]) for key, tile in tiles.items()}
        unequal, shared = unequal_edges(heights)
        self.assertEqual(unequal, 0)
        self.assertGreater(shared, 17)
        self.assertGreater(len({level for level, _, _ in tiles}), 2)

    def test_a_single_tile_equals_that_of_the_rectangle(self):
        request, get_tile = self.client.call("GetTile", "unary_unary")
        response = get_tile(request(world="dales", key={"level": 2, "x": -2, "y": 1}), timeout=PATIENCE_S)
        self.assertEqual(response.tile, self.tiles[(2, -2, 1)])

    def test_invalid_layers_are_refused(self):
        layer = type(self.tiles[(2, 0, 0)].layers[0])
        good = self.tiles[(2, 0, 0)].layers[0].data
        short = zstandard.compress(bytes(257 * 257 - 1))
        for bad in (b"", b"\0" + good[1:], b"\5" + good[1:], good[:-3], good + b"x", b"\1" + short):
            with self.assertRaises((ValueError, zstandard.ZstdError)):
                decode(layer(data=bad))


if __name__ == "__main__":
    unittest.main()
