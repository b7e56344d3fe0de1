// The colours of a screenshot.
import type {Page} from 'playwright-core';

export interface Pixels {
  // Red, green and blue of the pixel at (x, y), from 0 to 255.
  at(x: number, y: number): [number, number, number];
}

// The page's current picture.
export async function pixelsOf(page: Page): Promise<Pixels> {
  const png = (await page.screenshot()).toString('base64');
  const {width, text} = await page.evaluate(async (png) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d')!;
    context.drawImage(image, 0, 0);
    const {data} = context.getImageData(0, 0, image.width, image.height);
    let text = '';
    for (let n = 0; n < data.length; n += 32768) {
      text += String.fromCharCode(...data.subarray(n, n + 32768));
    }
    return {width: image.width, text: btoa(text)};
  }, png);
  const bytes = Buffer.from(text, 'base64');
  return {
    at: (x, y) => {
      const n = 4 * (Math.round(y) * width + Math.round(x));
      return [bytes[n]!, bytes[n + 1]!, bytes[n + 2]!];
    },
  };
}
