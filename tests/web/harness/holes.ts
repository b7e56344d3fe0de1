// Whether the background shows through a globe's ground, on CesiumJS's example page.
import type {Page} from 'playwright-core';

// No picture of ground has these colours.
const background = [255, 0, 255] as const;
const contour = [255, 255, 0] as const;

// Shows contours this far apart, with a background of one colour. There is no fog, since CesiumJS leaves
// out ground that it hides. Each pixel has one sample, so that edges are not blended.
export async function showContours(page: Page, spacingM: number): Promise<void> {
  await page.evaluate(({background, contour, spacingM}) => {
    const {Cesium, globe} = globalThis as any;
    const {scene} = globe.widget;
    scene.msaaSamples = 1;
    scene.fog.enabled = false;
    scene.backgroundColor = Cesium.Color.fromBytes(...background);
    scene.globe.material = Cesium.Material.fromType('ElevationContour', {
      color: Cesium.Color.fromBytes(...contour), spacing: spacingM, width: 1.5,
    });
  }, {background, contour, spacingM});
}

export interface GroundPixels {
  // Pixels that ground must cover: their rays meet the planet even if all of it is `marginM` lower.
  readonly ground: number;
  // How many of them have the background's colour, and how many a contour's.
  readonly holes: number;
  readonly contours: number;
  // How many colours they have.
  readonly colors: number;
}

export function groundPixels(page: Page, marginM: number): Promise<GroundPixels> {
  return page.evaluate(({background, contour, marginM}) => {
    const {Cesium, globe} = globalThis as any;
    const {scene, camera} = globe.widget;
    scene.render();
    const gl = scene.context._gl;
    const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
    const pixels = new Uint8Array(4 * width * height);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    const {x, y, z} = scene.globe.ellipsoid.radii;
    const inner = new Cesium.Ellipsoid(x - marginM, y - marginM, z - marginM);
    const colors = new Set<number>();
    let [ground, holes, contours] = [0, 0, 0];
    const [at, ray] = [new Cesium.Cartesian2(), new Cesium.Ray()];
    for (let row = 0; row < height; ++row) {
      for (let column = 0; column < width; ++column) {
        // Rows of pixels are counted from the lowest.
        [at.x, at.y] = [column + 0.5, height - row - 0.5];
        camera.getPickRay(at, ray);
        if (!Cesium.IntersectionTests.rayEllipsoid(ray, inner)) continue;
        const n = 4 * (row * width + column);
        const is = (color: readonly number[]): boolean =>
          color.every((part, k) => Math.abs(pixels[n + k]! - part) <= 2);
        ++ground;
        if (is(background)) ++holes;
        if (is(contour)) ++contours;
        colors.add(pixels[n]! << 16 | pixels[n + 1]! << 8 | pixels[n + 2]!);
      }
    }
    return {ground, holes, contours, colors: colors.size};
  }, {background, contour, marginM});
}
