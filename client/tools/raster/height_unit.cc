#include "client/tools/raster/height_unit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace thalweg::raster_file {
namespace {

using survey::Grid;

constexpr double kLargestStep = 100;
// How far a float may be from the multiple of a step that it stands for, in steps.
constexpr double kNearSteps = 0.05;

bool IsMultiple(double value) { return std::abs(value - std::round(value)) < kNearSteps; }

// Terraces with one neighbour only, a summit's or a floor's, are level but for so many cells.
constexpr float kRimCells = 8;
constexpr float kFar = std::numeric_limits<float>::infinity();
constexpr int kSmoothings = 4;

struct Way {
  int dx = 0;
  int dy = 0;
};
constexpr std::array kStraightOn = {Way{-1, 0}, Way{1, 0}, Way{0, -1}, Way{0, 1}};

// Distances of vertices of terraces to the next terrace, over vertices of the same height.
class Distances {
 public:
  // `sign` is 1 for the next higher terrace, -1 for the next lower one.
  Distances(const Grid<double>& ground_m, const Grid<std::uint8_t>& terraces, int sign)
      : ground_m_(ground_m),
        terraces_(terraces),
        cells_(survey::FilledGrid(ground_m.width, ground_m.height, kFar)) {
    for (int y = 0; y < ground_m.height; ++y) {
      for (int x = 0; x < ground_m.width; ++x) {
        if (terraces.At(x, y) != 0) cells_.At(x, y) = ToNext(x, y, sign);
      }
    }
    // Terraces wind: a way around a bend needs a sweep in each direction.
    constexpr int kMaxSweeps = 12;
    bool has_changed = true;
    for (int sweep = 0; has_changed && sweep < kMaxSweeps; ++sweep) {
      has_changed = Sweep(sweep % 2 == 0);
    }
  }

  float At(std::size_t i) const { return cells_.values[i]; }

 private:
  // Terraces meet in the middle between their vertices.
  float ToNext(int x, int y, int sign) const {
    constexpr float kHalf = 0.5F;
    const bool is_beside = std::ranges::any_of(kStraightOn, [&](const Way& way) {
      return ground_m_.Contains(x + way.dx, y + way.dy) &&
             sign * (ground_m_.At(x + way.dx, y + way.dy) - ground_m_.At(x, y)) > 0;
    });
    return is_beside ? kHalf : kFar;
  }

  bool Sweep(bool is_forward) {
    // Chamfer distances (Borgefors 1986), whose error is least with these.
    constexpr float kStraight = 0.9619F;
    constexpr float kDiagonal = 1.3604F;
    constexpr std::array kWays = {Way{-1, -1}, Way{0, -1}, Way{1, -1}, Way{-1, 0}, Way{1, 0}};
    bool has_changed = false;
    const int down = is_forward ? 1 : -1;
    for (int row = 0; row < ground_m_.height; ++row) {
      const int y = is_forward ? row : ground_m_.height - 1 - row;
      // Both ways along the row.
      for (const int right : {1, -1}) {
        for (int column = 0; column < ground_m_.width; ++column) {
          const int x = right > 0 ? column : ground_m_.width - 1 - column;
          if (terraces_.At(x, y) == 0) continue;
          float& here = cells_.At(x, y);
          for (const Way& way : kWays) {
            const int to_x = x + way.dx;
            const int to_y = y + down * way.dy;
            if (!ground_m_.Contains(to_x, to_y)) continue;
            if (ground_m_.At(to_x, to_y) != ground_m_.At(x, y)) continue;
            const float length = way.dx != 0 && way.dy != 0 ? kDiagonal : kStraight;
            const float there = cells_.At(to_x, to_y) + length;
            if (there >= here) continue;
            here = there;
            has_changed = true;
          }
        }
      }
    }
    return has_changed;
  }

