// What the parts of `ground` that only some lands have do at one level.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "server/stages/level_numbers.h"
#include "server/stages/recorder.h"
#include "shaders/kernels/ground_forms.glsl"
#include "thalweg/v1/world.pb.h"

namespace thalweg::stages {

// Vectors of the length 25 and of the length 65, or for a planet quaternions of these norms:
// lattices with these turns have the same cells. A level uses two of each, and the next level the
// others, so that neighbouring levels are turned differently.
struct GroundTurns {
  int a;  // of 25
  int b;
  int c;  // of 65
  int d;
};
GroundTurns TurnsOf(const LevelNumbers& level);

// A lattice with cells of a length in metres, packed by farLattice or farSpaceLattice. All levels
// know the same number of its cells, or a feature would be another one at the next level: the
// finest level decides.
int FarLattice(double length_m, std::uint32_t turn, const LevelNumbers& level);

// 1 over the length of the turn of such a lattice.
float PerFarTurn(int lattice, const LevelNumbers& level);

// Two numbers of -16 to 16, packed by packedPair16.
int PackedPair(double first, double second);

// The side of a level's cell in metres.
double CellMetres(const LevelNumbers& level);

struct GroundForms {
  std::vector<kernels::TrainParams> trains;
  std::optional<kernels::TerraceParams> terraces;
  std::optional<kernels::CraterParams> craters;
  std::optional<kernels::CoastParams> coast;
};

// Each form has its size in metres, and is made by the level whose cells just resolve it; finer
// levels inherit it.
GroundForms FormsOf(const v1::Ground& ground, const LevelNumbers& level);
// Records the forms after the ground, while what ground_slopes left is there.
void RecordForms(const GroundForms& forms, Recorder& recorder);

}  // namespace thalweg::stages
