// The positions of a planet's vertices in space, and the lengths of the cells around them, by S2's quadratic
// projection (s2geometry.io, "S2 Cells"). The faces are those of proto/geometry/cube_sphere.h.
#ifndef THALWEG_KERNELS_SPHERE
#define THALWEG_KERNELS_SPHERE

#include "noise.glsl"

KERNELS_BEGIN

// The radius in 1/256 of level 0's cell. A face's side, a quarter of the circumference, has 256 cells.
CONSTANT int kSphereRadius = 41722;

// log2 of the cells on a face's side at level 0.
CONSTANT int kFaceBits = 8;

// A component of all faces' axes: -1 to 1 and one more, in two bits each. Without a condition, so that rows are vectors.
KERNEL int ofFace(uint packed, int face) { return int((packed >> uint(2 * face)) & 3u) - 1; }
KERNEL ivec3 faceMiddle(int face) { return ivec3(ofFace(0x516u, face), ofFace(0x459u, face), ofFace(0x165u, face)); }
KERNEL ivec3 faceEast(int face) { return ivec3(ofFace(0x541u, face), ofFace(0x956u, face), ofFace(0x415u, face)); }
KERNEL ivec3 faceSouth(int face) { return ivec3(ofFace(0x055u, face), ofFace(0x5a5u, face), ofFace(0x550u, face)); }

// A vector of space in its parts along a face's middle, east and south; and the inverse.
KERNEL vec3 inFace(int face, vec3 v) {
  ivec3 o = faceMiddle(face);
  ivec3 x = faceEast(face);
  ivec3 y = faceSouth(face);
  return vec3(v.x * float(o.x) + v.y * float(o.y) + v.z * float(o.z), v.x * float(x.x) + v.y * float(x.y) + v.z * float(x.z),
              v.x * float(y.x) + v.y * float(y.y) + v.z * float(y.z));
}
KERNEL vec3 inSpace(int face, vec3 v) {
  ivec3 o = faceMiddle(face);
  ivec3 x = faceEast(face);
  ivec3 y = faceSouth(face);
  return vec3(v.x * float(o.x) + v.y * float(x.x) + v.z * float(y.x), v.x * float(o.y) + v.y * float(x.y) + v.z * float(y.y),
              v.x * float(o.z) + v.y * float(x.z) + v.z * float(y.z));
}

// Turns a vector by quarter turns. One turn makes (column, row) to (-row, column).
KERNEL ivec2 turnedVector(ivec2 vector, int turns) {
  if (turns == 1) return ivec2(-vector.y, vector.x);
  if (turns == 2) return ivec2(-vector.x, -vector.y);
  if (turns == 3) return ivec2(vector.y, -vector.x);
  return vector;
}

// floor(a b / 2^40), sometimes one less; for a and b under 2^42.
KERNEL uint64_t product40(uint64_t a, uint64_t b) {
  return (((a >> 20) * b) >> 20) + (((a & uint64_t(0xfffffu)) * b) >> 40);
}

// 1 and 1/3, in 1/2^40.
CONSTANT uint64_t kWhole40 = uint64_t(1u) << 40;
CONSTANT uint64_t kThird40 = uint64_t(0x55u) << 32 | uint64_t(0x55555555u);

// The distance of a column or row from the middle of a face of 2^bits cells: 0 to 1 on the cube, in 1/2^40.
KERNEL uint64_t onCube40(int64_t coordinate, int bits) {
  int64_t cells = int64_t(1) << bits;
  int64_t from = 2 * coordinate - cells;
  uint64_t away = uint64_t(from < 0 ? -from : from);
  // t = away / cells: this is (1 + t)^2 - 1, before it is divided by 3.
  uint64_t part = away * (2 * uint64_t(cells) + away);
  uint64_t scaled = bits <= 20 ? part << (40 - 2 * bits) : part >> (2 * bits - 40);
  return product40(scaled, kThird40);
}

// 1 / sqrt(x) for x from 1 to 3; both in 1/2^40.
KERNEL uint64_t inverseRoot40(uint64_t x) {
  uint64_t y = uint64_t(0x133u) * (kWhole40 >> 8) - product40(x, uint64_t(0x38u) * (kWhole40 >> 8));
  for (int i = 0; i < 5; ++i) {
    y = product40(y, (3 * kWhole40 - product40(x, product40(y, y))) >> 1);
  }
  return y;
}

// A vertex of a face of 2^bits cells a side, in 1/256 of its level's cell from the planet's middle.
KERNEL Place placeOnSphere(int face, int bits, int64_t column, int64_t row) {
  uint64_t u = onCube40(column, bits);
  uint64_t v = onCube40(row, bits);
  uint64_t root = inverseRoot40(kWhole40 + product40(u, u) + product40(v, v));
  uint64_t radius = uint64_t(uint(kSphereRadius)) << (bits - kFaceBits);
  int64_t half_side = int64_t(1) << (bits - 1);
  int64_t up = int64_t(product40(root, radius));
  int64_t east = int64_t(product40(product40(u, root), radius));
  int64_t south = int64_t(product40(product40(v, root), radius));
  east = column < half_side ? -east : east;
  south = row < half_side ? -south : south;
  ivec3 o = faceMiddle(face);
  ivec3 x = faceEast(face);
  ivec3 y = faceSouth(face);
  Place place;
  place.x = up * o.x + east * x.x + south * y.x;
  place.y = up * o.y + east * x.y + south * y.y;
  place.z = up * o.z + east * x.z + south * y.z;
  return place;
}