  const Grid<double>& ground_m_;
  const Grid<std::uint8_t>& terraces_;
  Grid<float> cells_;
};

// Marks vertices of steps that have the same height as a neighbour.
Grid<std::uint8_t> TerracesOf(const HeightSteps& steps, double still_m,
                              const Grid<double>& ground_m) {
  Grid<std::uint8_t> terraces =
      survey::FilledGrid<std::uint8_t>(ground_m.width, ground_m.height, 0);
  for (int y = 0; y < ground_m.height; ++y) {
    for (int x = 0; x < ground_m.width; ++x) {
      const double here_m = ground_m.At(x, y);
      if (here_m == still_m || !IsMultiple((here_m - steps.offset_m) / steps.step_m)) continue;
      const bool is_level = std::ranges::any_of(kStraightOn, [&](const Way& way) {
        return ground_m.Contains(x + way.dx, y + way.dy) &&
               ground_m.At(x + way.dx, y + way.dy) == here_m;
      });
      terraces.At(x, y) = is_level ? 1 : 0;
    }
  }
  return terraces;
}

// How far a terrace's vertex is above it, in steps: -0.5 to 0.5.
float Above(float to_lower, float to_higher) {
  constexpr float kHalf = 0.5F;
  const auto rim = [](float cells) {
    const float part = std::max(0.0F, 1 - cells / kRimCells);
    return kHalf * part * part;
  };
  if (to_lower == kFar && to_higher == kFar) return 0;
  if (to_higher == kFar) return -rim(to_lower);
  if (to_lower == kFar) return rim(to_higher);
  return to_lower / (to_lower + to_higher) - kHalf;
}

// How far all vertices are above their terraces, in steps.
Grid<float> HeightsAbove(const Grid<std::uint8_t>& terraces, const Grid<double>& ground_m) {
  Grid<float> above = survey::FilledGrid(ground_m.width, ground_m.height, 0.0F);
  const Distances lower(ground_m, terraces, -1);
  const Distances higher(ground_m, terraces, 1);
  for (std::size_t i = 0; i < terraces.values.size(); ++i) {
    if (terraces.values[i] == 0) continue;
    above.values[i] = Above(lower.At(i), higher.At(i));
  }
  return above;
}

// Brings each vertex of a terrace halfway to the mean of its neighbours.
void Smooth(const Grid<std::uint8_t>& terraces, const Grid<double>& ground_m, double step_m,
            Grid<float>& above) {
  for (int y = 1; y + 1 < ground_m.height; ++y) {
    for (int x = 1; x + 1 < ground_m.width; ++x) {
      if (terraces.At(x, y) == 0) continue;
      double sum = 0;
      for (const Way& way : kStraightOn) {
        const double apart = (ground_m.At(x + way.dx, y + way.dy) - ground_m.At(x, y)) / step_m +
                             static_cast<double>(above.At(x + way.dx, y + way.dy));
        // Of walls, only the foot is near.
        sum += std::clamp(apart, -1.0, 1.0);
      }
      if (std::isnan(sum)) continue;
      const auto mean = static_cast<float>(sum / kStraightOn.size());
      above.At(x, y) = std::clamp((above.At(x, y) + mean) / 2, -0.5F, 0.5F);
    }
  }
}

constexpr double kFoot = 0.3048;
// Exactly 1,200/3,937 m; EPSG's unit 9003.
constexpr double kSurveyFoot = 1200.0 / 3937;

struct Unit {
  const char* name;
  double metres;
  // With commas between and around, in small letters without blanks or signs.
  std::string_view texts;
};
constexpr std::array kUnits = {
    Unit{"metres", 1, ",m,metre,metres,meter,meters,"},
    Unit{"feet", kFoot,
         ",ft,foot,feet,footintl,footinternational,internationalfoot,internationalfeet,"},
    Unit{"US survey feet", kSurveyFoot,
         ",ftus,usft,usfoot,usfeet,footus,ussurveyfoot,ussurveyfeet,footussurvey,surveyfoot,"
         "surveyfeet,sft,"},
    Unit{"centimetres", 0.01, ",cm,centimetre,centimetres,centimeter,centimeters,"},
    Unit{"decimetres", 0.1, ",dm,decimetre,decimetres,decimeter,decimeters,"},
    Unit{"millimetres", 0.001, ",mm,millimetre,millimetres,millimeter,millimeters,"},
    Unit{"kilometres", 1000, ",km,kilometre,kilometres,kilometer,kilometers,"},
};

// The text's letters, small.
std::string Letters(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (absl::ascii_isalpha(byte)) letters.push_back(static_cast<char>(absl::ascii_tolower(byte)));
  }
  return letters;
}

