/* SPDX-License-Identifier: Apache-2.0 */

/* The visibility of the library's symbols. For C and C++.
 *
 * A program that uses the shared library defines nothing. A program that links a static library
 * defines THALWEG_STATIC. The build of the shared library defines THALWEG_BUILDING. Both matter
 * only on Windows, where a DLL exports symbols and programs import them. */
/* NOLINTBEGIN: this is C. */
#ifndef THALWEG_EXPORT_H_
#define THALWEG_EXPORT_H_

#ifndef THALWEG_API
#if defined(_WIN32) || defined(__CYGWIN__)
#if defined(THALWEG_STATIC)
#define THALWEG_API
#elif defined(THALWEG_BUILDING)
#define THALWEG_API __declspec(dllexport)
#else
#define THALWEG_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define THALWEG_API __attribute__((visibility("default")))
#else
#define THALWEG_API
#endif
#endif

/* Hides a member of a visible class. */
#if defined(__GNUC__) && !defined(_WIN32) && !defined(__CYGWIN__)
#define THALWEG_HIDDEN __attribute__((visibility("hidden")))
#else
#define THALWEG_HIDDEN
#endif

#endif /* THALWEG_EXPORT_H_ */
/* NOLINTEND */
