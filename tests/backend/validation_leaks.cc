// Leaks of Khronos' validation layer are its own: Debian's (1.3.239) keeps some of what it tracks
// for each command buffer. Only built with AddressSanitizer, whose report would make every test
// fail that has the layer watch it.
#include <dlfcn.h>

// Without a module, which is gone once the layer is unloaded, a leak can't be distinguished from
// ours.
[[maybe_unused]] static void* const kept =
    dlopen("libVkLayer_khronos_validation.so", RTLD_NOW | RTLD_NODELETE);

extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libVkLayer_khronos_validation.so\n";
}
