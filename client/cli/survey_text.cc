#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/cli/commands.h"
#include "client/cli/json.h"

namespace thalweg::cli {
namespace {

constexpr double kMmPerM = 1000;

// What a survey is told with.
struct Surveyed {
  const SurveyArguments& arguments;
  const WorldInfo& world;
  const survey::Report& report;

  double CellSizeM() const { return world.CellSizeM(arguments.level); }
  std::optional<double> TalusDeg() const {
    const auto level = static_cast<std::size_t>(arguments.level);
    return level < world.talus_deg.size() ? world.talus_deg[level] : std::nullopt;
  }
};

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

// What is absent is a dash.
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

void AddGround(const Surveyed& surveyed, Table& table) {
  const survey::Report& report = surveyed.report;
  table.Group("Ground");
  table.Line("height", absl::StrFormat("%.1f to %.1f m, mean %.1f m", report.hypsometry.min_m,
                                       report.hypsometry.max_m, report.hypsometry.mean_m));
  table.Line("hypsometric integral", Value(report.hypsometry.integral));
  std::string percentiles;
  for (std::size_t i = 0; i < survey::kSlopePercentiles.size(); ++i) {
    absl::StrAppendFormat(&percentiles, "%s%.1f (%d %%)", i == 0 ? "" : ", ",
                          report.slopes.percentiles_deg[i], survey::kSlopePercentiles[i]);
  }
  table.Line("slopes, degrees", percentiles);
  if (const std::optional<double> talus_deg = surveyed.TalusDeg(); talus_deg) {
    table.Line("steeper than talus",
               absl::StrFormat("%s (than %g degrees), by over %g degrees %s",
                               Percent(report.slopes.over_talus), *talus_deg,
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
}

void AddLevels(const Surveyed& surveyed, Table& table) {
  const survey::Report& report = surveyed.report;
  const survey::MassBalance& balance = report.mass_balance;
  table.Group("Against the parent level");
  if (const auto& difference = report.parent_difference; difference) {
    table.Line("difference", absl::StrFormat("rms %.3g cells, largest %.3g cells",
                                             difference->rms_m / surveyed.CellSizeM(),
                                             difference->max_m / surveyed.CellSizeM()));
    table.Line("mean height change", Millimetres(balance.height_change_m));
  } else {
    table.Line("difference", "-");
  }
  table.Line("mean wash load", Millimetres(balance.wash_load_m));
  table.Line("mean uplift", Millimetres(balance.uplift_m));
}

std::string TableText(const Surveyed& surveyed) {
  const SurveyArguments& arguments = surveyed.arguments;
  Table table;
  AddGround(surveyed, table);
  AddWater(surveyed.report, table);
  AddSpectrum(surveyed.report, table);
  AddLevels(surveyed, table);
  return absl::StrFormat("%s at level %d: %d x %d cells of %g m from vertex (%d, %d) on\n",
                         surveyed.world.name, arguments.level, arguments.size, arguments.size,
                         surveyed.CellSizeM(), arguments.x0, arguments.y0) +
         table.Take();
}

std::string Json(const std::optional<double>& value) { return value ? JsonNumber(*value) : "null"; }

std::string MillimetresJson(const std::optional<double>& metres) {
  return metres ? JsonNumber(*metres * kMmPerM) : "null";
}

std::string Json(const survey::CellShare& share) {
  return absl::StrCat("{\"all\":", JsonNumber(share.all),
                      ",\"outside_lakes\":", JsonNumber(share.outside_lakes), "}");
}

std::string SlopesJson(const survey::Slopes& slopes) {
  std::string json = "{";
  for (std::size_t i = 0; i < survey::kSlopePercentiles.size(); ++i) {
    absl::StrAppend(&json, i == 0 ? "" : ",", "\"p", survey::kSlopePercentiles[i],
                    "\":", JsonNumber(slopes.percentiles_deg[i]));
  }
  return json + "}";
}

std::string LakesJson(const std::optional<survey::Lakes>& lakes) {
  if (!lakes) return "null";
  return absl::StrCat("{\"count\":", lakes->count,
                      ",\"largest_spread_mm\":", JsonNumber(lakes->largest_spread_m * kMmPerM),
                      "}");
}

std::string HortonJson(const std::optional<survey::HortonRatios>& horton) {
  if (!horton) return "null";
  return absl::StrCat("{\"orders\":", horton->orders,
                      ",\"bifurcation\":", JsonNumber(horton->bifurcation),
                      ",\"length\":", JsonNumber(horton->length), "}");
}

std::string DirectionsJson(const std::optional<std::array<double, 4>>& power) {
  if (!power) return "null";
  return absl::StrCat("{\"0\":", JsonNumber((*power)[0]), ",\"45\":", JsonNumber((*power)[1]),
                      ",\"90\":", JsonNumber((*power)[2]), ",\"135\":", JsonNumber((*power)[3]),
                      "}");
}

std::string ParentJson(const std::optional<survey::ParentDifference>& difference,
                       double cell_size_m) {
  if (!difference) return "null";
  return absl::StrCat("{\"rms_cells\":", JsonNumber(difference->rms_m / cell_size_m),
                      ",\"max_cells\":", JsonNumber(difference->max_m / cell_size_m), "}");
}

std::string JsonText(const Surveyed& surveyed) {
  const SurveyArguments& arguments = surveyed.arguments;
  const survey::Report& report = surveyed.report;
  const survey::MassBalance& balance = report.mass_balance;
  return absl::StrCat(
      "{\"world\":", JsonString(surveyed.world.name),
      ",\"world_id\":", JsonString(surveyed.world.id), ",\"level\":", arguments.level,
      ",\"x0\":", arguments.x0, ",\"y0\":", arguments.y0, ",\"size\":", arguments.size,
      ",\"cell_size_m\":", JsonNumber(surveyed.CellSizeM()),
      ",\"height_m\":{\"min\":", JsonNumber(report.hypsometry.min_m),
      ",\"max\":", JsonNumber(report.hypsometry.max_m),
      ",\"mean\":", JsonNumber(report.hypsometry.mean_m),
      "},\"hypsometric_integral\":", Json(report.hypsometry.integral),
      ",\"slope_deg\":", SlopesJson(report.slopes), ",\"talus_deg\":", Json(surveyed.TalusDeg()),
      ",\"over_talus\":", Json(report.slopes.over_talus),
      ",\"over_talus_by_5_deg\":", Json(report.slopes.far_over_talus),
      ",\"pits\":", Json(report.pits), ",\"depressions\":", Json(report.depressions),
      ",\"standing_water\":", JsonNumber(report.wet_share), ",\"lakes\":", LakesJson(report.lakes),
      ",\"concavity\":", Json(report.concavity), ",\"hack_exponent\":", Json(report.hack_exponent),
      ",\"horton\":", HortonJson(report.horton),
      ",\"spectral_slope\":", Json(report.spectral_slope),
      ",\"directional_power\":", DirectionsJson(report.directional_power),
      ",\"parent_difference\":", ParentJson(report.parent_difference, surveyed.CellSizeM()),
      ",\"mass_balance_mm\":{\"height_change\":", MillimetresJson(balance.height_change_m),
      ",\"wash_load\":", MillimetresJson(balance.wash_load_m),
      ",\"uplift\":", MillimetresJson(balance.uplift_m), "}}\n");
}

}  // namespace

std::string SurveyText(const SurveyArguments& arguments, const WorldInfo& world,
                       const survey::Report& report, bool json) {
  const Surveyed surveyed{arguments, world, report};
  return json ? JsonText(surveyed) : TableText(surveyed);
}

}  // namespace thalweg::cli
