// What nginx must know of a request for a tile over HTTP: the area that the tile lies in, and the request's normal form.
//
// The tiles of one area go to one server. An area is a tile of level 0, 4, 8, ... with three generations of its
// descendants, which are computed from each other. Calls over gRPC name the area themselves (proto/wire/tile_key.h);
// for tiles over HTTP it follows from the path. The area of all other paths is "".
//
// One request can be spelled in many ways: parameters in another order, escapes, numbers such as 1e3 and 1000. nginx asks
// servers for the normal form, and keeps the answer under it. So requests share an answer only if servers get the same
// text for them, and a mistake in this file can't give a caller what another one asked for.
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

// The names of a mesh's extensions in one order. Servers ignore names that they don't know.
function extensions(text) {
  return text.split('-').filter((name) => ['metadata', 'octvertexnormals', 'watermask'].includes(name)).sort().join('-');
}

// A number as JavaScript prints it. Other texts stay: servers refuse them.
function real(text) {
  return /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? String(Number(text)) : text;
}

// A parameter's value in its normal form.
function valueOf(name, text) {
  if (name === 'extensions') return extensions(text);
  if (name === 'layer') return text.split(',').sort().join(',');
  return name === 'x' || name === 'y' ? real(text) : text;
}

// Parameters that pages add so that caches ask again. Servers ignore them.
const forCaches = ['_', 'cb', 'nocache', 't', 'timestamp', 'ts', 'v'];

// The parameters of a query, sorted. Those that servers refuse stay.
function parametersOf(query) {
  return query.split('&').map((text) => {
    const parts = /^([^=]*)=?(.*)$/.exec(text.replace(/\+/g, ' '));
    const name = decodeURIComponent(parts[1]);
    const value = valueOf(name, decodeURIComponent(parts[2]));
    return {name, text: encodeURIComponent(name) + '=' + encodeURIComponent(value)};
  }).filter((parameter) => !forCaches.includes(parameter.name)).map((parameter) => parameter.text).sort().join('&');
}

// The normal form of a request's path and query. A text that can't be decoded stays as it is: servers refuse it.
function normal(request) {
  const text = request.variables.request_uri;
  const parts = /^([^?]*)\??(.*)$/.exec(text);
  try {
    const path = parts[1].split('/').map((segment) => encodeURIComponent(decodeURIComponent(segment))).join('/');
    const parameters = parts[2] === '' ? '' : parametersOf(parts[2]);
    return parameters === '' ? path : path + '?' + parameters;
  } catch (error) {
    return text;
  }
}

const mesh = 'application/vnd.quantized-mesh';
const wide = ['application/octet-stream', 'application/*', '*/*'];

// A media range of Accept. Its parameters are undefined if it does not have them.
function rangeOf(text) {
  const parts = text.split(';').map((part) => part.trim());
  const parameter = (name) => {
    const found = parts.map((part) => /^([^=\s]*)\s*=\s*"?([^"]*)/.exec(part))
      .find((pair) => pair && pair[1].toLowerCase() === name);
    return found ? found[2] : undefined;
  };
  return {type: parts[0].toLowerCase(), extensions: parameter('extensions'), wanted: !/^[0.]+$/.test(parameter('q'))};
}

// The normal form of Accept in a request for a mesh. A text that allows no mesh stays as it is: servers refuse it.
function accept(request) {
  const text = request.headersIn.Accept || mesh;
  const ranges = text.split(',').map(rangeOf);
  const named = ranges.find((range) => range.type === mesh);
  const allowed = named ? named.wanted : ranges.some((range) => wide.includes(range.type) && range.wanted);
  if (!allowed) return text;
  const chosen = ranges.find((range) => range.extensions !== undefined);
  return chosen ? mesh + ';extensions=' + extensions(chosen.extensions) : mesh;
}

export default {ofPath, normal, accept};
