#include "client/tools/import/land_margin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "client/tools/survey/depressions.h"
#include "client/tools/survey/grid.h"
#include "client/tools/survey/statistics.h"

namespace thalweg::real_land {
namespace {

using survey::Flood;
using survey::Grid;
using survey::kOutlet;

constexpr int kNarrowest = 160;
constexpr int kWidest = 512;
// A margin falls by this part of the raster's steep slopes.
constexpr double kFallPart = 0.5;
// The part of the raster's slopes that are as steep as a margin may be, or gentler.
constexpr double kSteepPart = 0.99;
// The outer part of a margin that is as low as what lies around.
constexpr double kFlatPart = 0.1;
// How much beds fall that are cut, and plains without a sea: more, so that their water leaves them.
constexpr double kBedSlope = 1.5e-4;
constexpr double kPlainSlope = 3e-4;
// How high plains beside a sea are.
constexpr double kShoreM = 4;
// The part of the edge that is in a sea, if the margin comes down to it.
constexpr double kSeaPart = 0.02;
// Where the edge is so much lower than such a plain, its sea goes on.
constexpr double kShelfM = 30;

double Smooth(double t) {
  const double part = std::clamp(t, 0.0, 1.0);
  return part * part * (3 - 2 * part);
}

// How steep a raster is.
struct Slopes {
  double steep = 0;
  double steepest = 0;
};

Slopes SlopesOf(const Grid<double>& raster_m, double cell_m) {
  // Of large rasters, every so manyth row is enough.
  const int every = std::max(1, raster_m.height / 512);
  std::vector<double> slopes;
  for (int y = 0; y + 1 < raster_m.height; y += every) {
    for (int x = 0; x + 1 < raster_m.width; ++x) {
      const double here_m = raster_m.At(x, y);
      const double change_m = std::max(std::abs(raster_m.At(x + 1, y) - here_m),
                                       std::abs(raster_m.At(x, y + 1) - here_m));
      slopes.push_back(change_m / cell_m);
    }
  }
  return {survey::Quantile(slopes, kSteepPart), *std::ranges::max_element(slopes)};
}

// A place along an axis of the raster or of its margin, as those of the raster that it is made of.
struct Source {
  // The nearest one, and the mirrored one.
  double nearest = 0;
  double mirrored = 0;
  // How far outside.
  double beyond = 0;
};

Source SourceOf(double at, int count) {
  const double nearest = std::clamp(at, 0.0, count - 1.0);
  const double period = 2.0 * (count - 1);
  const double folded = at - period * std::floor(at / period);
  return {nearest, std::min(folded, period - folded), std::abs(at - nearest)};
}

// The height between four vertices.
double Between(const Grid<double>& raster_m, double x, double y) {
  const int column = std::min(static_cast<int>(x), raster_m.width - 2);
  const int row = std::min(static_cast<int>(y), raster_m.height - 2);
  const auto along = [&](int of_row) {
    return std::lerp(raster_m.At(column, of_row), raster_m.At(column + 1, of_row), x - column);
  };
  return std::lerp(along(row), along(row + 1), y - row);
}

// Smooth random numbers of -1 to 1 on a lattice of squares (value noise), for one purpose each.
double NoiseAt(double x, double y, double square, std::uint32_t purpose) {
  const double column = std::floor(x / square);
  const double row = std::floor(y / square);
  const auto node = [&](int dx, int dy) {
    const auto i = static_cast<std::uint32_t>(static_cast<std::int32_t>(column) + dx);
    const auto j = static_cast<std::uint32_t>(static_cast<std::int32_t>(row) + dy);
    std::uint32_t bits = i * 0x8da6b343u ^ j * 0xd8163841u ^ purpose * 0xcb1ab31fu;
    bits = (bits ^ (bits >> 15)) * 0x2c1b3c6du;
    bits = (bits ^ (bits >> 12)) * 0x297a2d39u;
    return (bits ^ (bits >> 15)) / 2147483648.0 - 1;
  };
  const double t = Smooth(x / square - column);
  return std::lerp(std::lerp(node(0, 0), node(1, 0), t), std::lerp(node(0, 1), node(1, 1), t),
                   Smooth(y / square - row));
}

// The broad forms of the raster, which lead on beyond it: a cubic B-spline over means of blocks.
// Outside, heights fall or rise from the edge on as they do inside, and ever less (the raster is
// turned about its edge).
class BroadForms {
 public:
  BroadForms(const Grid<double>& raster_m, int cells)
      : cells_(cells), first_(-cells - 2 * kBlock), nodes_m_(NodesOf(raster_m)) {
    for (int row = 0; row < nodes_m_.height; ++row) {
      for (int column = 0; column < nodes_m_.width; ++column) {
        const int x = first_ + column * kBlock;
        const int y = first_ + row * kBlock;
        if (IsNeeded(raster_m, x, y)) nodes_m_.At(column, row) = MeanOf(raster_m, x, y);
      }
    }
  }