std::optional<HeightUnit> UnitOfLetters(const std::string& letters) {
  if (letters.empty()) return std::nullopt;
  for (const Unit& unit : kUnits) {
    if (unit.texts.find(absl::StrCat(",", letters, ",")) != std::string_view::npos) {
      return HeightUnit{unit.name, unit.metres, ""};
    }
  }
  return std::nullopt;
}

HeightUnit UnitOfLength(double metres, const std::string& source) {
  for (const Unit& unit : kUnits) {
    // The two feet differ by two millionths.
    if (std::abs(metres / unit.metres - 1) < 1e-7) return {unit.name, unit.metres, source};
  }
  return {absl::StrCat("units of ", metres, " m"), metres, source};
}

}  // namespace

void StepFinder::See(double value) {
  if (!are_hundredths_) return;
  are_hundredths_ = IsMultiple(value * 100);
  are_tenths_ = are_tenths_ && IsMultiple(value * 10) && are_hundredths_;
  are_whole_ = are_whole_ && value == std::round(value);
  if (are_whole_ && whole_ != 1) whole_ = std::gcd(whole_, static_cast<std::int64_t>(value));
}

std::optional<double> StepFinder::Step() const {
  if (are_whole_ && whole_ == 0) return std::nullopt;
  if (are_whole_) return std::min(static_cast<double>(whole_), kLargestStep);
  if (are_tenths_) return 0.1;
  if (are_hundredths_) return 0.01;
  return std::nullopt;
}

std::int64_t SmoothSteps(const HeightSteps& steps, double still_m, Grid<double>& ground_m) {
  const Grid<std::uint8_t> terraces = TerracesOf(steps, still_m, ground_m);
  Grid<float> above = HeightsAbove(terraces, ground_m);
  for (int n = 0; n < kSmoothings; ++n) Smooth(terraces, ground_m, steps.step_m, above);
  std::int64_t changed = 0;
  for (std::size_t i = 0; i < terraces.values.size(); ++i) {
    if (terraces.values[i] == 0) continue;
    ground_m.values[i] += steps.step_m * static_cast<double>(above.values[i]);
    ++changed;
  }
  return changed;
}

std::optional<HeightUnit> HeightUnitNamed(std::string_view text) {
  if (const auto whole = UnitOfLetters(Letters(text))) return whole;
  // "m above the geoid".
  return UnitOfLetters(Letters(text.substr(0, text.find_first_of(" ,;(["))));
}

absl::StatusOr<HeightUnit> HeightUnitOf(const Gdal& gdal, const std::string& path, void* band,
                                        void* reference) {
  const std::string text = gdal.GetRasterUnitType(band);
  const std::string letters = Letters(text);
  if (!letters.empty() && letters != "unknown" && letters != "none") {
    auto unit = HeightUnitNamed(text);
    if (!unit) {
      return RasterError(path, "heights in metres or feet",
                         absl::StrCat("a band in '", text, "'; --height-unit says what they are"));
    }
    unit->source = "the band's unit";
    return *std::move(unit);
  }
  if (reference != nullptr && gdal.IsVertical(reference) != 0) {
    return UnitOfLength(gdal.GetTargetLinearUnits(reference, "VERT_CS", nullptr),
                        "the vertical part of its reference system");
  }
  const bool is_projected = reference != nullptr && gdal.IsGeographic(reference) == 0;
  const double length = is_projected ? gdal.GetLinearUnits(reference, nullptr) : 1;
  constexpr double kAboutAFoot = 1e-4;
  if (std::abs(length - kFoot) < kAboutAFoot) {
    return UnitOfLength(length, "the reference system, whose lengths are feet");
  }
  return HeightUnit{"metres", 1, "nothing else"};
}

}  // namespace thalweg::raster_file
