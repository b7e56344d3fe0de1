/* SPDX-License-Identifier: Apache-2.0 */

/* The plain C interface of libthalweg, for engines and for other languages.
 *
 *   thalweg_client* client = NULL;
 *   thalweg_view* view = NULL;
 *   if (thalweg_client_open("127.0.0.1:7070", &client) != THALWEG_OK ||
 *       thalweg_view_open(client, "alpine", NULL, &view) != THALWEG_OK) {
 *     fprintf(stderr, "%s\n", thalweg_error());
 *   }
 *   while (running) {
 *     const thalweg_changes* changes;
 *     thalweg_view_set_camera(view, &camera);
 *     thalweg_view_update(view, &changes);
 *     ... remove, replace and add meshes as `changes` says, then draw ...
 *   }
 *   thalweg_view_close(view);
 *   thalweg_client_close(client);
 *
 * Functions that can fail return a thalweg_status. thalweg_error() then returns the reason, on the
 * same thread. Handles may be used from any thread, but only one thread at a time may call
 * thalweg_view_update and read its result. There are no callbacks. Initialise a struct with its
 * thalweg_*_init function, or set its size. New fields are added at the end; a struct without a
 * size gets new fields only in a new major version. */
/* NOLINTBEGIN: this is C. */
#ifndef THALWEG_THALWEG_H_
#define THALWEG_THALWEG_H_

#include <stddef.h>
#include <stdint.h>

#include "thalweg/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Vertices on a side of a tile, and their number. */
#define THALWEG_TILE_VERTICES 257
#define THALWEG_TILE_VALUES (257 * 257)

/* Status codes, with the numbers of gRPC. */
typedef enum thalweg_status {
  THALWEG_OK = 0,
  THALWEG_CANCELLED = 1,
  THALWEG_UNKNOWN = 2,
  THALWEG_INVALID_ARGUMENT = 3,
  THALWEG_DEADLINE_EXCEEDED = 4,
  THALWEG_NOT_FOUND = 5,
  THALWEG_PERMISSION_DENIED = 7,
  THALWEG_RESOURCE_EXHAUSTED = 8,
  THALWEG_FAILED_PRECONDITION = 9,
  THALWEG_OUT_OF_RANGE = 11,
  THALWEG_UNIMPLEMENTED = 12,
  THALWEG_INTERNAL = 13,
  THALWEG_UNAVAILABLE = 14,
  THALWEG_DATA_LOSS = 15,
  THALWEG_UNAUTHENTICATED = 16
} thalweg_status;

/* Returns why the last function on this thread failed, in one line; empty if it succeeded. Valid
 * until the next call on this thread. */
THALWEG_API const char* thalweg_error(void);

/* Returns the library's version, such as "0.1.0". */
THALWEG_API const char* thalweg_version(void);

/* A connection to a server, and the terrain around a camera. */
typedef struct thalweg_client thalweg_client;
typedef struct thalweg_view thalweg_view;

/* Connects to HOST:PORT: not encrypted, without a token. */
THALWEG_API thalweg_status thalweg_client_open(const char* address, thalweg_client** client);

/* How to connect and how long to wait: see ClientOptions of client.h and TlsOptions of tls.h. 0 and
 * NULL stand for the defaults, so set only the size and what differs:
 *
 *   thalweg_client_options options = {.size = sizeof options};
 *   options.root_certificates = pem;
 *   options.token = getenv("THALWEG_TOKEN");
 *
 * Texts are copied. The size says which fields the program knows, so it also runs with newer
 * libraries. */
typedef struct thalweg_client_options {
  /* sizeof(thalweg_client_options) */
  size_t size;
  /* Not 0: the connection is encrypted. The next four fields imply it. */
  int32_t tls;
  /* Not 0: the token may be sent unencrypted to another machine. */
  int32_t token_in_clear;
  /* PEM texts, not paths: the roots that the server's certificate must come from (NULL: the
   * system's), and this client's own certificate and key, for servers that ask for one. */
  const char* root_certificates;
  const char* certificate;
  const char* key;
  /* The name in the server's certificate; NULL: the host of the address. */
  const char* server_name;
  /* The token; NULL: none. */
  const char* token;
  /* Max time to wait for a server (default 2 s), for the answer to a call (60 s), and for the next
   * message of a stream or session (120 s). */
  uint32_t connect_timeout_ms;
  uint32_t call_timeout_ms;
  uint32_t stream_timeout_ms;
  /* The longest delay that a server may ask for with RESOURCE_EXHAUSTED (60 s). */
  uint32_t max_retry_delay_ms;
  /* Max attempts of a call while the server answers UNAVAILABLE or RESOURCE_EXHAUSTED (5). */
  int32_t max_attempts;
} thalweg_client_options;

/* Connects to HOST:PORT with these options; NULL: the defaults. INVALID_ARGUMENT for options that
 * contradict each other. UNAVAILABLE if no server answers in time, or if one side refuses the
 * other's certificate. A wrong token is UNAUTHENTICATED at the first call. */
THALWEG_API thalweg_status thalweg_client_open_with(const char* address,
                                                    const thalweg_client_options* options,
                                                    thalweg_client** client);

