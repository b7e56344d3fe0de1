// A world in stock MapLibre: ?server=http://127.0.0.1:8080&world=alpine
const query = new URLSearchParams(location.search);
const server = query.get('server') ?? '';
const path = `${server}/v1/worlds/${encodeURIComponent(query.get('world') ?? 'alpine')}`;

async function read(url) {
  const answer = await fetch(url);
  const json = await answer.json();
  if (!answer.ok) throw new Error(json.detail);
  return json;
}

function pictures(url) {
  return {
    sources: {pictures: {type: 'raster', tileSize: 256, url}},
    layers: [{id: 'pictures', type: 'raster', source: 'pictures'}],
  };
}

// A window of a plane, as a map of the whole Earth: ground to drape pictures over.
async function planeStyle() {
  const url = `${path}/tilejson.json?encoding=terrarium`;
  const {minzoom, window_m} = await read(url);
  const style = pictures(`${path}/tilejson.json?encoding=satellite`);
  style.sources.ground = {type: 'raster-dem', encoding: 'terrarium', tileSize: 256, url};
  // The map takes the window for 40,075 km: heights look as steep as they are by this factor.
  style.terrain = {source: 'ground', exaggeration: 40_075_017 / window_m};
  return {...style, center: [0, 0], zoom: minzoom + 5, pitch: 50};
}

// A planet: pictures on a globe.
function planetStyle() {
  const style = pictures(`${path}/globe/satellite/tilejson.json?tiling=mercator`);
  return {...style, projection: {type: 'globe'}, center: [-50, 15], zoom: 1};
}

const {spec} = await read(path);
const style = spec.sphere ? planetStyle() : await planeStyle();
// For scripts that look at it.
globalThis.map = new maplibregl.Map({container: 'map', style: {version: 8, ...style}});
