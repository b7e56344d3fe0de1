#include "client/raster/gdal.h"

#include <dlfcn.h>

#include <string>

#include "absl/strings/str_cat.h"

namespace thalweg::raster_file {
namespace {

// Sonames of GDAL 3.1 to 3.20; Debian 12 has 32, Debian 13 has 36.
constexpr int kOldestSoname = 27;
constexpr int kNewestSoname = 46;

void* OpenLibrary() {
  for (int version = kNewestSoname; version >= kOldestSoname; --version) {
    const std::string name = absl::StrCat("libgdal.so.", version);
    if (void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

template <typename Function>
bool Find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

bool FindAll(void* library, Gdal& gdal) {
#define THALWEG_GDAL_FUNCTION(name, symbol, result, parameters) \
  if (!Find(library, #symbol, gdal.name)) return false;
#include "client/raster/gdal_functions.inc"
#undef THALWEG_GDAL_FUNCTION
  return true;
}

}  // namespace

absl::StatusOr<const Gdal*> Gdal::Load() {
  static Gdal gdal{};
  static const bool found = [] {
    // The library stays open: GDAL registers objects that must live as long as the program.
    void* const library = OpenLibrary();
    return library != nullptr && FindAll(library, gdal);
  }();
  if (found) return &gdal;
  return absl::FailedPreconditionError(
      "read or write a raster: expected GDAL on this machine, got none: install it (Debian: "
      "gdal-bin)");
}

Dataset CreateInMemory(const Gdal& gdal, int width, int height, int type) {
  void* const driver = gdal.GetDriverByName("MEM");
  void* const dataset =
      driver == nullptr ? nullptr : gdal.Create(driver, "", width, height, 1, type, nullptr);
  return Dataset(dataset, CloseDataset{&gdal});
}

}  // namespace thalweg::raster_file
