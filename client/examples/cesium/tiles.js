// A planet as 3D Tiles in stock CesiumJS: ?server=http://127.0.0.1:8080&world=blue-planet
const query = new URLSearchParams(location.search);
const server = query.get('server') ?? '';
const world = encodeURIComponent(query.get('world') ?? 'blue-planet');
const name = query.get('tileset') ?? 'tileset';
const tileset = await Cesium.Cesium3DTileset.fromUrl(`${server}/v1/worlds/${world}/3dtiles/${name}.json`);

const ellipsoid = new Cesium.Ellipsoid(...tileset.asset.extras.ellipsoid_m);
Cesium.Ellipsoid.default = ellipsoid;
const widget = new Cesium.CesiumWidget('globe', {
  ellipsoid, globe: false, baseLayer: false, skyBox: false, skyAtmosphere: false,
});
widget.scene.primitives.add(tileset);
const [longitude, latitude] = (query.get('at') ?? '-50,15').split(',').map(Number);
widget.camera.setView({
  destination: Cesium.Cartesian3.fromDegrees(
    longitude, latitude, Number(query.get('height') ?? 2 * ellipsoid.maximumRadius), ellipsoid),
  orientation: {pitch: Cesium.Math.toRadians(Number(query.get('pitch') ?? -90))},
});
// For scripts that look at it.
globalThis.globe = {widget, tileset};
