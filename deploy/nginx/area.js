// The tiles of one area go to one server. An area is a tile of level 0, 4, 8, ... with three generations of its
// descendants, which are computed from each other. Calls over gRPC name the area themselves (proto/wire/area.h);
// for tiles over HTTP it follows from the path. The area of all other paths is "".
const levels = 4;

// The column or row of the ancestor `shift` levels up. Numbers may have more than 32 bits.
function ancestor(number, shift) {
  return Math.floor(Number(number) / Math.pow(2, shift));
}

function areaOf(world, face, level, x, y) {
  const shift = Number(level) % levels;
  return [world, face, Number(level) - shift, ancestor(x, shift), ancestor(y, shift)].join('/');
}

// Each kind of path to a tile: a pattern for the part after the world, and a function that gives the area.
const forms = [
  // tiles/LEVEL/X/Y.EXT?face=FACE
  [/^tiles\/(\d+)\/(-?\d+)\/(-?\d+)\./, (world, part, face) => areaOf(world, face, part[1], part[2], part[3])],
  // 3dtiles/FACE/LEVEL/X/Y.glb, and the subtrees
  [/^3dtiles\/(\d)\/(?:subtrees\/)?(\d+)\/(\d+)\/(\d+)\./,
    (world, part) => areaOf(world, part[1], part[2], part[3], part[4])],
  // globe/PICTURE/ZOOM/X/Y.png, rows from the north
  [/^globe\/[a-z]+\/(\d+)\/(\d+)\/(\d+)\./, (world, part) => areaOf(world, 'globe', part[1], part[2], part[3])],
  // cesium/ZOOM/X/Y.terrain, rows from the south: the same areas as those of the pictures
  [/^cesium\/(\d+)\/(\d+)\/(\d+)\./,
    (world, part) => areaOf(world, 'globe', part[1], part[2], Math.pow(2, Number(part[1])) - 1 - Number(part[3]))],
  // xyz/ZOOM/X/Y.EXT
  [/^xyz\/(\d+)\/(\d+)\/(\d+)\./, (world, part) => areaOf(world, 'xyz', part[1], part[2], part[3])],
];

// The area of a request over HTTP.
function ofPath(request) {
  const path = /^\/v1\/worlds\/([^/]+)\/(.+)$/.exec(request.uri);
  if (!path) return '';
  for (let n = 0; n < forms.length; ++n) {
    const part = forms[n][0].exec(path[2]);
    if (part) return forms[n][1](path[1], part, request.args.face || '0');
  }
  return '';
}

export default {ofPath};
