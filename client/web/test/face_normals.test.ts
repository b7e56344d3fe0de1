// The normals on edges of a planet's faces.
import {describe, expect, it} from 'vitest';
import {alongColumns} from '../src/codec/face_normals';
import {faces} from '../src/space/cube_faces';
import {pointOf} from '../src/space/cube_sphere';
import {Vector, add, cross, dot, lengthOf, scale, subtract, unit} from '../src/space/vector';

// Returns the level part of a vector at a point, with length 1.
const level = (vector: Vector, up: Vector): Vector => unit(subtract(vector, scale(dot(vector, up), up)));

describe('normals on the edge of a face', () => {
  it('are turned to its columns', () => {
    for (const [x, column] of [[0, 0], [1, 256]] as const) {
      const key = {face: 3, level: 1, x, y: 0};
      const rows: number[] = [];
      alongColumns(key, (vertex, turn) => {
        const row = Math.floor(vertex / 257);
        expect(vertex % 257).toBe(column);
        rows.push(row);
        const up = pointOf({face: 3, x, y: row / 512});
        // At a right angle to the edge, and along it.
        const along = level(faces[3]!.y, up);
        const outward = cross(up, along);
        const columns = level(faces[3]!.x, up);
        const sum = (a: Vector, b: Vector, [p, q]: readonly [number, number]): Vector =>
          add(scale(p, a), scale(q, b));
        const apart = subtract(
          sum(outward, along, [0.3, -0.2]), sum(columns, cross(columns, up), turn([0.3, -0.2])));
        expect(lengthOf(apart)).toBeLessThan(1e-9);
      });
      // All rows except the corner of the face.
      expect(rows).toEqual(Array.from({length: 256}, (_, n) => n + 1));
    }
  });

  it('are left alone inside a face', () => {
    alongColumns({face: 0, level: 2, x: 1, y: 0}, () => { throw new Error('turned'); });
  });
});
