// Shared by all stages whose movers (droplets, balls, particles) fall, step and land.
#pragma once

#include <cstdint>

#include "server/stages/recorder.h"

namespace thalweg::stages {

// 1 in parts of 65,536.
inline constexpr int kWhole = 65536;

// Momentum of a unit of discharge.
inline constexpr double kMomentumUnits = 128.0;

// Parts of 65,536 movers a cell.
kernels::uint Density(double density);

// Flow of a unit of traffic, of 65,536, by the number of movers a cell and of their steps: all
// movers together carry one cell's rain.
int TrafficQ16(std::uint32_t steps, double density);

// The cells of a step of droplets, and the vertices that settle.
struct DropletStep {
  Region fell;
  Region settled;
};

// Sets the live cells of a step of droplets, 0 to steps - 1.
DropletStep BeginDropletStep(Recorder& recorder, int step);

// The cells whose droplets land, and after it the vertices that close.
DropletStep EndDropletSteps(Recorder& recorder, int steps);

// A run of droplets reaches two cells a step, and one for the landing. What vertex c settles
// depends on the droplets whose cell has c as a corner after the move: they stand within 1 of c. A
// move is at most one cell, so they stood within 2 before it, and the corners of the cell that they
// stood in, whose ground they read and in whose settlement of the step before they shared, are
// within 2 of c. What else such a droplet carries was already added to those corners' sums a step
// before, so it depends on nothing that they do not. The settlement's own 3 x 3 read is within 1. A
// droplet that lands adds to its cell's north-west corner what the four corners settled: one more.
constexpr int DropletReach(int steps) { return 2 * steps + 1; }

// The part of `around` in the window; the whole window if it does not shrink.
Region Fell(const Recorder& recorder, Region window, Region around);

// Wash load and flow of movers of another kind than droplets.
void CloseMovers(Recorder& recorder, int grain_bits, int traffic_q16);

}  // namespace thalweg::stages
