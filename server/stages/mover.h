// What all stages with movers (droplets, snowballs, particles) share: fall, steps and landing.
#pragma once

#include <cstdint>

#include "server/stages/recorder.h"

namespace thalweg::stages {

// The number 1 in units of 1/65,536.
inline constexpr int kWhole = 65536;

// The units of momentum for a unit of discharge.
inline constexpr double kMomentumUnits = 128.0;

// The number of movers a cell, in units of 1/65,536.
kernels::uint Density(double density);

// The flow of a unit of traffic, in 1/65,536, for `density` movers a cell with this number of
// steps: the movers of a cell together carry the cell's rain.
int TrafficQ16(std::uint32_t steps, double density);

// The regions of a step of droplets: the cells where they fell, and the vertices that settle.
struct DropletStep {
  WindowRegion fell;
  WindowRegion settled;
};

// Sets the live cells of a step of droplets. step: 0 to steps - 1.
DropletStep BeginDropletStep(Recorder& recorder, int step);

// The cells whose droplets land, and the vertices that close after that.
DropletStep EndDropletSteps(Recorder& recorder, int steps);

// Droplets reach two cells a step, and one for the landing. What vertex c settles depends on the
// droplets whose cell has c as a corner after the move: they stand within 1 of c. A move is at most
// one cell, so they stood within 2 before it. The corners of the cell that they stood in are within
// 2 of c: droplets read their ground, and shared in their settlement of the step before. What else
// such a droplet carries was added to these corners' sums a step before, so it depends on nothing
// else. The settlement itself reads 3 x 3 vertices: within 1. A droplet that lands adds what its
// cell's four corners settled to the north-west one: one more.
constexpr int DropletReach(int steps) { return 2 * steps + 1; }

// The part of `around` that is in the window; the whole window if regions do not shrink.
WindowRegion Fell(const Recorder& recorder, WindowRegion window, WindowRegion around);

// Records the end of movers that are not droplets: their wash load and flow.
void CloseMovers(Recorder& recorder, int grain_bits, int traffic_q16);

}  // namespace thalweg::stages