  // A place is on the raster, or up to `cells` outside.
  double At(double x, double y) const {
    const auto [column, by_x] = WeightsOf(x);
    const auto [row, by_y] = WeightsOf(y);
    double sum = 0;
    for (int j = 0; j < 4; ++j) {
      double along = 0;
      for (int i = 0; i < 4; ++i) {
        along += by_x[static_cast<std::size_t>(i)] * nodes_m_.At(column + i, row + j);
      }
      sum += by_y[static_cast<std::size_t>(j)] * along;
    }
    return sum;
  }

 private:
  static constexpr int kBlock = 8;

  Grid<double> NodesOf(const Grid<double>& raster_m) const {
    const auto count = [this](int side) { return (side - 2 * first_) / kBlock + 2; };
    return survey::FilledGrid(count(raster_m.width), count(raster_m.height), 0.0);
  }

  // Forms deep inside the raster are mirrored nowhere.
  bool IsNeeded(const Grid<double>& raster_m, int x, int y) const {
    const int inwards =
        std::min(std::min(x, y), std::min(raster_m.width - x, raster_m.height - y) - kBlock);
    return inwards < cells_ + 3 * kBlock;
  }

  double MeanOf(const Grid<double>& raster_m, int x, int y) const {
    double sum = 0;
    for (int dy = 0; dy < kBlock; ++dy) {
      for (int dx = 0; dx < kBlock; ++dx) sum += Turned(raster_m, x + dx, y + dy);
    }
    return sum / (kBlock * kBlock);
  }

  double Turned(const Grid<double>& raster_m, int x, int y) const {
    const Source column = SourceOf(x, raster_m.width);
    const Source row = SourceOf(y, raster_m.height);
    const auto height_m = [&](double of_column, double of_row) {
      return raster_m.At(static_cast<int>(of_column), static_cast<int>(of_row));
    };
    const double edge_m = height_m(column.nearest, row.nearest);
    return edge_m + TurnOf(column) * (edge_m - height_m(column.mirrored, row.nearest)) +
           TurnOf(row) * (edge_m - height_m(column.nearest, row.mirrored));
  }

  double TurnOf(const Source& at) const {
    return at.beyond == 0 ? 0 : std::max(0.0, 1 - at.beyond / cells_);
  }

  std::pair<int, std::array<double, 4>> WeightsOf(double at) const {
    // A node is in the middle of its block.
    const double place = (at - first_ - (kBlock - 1) / 2.0) / kBlock;
    const double node = std::floor(place);
    const double t = place - node;
    const double s = 1 - t;
    return {static_cast<int>(node) - 1,
            {s * s * s / 6, (4 - 6 * t * t + 3 * t * t * t) / 6,
             (4 - 6 * s * s + 3 * s * s * s) / 6, t * t * t / 6}};
  }

  int cells_;
  // The column and the row of the raster where the first block begins.
  int first_;
  Grid<double> nodes_m_;
};

// The raster's place in the grid with its margin.
struct Frame {
  int cells = 0;
  int width = 0;
  int height = 0;

  bool IsInRaster(int x, int y) const {
    return x >= cells && y >= cells && x < cells + width && y < cells + height;
  }
  // How far a vertex is outside the raster.
  int Beyond(int x, int y) const {
    return std::max({cells - x, cells - y, x - cells - width + 1, y - cells - height + 1, 0});
  }
  bool IsOnEdge(int x, int y) const {
    return IsInRaster(x, y) &&
           (x == cells || y == cells || x == cells + width - 1 || y == cells + height - 1);
  }
};

// What the margin comes down to beside a sea where the raster's edge has this height.
double PlainBeside(double edge_m, const Surroundings& around) {
  const double deep_m = std::min(edge_m, around.plain_m);
  const double depth_m = *around.sea_level_m + kShoreM - edge_m;
  return std::lerp(*around.sea_level_m + kShoreM, deep_m, std::clamp(depth_m / kShelfM, 0.0, 1.0));
}

// The land beyond a raster; water does not flow on it yet.
class Continuation {
 public:
  Continuation(const Grid<double>& raster_m, double cell_m, int cells, const Surroundings& around)
      : raster_m_(raster_m),
        cells_(cells),
        plain_fall_m_(around.sea_level_m ? 0 : kPlainSlope * cell_m),
        around_(around),
        forms_(raster_m, cells),
        goes_to_sea_(EdgeOf(raster_m, around.sea_level_m).in_sea > kSeaPart) {}

