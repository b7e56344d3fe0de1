#include "client/tools/raster/gdal.h"

#include <dlfcn.h>

#include "proto/base/whole_file.h"

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
#include "client/tools/raster/gdal_functions.inc"
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
      "GDAL is not installed, and files of this kind need it (Debian: gdal-bin; deploy/packages "
      "gdal)");
}

Dataset CreateInMemory(const Gdal& gdal, int width, int height, int type) {
  void* const driver = gdal.GetDriverByName("MEM");
  void* const dataset =
      driver == nullptr ? nullptr : gdal.Create(driver, "", width, height, 1, type, nullptr);
  return Dataset(dataset, CloseDataset{&gdal});
}

QuietErrors::QuietErrors(const Gdal& gdal) : gdal_(gdal) {
  gdal_.PushErrorHandler(gdal_.QuietErrorHandler);
  gdal_.ErrorReset();
}

QuietErrors::~QuietErrors() { gdal_.PopErrorHandler(); }

bool QuietErrors::Failed() const {
  constexpr int kFailure = 3;  // CE_Failure
  return gdal_.GetLastErrorType() >= kFailure;
}

std::string QuietErrors::Last() const { return gdal_.GetLastErrorMsg(); }

absl::Status CloseWritten(const Gdal& gdal, void* dataset, const std::string& path,
                          const std::string& shown) {
  const QuietErrors errors(gdal);
  gdal.Close(dataset);
  if (errors.Failed()) {
    return absl::UnknownError(absl::StrCat("write '", shown, "': ", errors.Last()));
  }
  return files::Sync(path, shown);
}

}  // namespace thalweg::raster_file
