"""Decodes tiles, as proto/wire/README.md describes."""

import numpy
import zstandard

SIDE = 257


def decode(layer):
    """A TileLayer's 257 x 257 values from the north-west, in the layer's unit. Raises ValueError if it is invalid."""
    if not layer.data or not 1 <= layer.data[0] <= 4:
        raise ValueError("the number of byte planes must be 1 to 4")
    if layer.lattice_shift > 30:
        raise ValueError("the lattice is too coarse")
    planes = layer.data[0]
    frame = layer.data[1:]
    size = planes * SIDE * SIDE
    if zstandard.frame_content_size(frame) != size:
        raise ValueError("the frame has another size")
    decompressor = zstandard.ZstdDecompressor().decompressobj()
    content = decompressor.decompress(frame)
    if len(content) != size or decompressor.unused_data:
        raise ValueError("the frame is cut short, or something follows it")
    words = numpy.zeros((SIDE, SIDE), numpy.uint32)
    for number, plane in enumerate(numpy.frombuffer(content, numpy.uint8).reshape(planes, SIDE, SIDE)):
        words |= plane.astype(numpy.uint32) << numpy.uint32(8 * number)
    rests = (words >> numpy.uint32(1)) ^ (~(words & numpy.uint32(1)) + numpy.uint32(1))
    steps = rests.cumsum(axis=0, dtype=numpy.uint32).cumsum(axis=1, dtype=numpy.uint32)
    return (steps << numpy.uint32(layer.lattice_shift)).view(numpy.int32)


def unequal_edges(heights):
    """How many edges between neighbours of one level differ, and how many there are. The keys are (level, x, y)."""
    unequal = shared = 0
    for (level, x, y), values in heights.items():
        east = heights.get((level, x + 1, y))
        south = heights.get((level, x, y + 1))
        for other, ours, theirs in ((east, numpy.s_[:, -1], numpy.s_[:, 0]), (south, numpy.s_[-1, :], numpy.s_[0, :])):
            if other is not None:
                shared += 1
                unequal += not numpy.array_equal(values[ours], other[theirs])
    return unequal, shared