/* Closes a connection. Its views stay usable. NULL is ignored. */
THALWEG_API void thalweg_client_close(thalweg_client* client);

/* Writes the exact height of the ground at `count` points to `heights`, in 1/65,536 m: bilinear
 * between the level's vertices. `east_south_m` has two values for each point, in metres: east, then
 * south. */
THALWEG_API thalweg_status thalweg_client_sample_heights(thalweg_client* client, const char* world,
                                                         int32_t level, const double* east_south_m,
                                                         size_t count, int32_t* heights);

/* The same on a planet. `lat_long_deg` has two values for each point, in degrees: latitude, then
 * longitude. */
THALWEG_API thalweg_status thalweg_client_sample_planet_heights(thalweg_client* client,
                                                                const char* world, int32_t level,
                                                                const double* lat_long_deg,
                                                                size_t count, int32_t* heights);

/* A point, direction or velocity on a plane, in metres. */
typedef struct thalweg_vector {
  double east;
  double south;
  double up;
} thalweg_vector;

/* See Camera of camera.h. */
typedef struct thalweg_camera {
  thalweg_vector position_m;
  thalweg_vector velocity_m_s;
  thalweg_vector direction;
  double vertical_fov_deg;
  double aspect;
  double tolerated_error_px;
  double range_m;
  int32_t viewport_height_px;
} thalweg_camera;

/* Sets the defaults: at the origin, looking north, 60 degrees, 1,080 pixels, 60 km. */
THALWEG_API void thalweg_camera_init(thalweg_camera* camera);

/* See TerrainViewOptions of terrain_view.h. */
typedef struct thalweg_view_options {
  uint64_t memory_bytes;
  /* NULL: nothing is kept on disk. */
  const char* cache_folder;
  uint64_t cache_bytes;
  double lookahead_s;
  uint64_t credit_bytes;
  uint32_t credit_tiles;
} thalweg_view_options;

/* Sets the defaults. */
THALWEG_API void thalweg_view_options_init(thalweg_view_options* options);

/* Starts to fetch the terrain around a camera. NULL options: the defaults. The errors are those of
 * TerrainView::Open. */
THALWEG_API thalweg_status thalweg_view_open(thalweg_client* client, const char* world,
                                             const thalweg_view_options* options,
                                             thalweg_view** view);

/* Closes a view. NULL is ignored. */
THALWEG_API void thalweg_view_close(thalweg_view* view);

/* Moves the camera over a plane. INVALID_ARGUMENT for a field out of range; the camera then stays.
 */
THALWEG_API thalweg_status thalweg_view_set_camera(thalweg_view* view,
                                                   const thalweg_camera* camera);

/* Returns the planet's radius in metres; 0 for a plane. */
THALWEG_API double thalweg_view_radius(thalweg_view* view);

/* A point or a direction in space around a planet; see planet.h. */
typedef struct thalweg_space_vector {
  double x;
  double y;
  double z;
} thalweg_space_vector;

/* See SpacePose of camera.h. */
typedef struct thalweg_space_pose {
  thalweg_space_vector position_m;
  thalweg_space_vector velocity_m_s;
  thalweg_space_vector direction;
} thalweg_space_pose;

/* Moves the camera over a planet. The pose replaces the camera's position, velocity and direction.
 */
THALWEG_API thalweg_status thalweg_view_set_space_camera(thalweg_view* view,
                                                         const thalweg_camera* camera,
                                                         const thalweg_space_pose* pose);

/* A tile's level, column and row: see TileKey of tile.h. */
typedef struct thalweg_tile_key {
  /* The face of the surface: 0 to 5 on a planet; a plane has face 0 only. */
  int32_t face;
  int32_t level;
  int64_t x;
  int64_t y;
} thalweg_tile_key;

/* A tile to draw. */
typedef struct thalweg_tile {
  thalweg_tile_key key;
  /* The spacing of its vertices; the first one is at east = x * 256 * cell_size_m. On a planet this
   * is the mean, and thalweg_planet_tile_vertices gives the positions. */
  double cell_size_m;
  /* 257 x 257 heights in 1/65,536 m, rows from north to south, not stitched. Valid while the tile
   * is drawn and until the update after that. */
  const int32_t* heights;
  int32_t min_height;
  int32_t max_height;
  /* Max vertical distance from its parent's surface, in 1/65,536 m: a skirt of this depth hides
   * cracks. */
  uint32_t geometric_error;
  /* Bit n: a tile one level coarser is drawn at side n (north-west, north, north-east, west, east,
   * south-west, south, south-east). thalweg_view_stitched_heights follows that tile's border. */
  uint32_t coarser_sides;
} thalweg_tile;

/* Why a tile is added or removed. */
typedef enum thalweg_reason {
  /* Ground that was not drawn before, or that is no longer drawn. */
  THALWEG_RANGE = 0,
  /* Finer tiles replace a coarser one, all in the same update. */
  THALWEG_REFINED = 1,
  /* A coarser tile replaces finer ones. */
  THALWEG_COARSENED = 2
} thalweg_reason;

