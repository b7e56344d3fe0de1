// The lattice of the ground's fine noise. Its cells are fixed to the ground and the same for all tiles, so that noise has no
// seams and stands still; a place is a cell and a fraction of one, so that it is exact at any distance from the origin.
import {tileCells, type TileKey} from '../lod/tile_key';
import type {Vector} from '../space/vector';

// About the size of a cell, in metres. The waves of noise are about twice as long.
export const latticeCellM = 1;

// A place on the lattice: cells modulo 2^32, and the way from there in cells.
export interface LatticePlace {
  readonly cell: readonly [number, number, number];
  readonly from: readonly [number, number, number];
}

// Returns how many cells there are on the side of a tile of level 0: a power of 2, so that tiles begin at whole cells as long
// as they are larger than these.
function cellsAcross(levelZeroCellM: number): number {
  return 2 ** Math.round(Math.log2(levelZeroCellM * tileCells / latticeCellM));
}

// Returns the cells in a metre, for a world with this cell size at level 0.
export function latticePerM(levelZeroCellM: number): number {
  return cellsAcross(levelZeroCellM) / (levelZeroCellM * tileCells);
}

function placeOf(cells: readonly [number, number, number]): LatticePlace {
  const floors = cells.map(Math.floor);
  return {
    cell: floors.map((floor) => floor | 0) as [number, number, number],
    from: cells.map((at, n) => at - floors[n]!) as [number, number, number],
  };
}

// Returns the highest border between cells at or below a height in metres. Tiles measure from there, because floats that
// hold small numbers are exacter.
export function latticeFloorM(levelZeroCellM: number, heightM: number): number {
  const perM = latticePerM(levelZeroCellM);
  return Math.floor(heightM * perM) / perM;
}

// Returns the place of a plane's tile: its north-west corner at a height; east, up and south.
export function latticeOfTile(levelZeroCellM: number, {level, x, y}: TileKey, heightM: number): LatticePlace {
  const across = cellsAcross(levelZeroCellM) * 2 ** -level;
  return placeOf([x * across, Math.round(heightM * latticePerM(levelZeroCellM)), y * across]);
}

// Returns the place of a point in metres from a planet's middle.
export function latticeOfPoint(levelZeroCellM: number, {x, y, z}: Vector): LatticePlace {
  const perM = latticePerM(levelZeroCellM);
  return placeOf([x * perM, y * perM, z * perM]);
}