  // The height of a vertex outside the raster.
  double At(int x, int y) const {
    const int beyond_x = std::max({-x, 0, x - raster_m_.width + 1});
    const int beyond_y = std::max({-y, 0, y - raster_m_.height + 1});
    const int beyond = std::max(beyond_x, beyond_y);
    // Else valleys would lead straight outwards.
    const double wander = kWander * std::min(beyond / kWanderSquare, 1.0);
    const double from_x = Held(x + wander * NoiseAt(x, y, kWanderSquare, 1), raster_m_.width);
    const double from_y = Held(y + wander * NoiseAt(x, y, kWanderSquare, 2), raster_m_.height);
    const Source column = SourceOf(from_x, raster_m_.width);
    const Source row = SourceOf(from_y, raster_m_.height);
    const double far = std::hypot(beyond_x, beyond_y) / cells_;
    const double sunk = Smooth(far / (1 - kFlatPart) +
                               kUneven * std::min(far, 1 - far) * NoiseAt(x, y, kUnevenSquare, 3));
    const double mirrored_m = SmallAt(column.mirrored, row.mirrored);
    // Mirrored at once, slopes would break along the edge; turned about it, they go on.
    const double turned_m = 2 * SmallAt(column.nearest, row.nearest) - mirrored_m;
    const double small_m = std::lerp(turned_m, mirrored_m, Smooth(beyond / kTurned));
    const double plain_m = goes_to_sea_
                               ? PlainBeside(forms_.At(column.nearest, row.nearest), around_)
                               : around_.plain_m - plain_fall_m_ * beyond;
    const double broad_m = std::lerp(forms_.At(from_x, from_y), plain_m, sunk);
    const double height_m = broad_m + std::lerp(1.0, kSmallPart, sunk) * small_m;
    return around_.sea_level_m ? height_m : std::max(height_m, plain_m);
  }

 private:
  // How far valleys wander, in cells, and over which distance they turn.
  static constexpr double kWander = 10;
  static constexpr double kWanderSquare = 56;
  // How unevenly the margin sinks.
  static constexpr double kUneven = 0.5;
  static constexpr double kUnevenSquare = 40;
  // Over how many cells small forms become mirrored ones.
  static constexpr double kTurned = 16;
  // The part of small forms that stays on the plain.
  static constexpr double kSmallPart = 0.6;

  // The raster's height above its broad forms.
  double SmallAt(double x, double y) const { return Between(raster_m_, x, y) - forms_.At(x, y); }

  // A place may not wander out of the margin.
  double Held(double at, int count) const {
    return std::clamp<double>(at, -cells_, count - 1 + cells_);
  }

