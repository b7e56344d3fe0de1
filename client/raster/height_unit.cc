#include "client/raster/height_unit.h"

#include <array>
#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "client/raster/raster_error.h"

namespace thalweg::raster_file {
namespace {

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
