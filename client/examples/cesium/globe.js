// A planet in stock CesiumJS: ?server=http://127.0.0.1:8080&world=red-planet&picture=relief
const query = new URLSearchParams(location.search);
const server = query.get('server') ?? '';
const path = `${server}/v1/worlds/${encodeURIComponent(query.get('world') ?? 'blue-planet')}`;
const picture = query.get('picture') ?? 'satellite';

const [ground, pictures] = await Promise.all(
  [`${path}/cesium/layer.json`, `${path}/globe/${picture}/tilejson.json`].map(async (url) => {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error((await answer.json()).detail);
    return answer.json();
  }));

// Before anything is made of it: where the vertices of the tiles stand.
const ellipsoid = new Cesium.Ellipsoid(...ground.ellipsoid_m);
Cesium.Ellipsoid.default = ellipsoid;

const terrainProvider = await Cesium.CesiumTerrainProvider.fromUrl(
  `${path}/cesium`, {ellipsoid, requestVertexNormals: true, requestWaterMask: true});
const tilingScheme = new Cesium.GeographicTilingScheme({ellipsoid});
const imagery = new Cesium.UrlTemplateImageryProvider({
  url: pictures.tiles[0], tilingScheme, ellipsoid, maximumLevel: pictures.maxzoom,
  credit: pictures.attribution,
});
const widget = new Cesium.CesiumWidget('globe', {
  ellipsoid, terrainProvider,
  baseLayer: new Cesium.ImageryLayer(imagery),
  skyBox: false, skyAtmosphere: false,
});
widget.scene.globe.showGroundAtmosphere = false;
const [longitude, latitude] = (query.get('at') ?? '-50,15').split(',').map(Number);
widget.camera.setView({
  destination: Cesium.Cartesian3.fromDegrees(
    longitude, latitude, Number(query.get('height') ?? 2 * ellipsoid.maximumRadius), ellipsoid),
  orientation: {pitch: Cesium.Math.toRadians(Number(query.get('pitch') ?? -90))},
});
// For scripts that look at it.
globalThis.globe = {widget, terrainProvider};