/* A tile that is drawn from now on. */
typedef struct thalweg_added_tile {
  thalweg_tile tile;
  thalweg_reason reason;
} thalweg_added_tile;

/* A tile that is no longer drawn. */
typedef struct thalweg_removed_tile {
  thalweg_tile_key key;
  thalweg_reason reason;
} thalweg_removed_tile;

/* The changes of a frame. Apply all of them before you draw it. */
typedef struct thalweg_changes {
  const thalweg_removed_tile* removed;
  size_t removed_count;
  const thalweg_added_tile* added;
  size_t added_count;
  /* Tiles that stay, and whose borders must be stitched again. */
  const thalweg_tile* restitched;
  size_t restitched_count;
  /* All tiles to draw, including the added ones. */
  const thalweg_tile* drawn;
  size_t drawn_count;
  /* Whether all ground within range is covered, and whether it is as fine as the camera asks for.
   */
  int32_t complete;
  int32_t finest;
} thalweg_changes;

/* Switches to the newest set of tiles. The changes belong to the view and are valid until the next
 * update. */
THALWEG_API thalweg_status thalweg_view_update(thalweg_view* view, const thalweg_changes** changes);

/* Waits up to the timeout until an update may have changes. Returns 1 if it may, else 0. */
THALWEG_API int32_t thalweg_view_wait(thalweg_view* view, uint32_t timeout_ms);

/* Writes the 257 x 257 heights of a drawn tile. Its border follows coarser neighbours. NOT_FOUND
 * for a tile that is not drawn. */
THALWEG_API thalweg_status thalweg_view_stitched_heights(thalweg_view* view,
                                                         const thalweg_tile_key* key,
                                                         int32_t* heights);

/* Writes the height of the ground in metres, on the finest tile in memory. NOT_FOUND where no tile
 * is in memory. */
THALWEG_API thalweg_status thalweg_view_height_at(thalweg_view* view, double east_m, double south_m,
                                                  double* height_m);

/* The same on a planet. */
THALWEG_API thalweg_status thalweg_view_planet_height_at(thalweg_view* view, double latitude_deg,
                                                         double longitude_deg, double* height_m);

/* Writes where a ray first meets the ground of a plane. NOT_FOUND if it meets no ground. */
THALWEG_API thalweg_status thalweg_view_cast_ray(thalweg_view* view, const thalweg_vector* origin_m,
                                                 const thalweg_vector* direction,
                                                 double max_distance_m, thalweg_vector* hit_m);

/* The same over a planet, in metres from its middle. */
THALWEG_API thalweg_status thalweg_view_cast_space_ray(thalweg_view* view,
                                                       const thalweg_space_vector* origin_m,
                                                       const thalweg_space_vector* direction,
                                                       double max_distance_m,
                                                       thalweg_space_vector* hit_m);

/* Writes the point above a place, at a distance in metres from the planet's middle; and the place
 * below a point. */
THALWEG_API void thalweg_planet_point(double latitude_deg, double longitude_deg,
                                      double from_middle_m, thalweg_space_vector* point_m);
THALWEG_API void thalweg_planet_place(const thalweg_space_vector* point_m, double* latitude_deg,
                                      double* longitude_deg);

/* Writes the up, north and east directions at a point, each of length 1. */
THALWEG_API void thalweg_planet_compass(const thalweg_space_vector* point_m,
                                        thalweg_space_vector* up, thalweg_space_vector* north,
                                        thalweg_space_vector* east);

/* Writes the vertices of a planet's tile from its 257 x 257 heights: its origin in space, and 257 x
 * 257 x 3 floats each for positions from there, upward directions and normals (see TileVertices of
 * planet.h). Any of these three may be NULL. OUT_OF_RANGE for a key that no planet has. */
THALWEG_API thalweg_status thalweg_planet_tile_vertices(const thalweg_tile_key* key,
                                                        double radius_m, const int32_t* heights,
                                                        thalweg_space_vector* origin_m,
                                                        float* positions_m, float* ups,
                                                        float* normals);

/* See TerrainStatistics of terrain_view.h. */
typedef struct thalweg_statistics {
  int32_t connected;
  uint64_t reconnects;
  uint64_t tiles_received;
  uint64_t wire_bytes;
  uint64_t tiles_unchanged;
  uint64_t tiles_failed;
  uint64_t disk_reads;
  uint64_t disk_writes;
  uint64_t disk_corrupt;
  uint64_t tiles_in_memory;
  uint64_t memory_bytes;
  uint64_t tiles_wanted;
  uint64_t tiles_missing;
  double tolerance_scale;
  /* Tiles that the picture needed, and how many of these had arrived before they were needed. */
  uint64_t tiles_needed;
  uint64_t tiles_in_time;
} thalweg_statistics;

/* Reads the view's counts. */
THALWEG_API void thalweg_view_statistics(thalweg_view* view, thalweg_statistics* statistics);

/* OK while the view is connected or tries to connect. Otherwise the error that made it give up. */
THALWEG_API thalweg_status thalweg_view_status(thalweg_view* view);

#ifdef __cplusplus
}
#endif

#endif /* THALWEG_THALWEG_H_ */
/* NOLINTEND */