  const Grid<double>& raster_m_;
  int cells_;
  // How much a plain falls over a cell.
  double plain_fall_m_;
  Surroundings around_;
  BroadForms forms_;
  bool goes_to_sea_;
};

Grid<double> Continue(const Grid<double>& raster_m, double cell_m, const Frame& frame,
                      const Surroundings& around) {
  Grid<double> ground_m =
      survey::FilledGrid(frame.width + 2 * frame.cells, frame.height + 2 * frame.cells, 0.0);
  const Continuation beyond(raster_m, cell_m, frame.cells, around);
  for (int y = 0; y < ground_m.height; ++y) {
    for (int x = 0; x < ground_m.width; ++x) {
      const int column = x - frame.cells;
      const int row = y - frame.cells;
      ground_m.At(x, y) =
          frame.IsInRaster(x, y) ? raster_m.At(column, row) : beyond.At(column, row);
    }
  }
  return ground_m;
}

// Walls around a rectangle that is `beyond` wider than the raster on each side.
std::vector<std::uint8_t> WallsAround(const Grid<double>& ground_m, const Frame& frame,
                                      int beyond) {
  std::vector<std::uint8_t> walls(ground_m.values.size(), 0);
  for (int y = frame.cells - beyond; y < frame.cells + frame.height + beyond; ++y) {
    const std::size_t first = ground_m.Index(frame.cells - beyond, y);
    std::fill_n(walls.begin() + static_cast<std::ptrdiff_t>(first), frame.width + 2 * beyond, 1);
  }
  return walls;
}

// Returns 1 where the raster's water leaves it by its edge. Hollows that are far inside don't
// count.
std::vector<std::uint8_t> WaysOut(const Grid<double>& raster_m, std::optional<double> sea_level_m) {
  constexpr int kBand = 256;
  const Frame inside{kBand, raster_m.width - 2 * kBand, raster_m.height - 2 * kBand};
  std::vector<std::uint8_t> walls(raster_m.values.size(), 0);
  std::vector<std::int32_t> sinks;
  for (int y = kBand; y < raster_m.height - kBand; ++y) {
    for (int x = kBand; x < raster_m.width - kBand; ++x) {
      const std::size_t i = raster_m.Index(x, y);
      walls[i] = inside.IsOnEdge(x, y) ? 0 : 1;
      if (walls[i] == 0) sinks.push_back(static_cast<std::int32_t>(i));
    }
  }
  const Flood flood = FloodFromOutlets(raster_m, sea_level_m, sinks, std::move(walls));
  std::vector<std::uint8_t> ways(raster_m.values.size(), 0);
  for (const std::int32_t source : flood.source) {
    if (source != kOutlet) ways[static_cast<std::size_t>(source)] = 1;
  }
  // The lowest vertices of the edge.
  for (int y = 0; y < raster_m.height; ++y) {
    for (int x = 0; x < raster_m.width; ++x) {
      if (!raster_m.IsEdge(x, y)) continue;
      const bool has_lower = std::ranges::any_of(survey::kSteps, [&](const survey::Step& step) {
        const int to_x = x + step.dx;
        const int to_y = y + step.dy;
        return raster_m.Contains(to_x, to_y) && raster_m.At(to_x, to_y) < raster_m.At(x, y);
      });
      if (!has_lower) ways[raster_m.Index(x, y)] = 1;
    }
  }
  return ways;
}

// Beds that are cut through the margin: the height that each of its vertices may have at most.
class Beds {
 public:
  Beds(const Frame& frame, double cell_m, Grid<double>& ground_m)
      : frame_(frame),
        fall_m_(kBedSlope * cell_m),
        ground_m_(ground_m),
        bed_m_(ground_m.values.size(), kNone) {}

  // Cuts a bed from a vertex of the raster's edge straight outwards.
  void LeadOut(int x, int y) {
    const auto outwards = [](int at, int first, int count) {
      return at == first ? -1 : at == first + count - 1 ? 1 : 0;
    };
    const int dx = outwards(x, frame_.cells, frame_.width);
    const int dy = outwards(y, frame_.cells, frame_.height);
    double bed_m = ground_m_.At(x, y);
    for (int step = 1; step <= kStraight + 1; ++step) {
      bed_m = CutAt(ground_m_.Index(x + step * dx, y + step * dy), bed_m - fall_m_);
    }
  }

  // Cuts the beds on along the flood's ways.
  void Follow(const Flood& flood) {
    for (auto cell = flood.order.rbegin(); cell != flood.order.rend(); ++cell) {
      const auto i = static_cast<std::size_t>(*cell);
      if (bed_m_[i] == kNone || flood.source[i] == kOutlet) continue;
      CutAt(static_cast<std::size_t>(flood.source[i]), ground_m_.values[i] - fall_m_);
    }
  }

  // Beds run straight over so many vertices beside the raster: along it they would be cliffs.
  static constexpr int kStraight = 8;

 private:
  static constexpr double kNone = std::numeric_limits<double>::infinity();

  double CutAt(std::size_t i, double bed_m) {
    bed_m_[i] = std::min(bed_m_[i], bed_m);
    ground_m_.values[i] = std::min(ground_m_.values[i], bed_m_[i]);
    return ground_m_.values[i];
  }

