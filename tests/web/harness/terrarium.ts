// Heights from terrarium tiles of a planet's faces, read by a PNG reader from npm.
import {PNG} from 'pngjs';
import {type Cell, cellAt, facePlaceAt} from './content';
import {bytesOf} from './server';

// In metres: a pixel's step is 1/256 m.
export const terrariumStepM = 1 / 256;

const side = 257;
const cells = side - 1;

// 257 x 257 heights in metres, row after row.
export type Terrarium = Float64Array;

export async function terrariumOf(
  server: string, world: string, cell: Cell, layer: string): Promise<Terrarium> {
  // Rows of a face's tiles are counted from the other side than rows of S2's cells.
  const y = 2 ** cell.level - 1 - cell.y;
  const bytes = await bytesOf(`${server}/v1/worlds/${world}/tiles/${cell.level}/${cell.x}/${y}` +
    `.terrarium.png?face=${cell.face}&layer=${layer}&size=${side}`);
  const {width, height, data} = PNG.sync.read(Buffer.from(bytes));
  if (width !== side || height !== side) {
    throw new Error(`invalid terrarium: expected ${side} x ${side} pixels, got ${width} x ${height}`);
  }
  return Float64Array.from({length: side * side}, (_, n) =>
    data[4 * n]! * 256 + data[4 * n + 1]! + data[4 * n + 2]! / 256 - 32768);
}

export interface Between {
  readonly heightM: number;
  // The difference between the highest and the lowest of the four pixels around.
  readonly rangeM: number;
}

// The bilinear height between the pixels around a place of the tile. Pixels are vertices.
export function between(
  terrarium: Terrarium, latitude: number, longitude: number, level: number): Between {
  const {s, t} = facePlaceAt(latitude, longitude);
  const {x, y} = cellAt(latitude, longitude, level);
  const [east, south] = [(s * 2 ** level - x) * cells, (1 - t * 2 ** level + y) * cells];
  const first = (along: number): number => Math.max(0, Math.min(cells - 1, Math.floor(along)));
  const [column, row] = [first(east), first(south)];
  const [a, b] = [east - column, south - row];
  const at = (right: number, down: number): number =>
    terrarium[(row + down) * side + column + right]!;
  const four = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)] as const;
  return {
    heightM: (four[0] * (1 - a) + four[1] * a) * (1 - b) + (four[2] * (1 - a) + four[3] * a) * b,
    rangeM: Math.max(...four) - Math.min(...four),
  };
}
