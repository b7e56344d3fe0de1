/* SPDX-License-Identifier: Apache-2.0 */

/* Flies over a world with libthalweg's C interface: fly_c HOST:PORT WORLD [FRAMES [CA]]
 *
 * CA is a PEM file with the roots of the server's certificate: the connection is encrypted then.
 * The environment's THALWEG_TOKEN is the token to show, if the server asks for one.
 *
 *   cc -std=c11 main.c $(pkg-config --cflags --libs thalweg) -o fly_c */
#include <stdio.h>
#include <stdlib.h>

#include "thalweg/thalweg.h"

static int fail(const char* what) {
  fprintf(stderr, "fly_c: %s: %s\n", what, thalweg_error());
  return 1;
}

/* The text of a file, NULL if it can't be read; the caller's to free. */
static char* read_text(const char* path) {
  FILE* file = fopen(path, "rb");
  char* text = NULL;
  long size = -1;
  if (file == NULL) return NULL;
  if (fseek(file, 0, SEEK_END) == 0) size = ftell(file);
  rewind(file);
  if (size >= 0) text = calloc((size_t)size + 1, 1);
  if (text != NULL && fread(text, 1, (size_t)size, file) != (size_t)size) {
    free(text);
    text = NULL;
  }
  fclose(file);
  return text;
}

/* Connects, encrypted if there is a file of roots. */
static int connect_to(const char* address, const char* ca, thalweg_client** client) {
  thalweg_client_options options = {.size = sizeof options};
  char* roots = NULL;
  thalweg_status status;
  if (ca != NULL) {
    roots = read_text(ca);
    if (roots == NULL) {
      perror(ca);
      return 1;
    }
  }
  options.root_certificates = roots;
  options.token = getenv("THALWEG_TOKEN");
  options.connect_timeout_ms = 5000;
  status = thalweg_client_open_with(address, &options, client);
  free(roots);
  return status == THALWEG_OK ? 0 : fail("connect");
}

/* A frame: what a renderer would remove and add, counted. */
static int frame(thalweg_view* view, thalweg_camera* camera, long* meshes, int* complete) {
  static int32_t heights[THALWEG_TILE_VALUES];
  const thalweg_changes* changes = NULL;
  double ground = 0;
  size_t n;
  if (thalweg_view_height_at(view, camera->position_m.east, camera->position_m.south, &ground) ==
      THALWEG_OK) {
    camera->position_m.up = ground + 300;
  }
  if (thalweg_view_set_camera(view, camera) != THALWEG_OK) return fail("set the camera");
  if (thalweg_view_update(view, &changes) != THALWEG_OK) return fail("update");
  *meshes -= (long)changes->removed_count;
  *meshes += (long)changes->added_count;
  for (n = 0; n < changes->added_count; ++n) {
    const thalweg_tile_key* key = &changes->added[n].tile.key;
    if (thalweg_view_stitched_heights(view, key, heights) != THALWEG_OK) return fail("stitch");
  }
  if ((size_t)*meshes != changes->drawn_count) {
    fprintf(stderr, "fly_c: %ld meshes for %zu tiles\n", *meshes, changes->drawn_count);
    return 1;
  }
  *complete += changes->complete;
  return 0;
}

int main(int argc, char** argv) {
  thalweg_client* client = NULL;
  thalweg_view* view = NULL;
  thalweg_camera camera;
  thalweg_statistics statistics;
  long meshes = 0;
  int complete = 0;
  int frames;
  int n;
  if (argc < 3) {
    fprintf(stderr, "usage: fly_c HOST:PORT WORLD [FRAMES [CA]]\n");
    return 2;
  }
  frames = argc > 3 ? atoi(argv[3]) : 300;
  if (connect_to(argv[1], argc > 4 ? argv[4] : NULL, &client) != 0) return 1;
  if (thalweg_view_open(client, argv[2], NULL, &view) != THALWEG_OK) return fail("open a view");
  thalweg_client_close(client);

  thalweg_camera_init(&camera);
  camera.position_m.up = 1000;
  camera.velocity_m_s.east = 100;
  camera.direction.east = 1;
  camera.direction.up = -0.2;
  camera.tolerated_error_px = 4;
  for (n = 0; n < frames; ++n) {
    if (frame(view, &camera, &meshes, &complete) != 0) return 1;
    thalweg_view_wait(view, 16);
    camera.position_m.east += 1.6;
  }
  thalweg_view_statistics(view, &statistics);
  printf("%d frames, %d complete, %ld tiles drawn, %llu tiles received\n", frames, complete, meshes,
         (unsigned long long)statistics.tiles_received);
  thalweg_view_close(view);
  return 0;
}