  const Frame& frame_;
  double fall_m_;
  Grid<double>& ground_m_;
  std::vector<double> bed_m_;
};

// Cuts beds from the raster's edge to the outer side, or to the sea.
void CutBeds(const Grid<double>& raster_m, const Frame& frame, double cell_m,
             std::optional<double> sea_level_m, Grid<double>& ground_m) {
  const std::vector<std::uint8_t> ways_out = WaysOut(raster_m, sea_level_m);
  Flood flood =
      FloodFromOutlets(ground_m, sea_level_m, {}, WallsAround(ground_m, frame, Beds::kStraight));
  flood.surface_m = {};
  Beds beds(frame, cell_m, ground_m);
  for (int y = 0; y < frame.height; ++y) {
    for (int x = 0; x < frame.width; ++x) {
      const bool is_way_out = raster_m.IsEdge(x, y) && ways_out[raster_m.Index(x, y)] != 0;
      if (is_way_out) beds.LeadOut(x + frame.cells, y + frame.cells);
    }
  }
  beds.Follow(flood);
}

// Lowers the margin until its slopes are gentle enough, so beds become valleys.
void LimitSlopes(const Grid<double>& raster_m, const Frame& frame, double cell_m,
                 Grid<double>& ground_m) {
  constexpr int kMaxSweeps = 16;
  // Beside the raster, where its own steepest slopes end, as steep ones may be.
  constexpr double kBeside = 16;
  const auto [steep, steepest] = SlopesOf(raster_m, cell_m);
  bool has_changed = true;
  for (int sweep = 0; has_changed && sweep < kMaxSweeps; ++sweep) {
    has_changed = false;
    const bool is_forward = sweep % 2 == 0;
    for (int row = 0; row < ground_m.height; ++row) {
      const int y = is_forward ? row : ground_m.height - 1 - row;
      for (int column = 0; column < ground_m.width; ++column) {
        const int x = is_forward ? column : ground_m.width - 1 - column;
        if (frame.IsInRaster(x, y)) {
          column += frame.width - 1;
          continue;
        }
        double& here_m = ground_m.At(x, y);
        const double slope =
            std::lerp(steepest, steep, std::min(frame.Beyond(x, y) / kBeside, 1.0));
        for (const survey::Step& step : survey::kSteps) {
          const int to_x = x + step.dx;
          const int to_y = y + step.dy;
          if (!ground_m.Contains(to_x, to_y)) continue;
          const double limit_m = ground_m.At(to_x, to_y) + slope * step.length * cell_m;
          if (here_m <= limit_m) continue;
          here_m = limit_m;
          has_changed = true;
        }
      }
    }
  }
}

// Fills the hollows that are left in the margin. Water may leave them over the raster's edge.
void FillMargin(const Frame& frame, Grid<double>& ground_m) {
  std::vector<std::int32_t> edge;
  for (int y = frame.cells; y < frame.cells + frame.height; ++y) {
    for (int x = frame.cells; x < frame.cells + frame.width; ++x) {
      if (frame.IsOnEdge(x, y)) edge.push_back(static_cast<std::int32_t>(ground_m.Index(x, y)));
    }
  }
  std::vector<std::uint8_t> walls = WallsAround(ground_m, frame, -1);
  ground_m = FloodFromOutlets(std::move(ground_m), std::nullopt, edge, std::move(walls)).surface_m;
}

}  // namespace

double PlainFall(double margin_m) { return kPlainSlope * margin_m; }

Edge EdgeOf(const Grid<double>& raster_m, std::optional<double> sea_level_m) {
  Edge edge{.highest_m = raster_m.values.front()};
  std::int64_t vertices = 0;
  std::int64_t in_sea = 0;
  double sum_m = 0;
  for (int y = 0; y < raster_m.height; ++y) {
    for (int x = 0; x < raster_m.width; ++x) {
      if (!raster_m.IsEdge(x, y)) continue;
      const double height_m = raster_m.At(x, y);
      ++vertices;
      sum_m += height_m;
      edge.highest_m = std::max(edge.highest_m, height_m);
      in_sea += sea_level_m && height_m < *sea_level_m ? 1 : 0;
    }
  }
  edge.mean_m = sum_m / static_cast<double>(vertices);
  edge.in_sea = static_cast<double>(in_sea) / static_cast<double>(vertices);
  return edge;
}

int MarginCells(const Grid<double>& raster_m, double cell_m, const Surroundings& around) {
  const double fall_m = EdgeOf(raster_m, std::nullopt).highest_m - around.plain_m;
  const double slope = std::max(kFallPart * SlopesOf(raster_m, cell_m).steep, 1e-6);
  const double cells = 1.5 * std::max(fall_m, 0.0) / (slope * cell_m);
  return static_cast<int>(std::clamp<double>(std::ceil(cells), kNarrowest, kWidest));
}

Grid<double> WithMargin(const Grid<double>& raster_m, double cell_m, int cells,
                        const Surroundings& around) {
  const Frame frame{cells, raster_m.width, raster_m.height};
  Grid<double> ground_m = Continue(raster_m, cell_m, frame, around);
  CutBeds(raster_m, frame, cell_m, around.sea_level_m, ground_m);
  LimitSlopes(raster_m, frame, cell_m, ground_m);
  FillMargin(frame, ground_m);
  return ground_m;
}

}  // namespace thalweg::real_land
