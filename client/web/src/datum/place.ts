// A place in the world. On a plane, which is too large for one number: a tile of level 0, and metres from its
// north-west corner. On a planet: latitude and longitude.
import type {LatLong} from '../space/cube_sphere';

export type Place = PlanePlace | LatLong;

export function isOnPlanet(place: Place): place is LatLong {
  return 'latitudeDeg' in place;
}

export interface PlanePlace {
  readonly tileX: number;
  readonly tileY: number;
  // From 0 to less than the side of a tile.
  readonly eastM: number;
  readonly southM: number;
}

// Carries metres over into tiles, so that they are less than a tile's side.
export function normalise(place: PlanePlace, sideM: number): PlanePlace {
  const x = Math.floor(place.eastM / sideM);
  const y = Math.floor(place.southM / sideM);
  return {
    tileX: place.tileX + x,
    tileY: place.tileY + y,
    eastM: place.eastM - x * sideM,
    southM: place.southM - y * sideM,
  };
}

// Returns the place at this offset in metres.
export function moved(place: PlanePlace, eastM: number, southM: number, sideM: number): PlanePlace {
  return normalise(
    {...place, eastM: place.eastM + eastM, southM: place.southM + southM}, sideM);
}

// Returns the offset from `from` to `to` in metres; exact if they are near.
export function offsetBetween(
  from: PlanePlace, to: PlanePlace, sideM: number): {eastM: number; southM: number} {
  return {
    eastM: (to.tileX - from.tileX) * sideM + (to.eastM - from.eastM),
    southM: (to.tileY - from.tileY) * sideM + (to.southM - from.southM),
  };
}

// Returns a side as a fraction: `numerator` / 2^`bits`.
function fractionOf(sideM: number): {numerator: bigint; bits: bigint} {
  let bits = 0;
  let numerator = sideM;
  for (; !Number.isInteger(numerator); ++bits) numerator *= 2;
  return {numerator: BigInt(numerator), bits: BigInt(bits)};
}

// Returns the metres from the plane's origin along one axis, exact to a centimetre at any distance.
export function metresText(tile: number, offsetM: number, sideM: number): string {
  const {numerator, bits} = fractionOf(sideM);
  const scaled = (BigInt(tile) * numerator * 100n) >> bits;
  const centimetres = scaled + BigInt(Math.round(offsetM * 100));
  const magnitude = centimetres < 0n ? -centimetres : centimetres;
  const fraction = String(magnitude % 100n).padStart(2, '0').replace(/0+$/, '');
  const whole = `${centimetres < 0n ? '-' : ''}${magnitude / 100n}`;
  return fraction ? `${whole}.${fraction}` : whole;
}

// The reverse: tile and offset from metres as text; undefined if it is not a decimal number.
export function parseMetres(
  text: string, sideM: number): {tile: number; offsetM: number} | undefined {
  const match = /^([+-]?)(\d{1,24})(?:\.(\d{1,9}))?$/.exec(text.trim());
  if (!match) return undefined;
  const {numerator, bits} = fractionOf(sideM);
  const nanometres = BigInt(match[2]! + (match[3] ?? '').padEnd(9, '0')) *
    (match[1] === '-' ? -1n : 1n);
  const side = numerator * 1_000_000_000n;
  const scaled = nanometres << bits;
  const remainder = ((scaled % side) + side) % side;
  return {
    tile: Number((scaled - remainder) / side),
    offsetM: Number(remainder) / Number(1_000_000_000n << bits),
  };
}