// The sine of a place's latitude, with a resolution of 1/2^24.
KERNEL float latitudeSine(Place place, int bits) {
  int64_t radius = int64_t(kSphereRadius) << (bits - kFaceBits);
  return float(int(place.z * (int64_t(1) << 24) / radius)) * 5.9604645e-8f;
}

// The steps from a vertex to the next column and the next row, in cells: as vectors along the face's
// middle, east and south; and their dot products.
struct Frame {
  vec3 east;
  vec3 south;
  float east_east;
  float south_south;
  float east_south;
};

// Where a column or row lies between a face's sides, from -1 to 1.
KERNEL float onLattice(int64_t coordinate, int bits) {
  int64_t from = 2 * coordinate - (int64_t(1) << bits);
  // 24 bits are exact in a float.
  int drop = max(bits - 23, 0);
  return float(int(from >> drop)) * uintBitsToFloat(uint(127 + drop - bits) << 23);
}

KERNEL Frame frameAt(int bits, int64_t column, int64_t row) {
  float s = onLattice(column, bits);
  float t = onLattice(row, bits);
  float u = s * (2.0f + abs(s)) * 0.33333333f;
  float v = t * (2.0f + abs(t)) * 0.33333333f;
  // A cell's length on the cube, in cells of a quarter circle: (4 / 3) / (pi / 2) in the middle.
  float du = 0.84882636f * (1.0f + abs(s));
  float dv = 0.84882636f * (1.0f + abs(t));
  float root = reciprocalSqrt(1.0f + u * u + v * v);
  float cube = root * root * root;
  Frame frame;
  frame.east = vec3(-u * du * cube, (1.0f + v * v) * du * cube, -u * v * du * cube);
  frame.south = vec3(-v * dv * cube, -u * v * dv * cube, (1.0f + u * u) * dv * cube);
  float fourth = root * cube;
  frame.east_east = du * du * (1.0f + v * v) * fourth;
  frame.south_south = dv * dv * (1.0f + u * u) * fourth;
  frame.east_south = -u * v * du * dv * fourth;
  return frame;
}

// The same steps in axes that are turned by quarter turns: `turns` turn them into the frame's.
KERNEL Frame turnedFrame(Frame frame, int turns) {
  Frame turned = frame;
  if ((turns & 1) != 0) {
    turned.east_east = frame.south_south;
    turned.south_south = frame.east_east;
    turned.east_south = -frame.east_south;
  }
  vec3 reversed_east = -frame.east;
  vec3 reversed_south = -frame.south;
  if (turns == 1) {
    turned.east = frame.south;
    turned.south = reversed_east;
  } else if (turns == 2) {
    turned.east = reversed_east;
    turned.south = reversed_south;
  } else if (turns == 3) {
    turned.east = reversed_south;
    turned.south = frame.east;
  }
  return turned;
}

// The squared length, in cells, of a step of columns and rows.
KERNEL float squareOf(Frame frame, float columns, float rows) {
  return frame.east_east * columns * columns + 2.0f * frame.east_south * columns * rows +
         frame.south_south * rows * rows;
}

// The lengths of the steps in directions 0 to 3 of `neighbour`, and in the opposite ones, in cells.
KERNEL vec4 stepsOf(Frame frame) {
  float diagonal = frame.east_east + frame.south_south;
  float south_east = diagonal + 2.0f * frame.east_south;
  float south_west = diagonal - 2.0f * frame.east_south;
  return vec4(frame.east_east * reciprocalSqrt(frame.east_east), south_east * reciprocalSqrt(south_east),
              frame.south_south * reciprocalSqrt(frame.south_south), south_west * reciprocalSqrt(south_west));
}
KERNEL float stepOf(vec4 steps, int direction) {
  int way = direction & 3;
  float even = way == 0 ? steps.x : steps.z;
  float odd = way == 1 ? steps.y : steps.w;
  return (way & 1) != 0 ? odd : even;
}

// The squared area of the cells at a vertex, in cells of the mean length.
KERNEL float areaSquared(Frame frame) {
  return frame.east_east * frame.south_south - frame.east_south * frame.east_south;
}

KERNEL float areaOf(Frame frame) {
  float square = areaSquared(frame);
  return square * reciprocalSqrt(square);
}
// The side of a square with this area, in cells.
KERNEL float meanLength(Frame frame) {
  float area = areaOf(frame);
  return area * reciprocalSqrt(area);
}

// A vector in columns and rows, from its dot products with the steps to the next column and row.
KERNEL vec2 onColumns(Frame frame, float a, float b) {
  float scale = reciprocal(areaSquared(frame));
  return vec2((frame.south_south * a - frame.east_south * b) * scale,
              (frame.east_east * b - frame.east_south * a) * scale);
}

// The squared slope of ground with these rises, by column and by row.
KERNEL float slopeSquared(Frame frame, float a, float b) {
  vec2 ascent = onColumns(frame, a, b);
  return ascent.x * a + ascent.y * b;
}

// A vector of space in columns and rows, from its parts along the face's middle, east and south.
KERNEL vec2 onFace(Frame frame, float up, float east, float south) {
  return onColumns(frame, frame.east.x * up + frame.east.y * east + frame.east.z * south,
                   frame.south.x * up + frame.south.y * east + frame.south.z * south);
}

KERNELS_END

#endif
