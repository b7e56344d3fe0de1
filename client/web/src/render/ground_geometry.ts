// The mesh that all tiles share: every stride-th vertex, and a skirt around it.
import {BufferAttribute, BufferGeometry} from 'three';
import {tileCells} from '../lod/tile_key';

// `place` has the column, the row, and 1 on the lower edge of the skirt.
export function groundGeometry(stride: number): BufferGeometry {
  const across = tileCells / stride + 1;
  const vertices: number[] = [];
  const indices: number[] = [];
  for (let row = 0; row < across; ++row) {
    for (let column = 0; column < across; ++column) vertices.push(column * stride, row * stride, 0);
  }
  for (let row = 0; row + 1 < across; ++row) {
    for (let column = 0; column + 1 < across; ++column) {
      const k = row * across + column;
      indices.push(k, k + across, k + 1, k + 1, k + across, k + across + 1);
    }
  }
  addSkirt(across, stride, vertices, indices);
  const geometry = new BufferGeometry();
  geometry.setAttribute('vertex', new BufferAttribute(new Uint16Array(vertices), 3));
  const Index = vertices.length / 3 > 65535 ? Uint32Array : Uint16Array;
  geometry.setIndex(new BufferAttribute(new Index(indices), 1));
  return geometry;
}

// The border's vertices, clockwise from the north-west one.
function borderOf(across: number): number[] {
  const last = across - 1;
  const steps = Array.from({length: last}, (_, n) => n);
  return [
    ...steps, ...steps.map((n) => n * across + last),
    ...steps.map((n) => last * across + last - n), ...steps.map((n) => (last - n) * across),
  ];
}

function addSkirt(across: number, stride: number, vertices: number[], indices: number[]): void {
  const border = borderOf(across);
  const first = vertices.length / 3;
  for (const k of border) {
    vertices.push((k % across) * stride, Math.floor(k / across) * stride, 1);
  }
  border.forEach((k, n) => {
    const next = (n + 1) % border.length;
    indices.push(k, border[next]!, first + n, border[next]!, first + next, first + n);
  });
}
