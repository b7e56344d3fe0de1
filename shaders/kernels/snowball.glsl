// Snowballs (Talle 2020, "Simulating hydraulic erosion"): movers with their own velocity, driven by
// the ground's normal at a fixed offset beside them. They dig where the ground is steep, and more
// the longer they have rolled. They lay down a part of their load everywhere. They stop where the
// ground is flat. They change the cell that they leave.
#ifndef THALWEG_KERNELS_SNOWBALL
#define THALWEG_KERNELS_SNOWBALL

#include "exchange.glsl"

KERNELS_BEGIN

struct SnowballParams {
  // 1 / height of a cell in height units.
  float inverse_cell;
  float friction;     // part of the velocity that is kept
  float speed;        // cells a step that are added where the normal lies flat
  float flat_slope2;  // the square of the slope under which a snowball stops
  float erosion;      // cells that are dug where the normal lies flat
  float deposition;   // part of the load that is laid down where it is flat
  float limit;
  float wishes_per_cell;
  float grains_per_unit;  // of height
  int grain_bits;
  int radius;   // of the offset, in 1/256 cell
  int births;   // part of the cells in which a snowball falls, in 1/65,536
  uint stream;  // separates the snow of levels and stages
};

// The x of a stopped snowball's velocity.
CONSTANT int kStoppedVelocity = -32768;
// The offset is kept in 1/32 of a cell.
CONSTANT int kOffsetBits = 3;

struct Snowball {
  ivec2 position;  // 1/256 of a cell from the cell that it fell on
  ivec2 velocity;  // the last move, in 1/16,384 of a cell; its length is at most 1 cell
  ivec2 offset;    // 1/32 of a cell, under 4 cells
  uint wish;       // what it added at the position before the last move
  uint load;       // grains
};

// An offset from a byte of a hash, evenly from -radius to under radius.
KERNEL int offsetOf(uint byte, int radius) {
  return ((int(byte & 255u) - 128) * radius) >> (7 + kOffsetBits);
}

// A snowball that falls at random in a cell; a dead one if none falls. h: the cell's hash.
KERNEL Snowball bornSnowball(uint h, SnowballParams params) {
  uint more = pcg(h);
  Snowball ball;
  ball.position = ivec2(int(h >> 24), int((h >> 16) & 255u));
  if (int(more & 65535u) >= params.births) ball.position = ivec2(kDeadPosition, 0);
  ball.velocity = ivec2(0, 0);
  ball.offset = ivec2(offsetOf(h >> 8, params.radius), offsetOf(h, params.radius));
  ball.wish = 0u;
  ball.load = 0u;
  return ball;
}

// The position where a snowball reads the normal.
KERNEL ivec2 lookedAt(Snowball ball) { return ball.position + ball.offset * (1 << kOffsetBits); }

// The position of a snowball before its last move.
KERNEL ivec2 leftPosition(Snowball ball) {
  if (ball.velocity.x == kStoppedVelocity) return ball.position;
  return ball.position - ivec2((ball.velocity.x + 32) >> 6, (ball.velocity.y + 32) >> 6);
}

// The ground's rise by column and by row where a snowball looks. corners: the ground at the corners, x fastest, of the
// cell of lookedAt.
KERNEL vec2 snowballRise(Snowball ball, ivec4 corners, SnowballParams params) {
  ivec2 at = lookedAt(ball);
  float u = float(at.x & 255) * 0.00390625f;
  float v = float(at.y & 255) * 0.00390625f;
  float east = differenceOf(corners.y, corners.x) * params.inverse_cell;
  float south = differenceOf(corners.z, corners.x) * params.inverse_cell;
  float far_east = differenceOf(corners.w, corners.z) * params.inverse_cell;
  float far_south = differenceOf(corners.w, corners.y) * params.inverse_cell;
  return vec2(east + (far_east - east) * v, south + (far_south - south) * u);
}

// Rolls a snowball by at most one cell, or stops it. rise: see snowballRise; steepest: the direction of steepest ascent,
// equal to rise where cells are squares. ramp: how strongly it digs at this step, in 1/65,536.
KERNEL Snowball rolledSnowball(Snowball ball, vec2 rise, vec2 steepest, int ramp, SnowballParams params) {
  float slope2 = rise.x * steepest.x + rise.y * steepest.y;
  Snowball rolled = ball;
  if (slope2 < params.flat_slope2) {
    rolled.velocity = ivec2(kStoppedVelocity, 0);
    rolled.wish = 0u;
    return rolled;
  }
  float up = reciprocalSqrt(1.0f + slope2);
  float dug = params.erosion * (1.0f - up) * float(ramp) * 1.52587890625e-5f;
  rolled.wish = wishOf(dug, params.wishes_per_cell);
  float vx = float(ball.velocity.x) * 6.103515625e-5f * params.friction - steepest.x * up * params.speed;
  float vy = float(ball.velocity.y) * 6.103515625e-5f * params.friction - steepest.y * up * params.speed;
  float length2 = vx * vx + vy * vy;
  float scale = length2 > 1.0f ? reciprocalSqrt(length2) * 16384.0f : 16384.0f;
  rolled.velocity = ivec2(int(floor(vx * scale + 0.5f)), int(floor(vy * scale + 0.5f)));
  rolled.position.x = ball.position.x + ((rolled.velocity.x + 32) >> 6);
  rolled.position.y = ball.position.y + ((rolled.velocity.y + 32) >> 6);
  return rolled;
}

// The part of a vertex's parcels that is laid down: less on steep ground. rise, steepest: see rolledSnowball.
KERNEL float laidPart(vec2 rise, vec2 steepest, SnowballParams params) {
  return params.deposition * reciprocalSqrt(1.0f + rise.x * steepest.x + rise.y * steepest.y);
}

KERNELS_END

#endif
