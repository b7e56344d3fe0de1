// Writes src/generated: the viewer's parts of the contract (proto/thalweg/v1) and the colour ramps
// (proto/picture/ramps.json), so that nothing is copied by hand. `npm run generate`; every other script of package.json
// runs it first.
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import protobuf from 'protobufjs';

const proto = new URL('../../proto/', import.meta.url);
const out = new URL('src/generated/', import.meta.url);

function read(name) {
  return readFileSync(new URL(name, proto), 'utf8');
}

function parse(name) {
  return protobuf.parse(read(`thalweg/v1/${name}`), {keepCase: true}).root;
}

function write(name, source, constants) {
  const texts = Object.entries(constants).map(
    ([constant, value]) => `export const ${constant} = ${JSON.stringify(value, null, 2)} as const;\n`);
  writeFileSync(new URL(name, out), `// Written by generate.mjs from ${source}.\n${texts.join('\n')}`);
}

// Returns the number and the scale of each layer, by its name.
function layersOf(root) {
  const {values, valuesOptions} = root.lookupEnum('thalweg.v1.Layer');
  const layers = Object.entries(values).filter(([name]) => valuesOptions?.[name]);
  if (layers.length === 0) throw new Error('tile.proto has no layer with the option (layer)');
  return Object.fromEntries(layers.map(([name, number]) => {
    const options = valuesOptions[name];
    return [options['(layer).name'], {number, scale: options['(layer).scale']}];
  }));
}

// Returns the names of the cover's classes, by their numbers: "Water" for COVER_WATER.
function coverNamesOf(root) {
  return Object.keys(root.lookupEnum('thalweg.v1.Cover').values).map((name) => {
    const word = name.replace('COVER_', '');
    return word[0] + word.slice(1).toLowerCase();
  });
}

// Returns the largest value of each number of a message, by name; and those of its messages.
function limitsOf(root, type) {
  const limits = {};
  for (const field of Object.values(root.lookupType(`thalweg.v1.${type}`).fields)) {
    const max = field.options?.['(range).max'];
    if (max !== undefined) limits[field.name] = max;
    else if (root.lookup(`thalweg.v1.${field.type}`)) limits[field.name] = limitsOf(root, field.type);
  }
  return limits;
}

mkdirSync(out, {recursive: true});
const tile = parse('tile.proto');
write('layers.ts', 'tile.proto', {layerFacts: layersOf(tile), coverNames: coverNamesOf(tile)});
const world = parse('world.proto');
write('limits.ts', 'world.proto', {
  stageLimits: limitsOf(world, 'Stage'),
  detailLimits: limitsOf(world, 'Detail'),
  noiseLimits: limitsOf(world, 'Noise'),
});
const ramps = Object.entries(JSON.parse(read('picture/ramps.json')));
write('ramps.ts', 'ramps.json',
      {rampStops: Object.fromEntries(ramps.map(([name, {stops}]) => [name, stops]))});
