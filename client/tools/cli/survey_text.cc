#include <array>
#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/tools/cli/commands.h"
#include "client/tools/survey/survey.h"
#include "proto/base/json_text.h"

namespace thalweg::cli {
namespace {

using nlohmann::ordered_json;

constexpr double kMmPerM = 1000;

// Writes a table of names and values in groups.
class Table {
 public:
  void Group(const std::string& name) { absl::StrAppend(&text_, "\n", name, "\n"); }
  void Line(const std::string& name, const std::string& value) {
    absl::StrAppendFormat(&text_, "  %-22s %s\n", name, value);
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

// Returns a value, or a dash if it is absent.
std::string Value(const std::optional<double>& value) {
  return value ? absl::StrFormat("%.3g", *value) : "-";
}

std::string Millimetres(const std::optional<double>& metres) {
  return metres ? absl::StrFormat("%.1f mm", *metres * kMmPerM) : "-";
}

std::string Percent(const std::optional<double>& share) {
  return share ? absl::StrFormat("%.3g %%", *share * 100) : "-";
}

std::string ShareText(const survey::CellShare& share) {
  return absl::StrCat(Percent(share.all), ", outside lakes ", Percent(share.outside_lakes));
}

template <std::size_t N>
std::string PercentilesText(const std::array<int, N>& percents,
                            const std::array<double, N>& values) {
  std::string text;
  for (std::size_t i = 0; i < N; ++i) {
    absl::StrAppendFormat(&text, "%s%.1f (%d %%)", i == 0 ? "" : ", ", values[i], percents[i]);
  }
  return text;
}

template <std::size_t N>
std::string SharesText(const std::optional<std::array<double, N>>& shares) {
  if (!shares) return "-";
  const auto append = [](std::string* out, double share) {
    absl::StrAppendFormat(out, "%.2f", share);
  };
  return absl::StrJoin(*shares, " ", append);
}

void AddGround(const SurveyedLand& land, const survey::Report& report, Table& table) {
  table.Group("Ground");
  table.Line("height", absl::StrFormat("%.1f to %.1f m, mean %.1f m", report.hypsometry.min_m,
                                       report.hypsometry.max_m, report.hypsometry.mean_m));
  table.Line("hypsometric integral", Value(report.hypsometry.integral));
  table.Line("slopes, degrees",
             PercentilesText(survey::kSlopePercentiles, report.slopes.percentiles_deg));
  table.Line("gradients, degrees",
             PercentilesText(survey::kGradientPercentiles, report.slopes.gradients_deg));
  table.Line("relief within 1 km",
             report.median_relief_m ? absl::StrFormat("%.1f m", *report.median_relief_m) : "-");
  table.Line("curvature", report.curvature ? absl::StrFormat("skewness %.3g, kurtosis %.3g",
                                                             report.curvature->skewness,
                                                             report.curvature->kurtosis)
                                           : "-");
  std::string forms;
  for (std::size_t i = 0; i < survey::kLandforms.size(); ++i) {
    absl::StrAppendFormat(&forms, "%s%s %.1f", i == 0 ? "" : ", ", survey::kLandforms[i],
                          100 * report.landforms[i]);
  }
  table.Line("landforms, %", forms);
  table.Line("aspects", SharesText(report.aspects));
  if (land.talus_deg) {
    table.Line("steeper than talus",
               absl::StrFormat("%s (than %g degrees), by over %g degrees %s",
                               Percent(report.slopes.over_talus), *land.talus_deg,
                               survey::kTalusMarginDeg, Percent(report.slopes.far_over_talus)));
  }
}

void AddWater(const survey::Report& report, Table& table) {
  table.Group("Water");
  table.Line("pits", ShareText(report.pits));
  table.Line("depressions", ShareText(report.depressions));
  table.Line("standing water", Percent(report.wet_share));
  if (report.lakes) {
    table.Line("lakes", absl::StrFormat("%d, level to within %.3g mm", report.lakes->count,
                                        report.lakes->largest_spread_m * kMmPerM));
  }
  table.Line("concavity", Value(report.concavity));
  table.Line("Hack's exponent", Value(report.hack_exponent));
  table.Line("sinuosity", Value(report.sinuosity));
  table.Line("Horton's ratios",
             report.horton ? absl::StrFormat("bifurcation %.3g, length %.3g, over %d orders",
                                             report.horton->bifurcation, report.horton->length,
                                             report.horton->orders)
                           : "-");
}

void AddSpectrum(const survey::Report& report, Table& table) {
  table.Group("Spectrum");
  table.Line("slope", Value(report.spectral_slope));
  const auto& power = report.directional_power;
  table.Line("power by direction",
             power ? absl::StrFormat("east %.2f, north-east %.2f, north %.2f, north-west %.2f",
                                     (*power)[0], (*power)[1], (*power)[2], (*power)[3])
                   : "-");
  table.Line("sectors, 3 to 6 cells", SharesText(report.short_sectors));
  table.Line("sectors, 6 to 12", SharesText(report.long_sectors));
}

void AddLevels(const SurveyedLand& land, const survey::Report& report, Table& table) {
  const survey::MassBalance& balance = report.mass_balance;
  table.Group("Against the parent level");
  if (const auto& difference = report.parent_difference; difference) {
    table.Line("difference", absl::StrFormat("rms %.3g cells, largest %.3g cells",
                                             difference->rms_m / land.cell_size_m,
                                             difference->max_m / land.cell_size_m));
    table.Line("mean height change", Millimetres(balance.height_change_m));
  } else {
    table.Line("difference", "-");
  }
  table.Line("mean wash load", Millimetres(balance.wash_load_m));
  table.Line("mean uplift", Millimetres(balance.uplift_m));
}

std::string TableText(const SurveyedLand& land, const survey::Report& report) {
  Table table;
  AddGround(land, report, table);
  AddWater(report, table);
  AddSpectrum(report, table);
  AddLevels(land, report, table);
  return land.title + "\n" + table.Take();
}

ordered_json ValueOrNull(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

ordered_json InMillimetres(const std::optional<double>& metres) {
  return metres ? ordered_json(*metres * kMmPerM) : ordered_json();
}

ordered_json ShareOf(const survey::CellShare& share) {
  return {{"all", share.all}, {"outside_lakes", share.outside_lakes}};
}

template <std::size_t N>
ordered_json PercentilesOf(const std::array<int, N>& percents,
                           const std::array<double, N>& values) {
  ordered_json object;
  for (std::size_t i = 0; i < N; ++i) object[absl::StrCat("p", percents[i])] = values[i];
  return object;
}

ordered_json LakesOf(const std::optional<survey::Lakes>& lakes) {
  if (!lakes) return nullptr;
  return {{"count", lakes->count}, {"largest_spread_mm", lakes->largest_spread_m * kMmPerM}};
}

ordered_json HortonOf(const std::optional<survey::HortonRatios>& horton) {
  if (!horton) return nullptr;
  return {
      {"orders", horton->orders}, {"bifurcation", horton->bifurcation}, {"length", horton->length}};
}

ordered_json DirectionsOf(const std::optional<std::array<double, 4>>& power) {
  if (!power) return nullptr;
  return {{"0", (*power)[0]}, {"45", (*power)[1]}, {"90", (*power)[2]}, {"135", (*power)[3]}};
}

template <std::size_t N>
ordered_json SharesOf(const std::optional<std::array<double, N>>& shares) {
  return shares ? ordered_json(*shares) : ordered_json();
}

std::optional<double> SkewnessOf(const std::optional<survey::Curvature>& curvature) {
  return curvature ? std::optional(curvature->skewness) : std::nullopt;
}

std::optional<double> KurtosisOf(const std::optional<survey::Curvature>& curvature) {
  return curvature ? std::optional(curvature->kurtosis) : std::nullopt;
}

ordered_json LandformsOf(const survey::LandformShares& landforms) {
  ordered_json object;
  for (std::size_t i = 0; i < survey::kLandforms.size(); ++i) {
    object[std::string(survey::kLandforms[i])] = landforms[i];
  }
  return object;
}

ordered_json ParentOf(const std::optional<survey::ParentDifference>& difference,
                      double cell_size_m) {
  if (!difference) return nullptr;
  return {{"rms_cells", difference->rms_m / cell_size_m},
          {"max_cells", difference->max_m / cell_size_m}};
}

std::string JsonText(const SurveyedLand& land, const survey::Report& report) {
  const survey::Hypsometry& heights = report.hypsometry;
  const survey::MassBalance& balance = report.mass_balance;
  ordered_json object = *land.members;
  object.update(
      {{"cell_size_m", land.cell_size_m},
       {"height_m", {{"min", heights.min_m}, {"max", heights.max_m}, {"mean", heights.mean_m}}},
       {"hypsometric_integral", ValueOrNull(heights.integral)},
       {"slope_deg", PercentilesOf(survey::kSlopePercentiles, report.slopes.percentiles_deg)},
       {"talus_deg", ValueOrNull(land.talus_deg)},
       {"over_talus", ValueOrNull(report.slopes.over_talus)},
       {"over_talus_by_5_deg", ValueOrNull(report.slopes.far_over_talus)},
       {"pits", ShareOf(report.pits)},
       {"depressions", ShareOf(report.depressions)},
       {"standing_water", report.wet_share},
       {"lakes", LakesOf(report.lakes)},
       {"concavity", ValueOrNull(report.concavity)},
       {"hack_exponent", ValueOrNull(report.hack_exponent)},
       {"horton", HortonOf(report.horton)},
       {"spectral_slope", ValueOrNull(report.spectral_slope)},
       {"directional_power", DirectionsOf(report.directional_power)},
       {"sectors_3_to_6_cells", SharesOf(report.short_sectors)},
       {"sectors_6_to_12_cells", SharesOf(report.long_sectors)},
       {"gradient_deg", PercentilesOf(survey::kGradientPercentiles, report.slopes.gradients_deg)},
       {"relief_within_1_km_m", ValueOrNull(report.median_relief_m)},
       {"curvature_skewness", ValueOrNull(SkewnessOf(report.curvature))},
       {"curvature_kurtosis", ValueOrNull(KurtosisOf(report.curvature))},
       {"sinuosity", ValueOrNull(report.sinuosity)},
       {"landforms", LandformsOf(report.landforms)},
       {"aspects", SharesOf(report.aspects)},
       {"parent_difference", ParentOf(report.parent_difference, land.cell_size_m)},
       {"mass_balance_mm",
        {{"height_change", InMillimetres(balance.height_change_m)},
         {"wash_load", InMillimetres(balance.wash_load_m)},
         {"uplift", InMillimetres(balance.uplift_m)}}}});
  return json::TextOf(std::move(object)) + "\n";
}

}  // namespace

std::string SurveyText(const SurveyedLand& land, const survey::Report& report, bool json) {
  return json ? JsonText(land, report) : TableText(land, report);
}

}  // namespace thalweg::cli
