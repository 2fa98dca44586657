#include <stddef.h>
#include <string.h>

/* The example of the 2017 document: z[0][0] = x[1] + y[1][0], for y of 128 columns there, of 3 here. */
void myfunc(void *out, const void **in) {
  const float *x = in[0], *y = in[1];
  float(*z)[3] = out;
  z[0][0] = x[1] + y[1 * 3];
}

/* ((s32[2], f32[]), s32[]) -> (s32[], (f32[], s32[2])) */
void tuples(void *out, const void **in) {
  const void *const *pair = in[0];
  const int *a = pair[0], *c = in[1];
  const float *b = pair[1];
  void *const *result = out, *const *inner = result[1];
  *(int *)result[0] = a[0] + a[1];
  *(float *)inner[0] = *b * 2;
  ((int *)inner[1])[0] = *c;
  ((int *)inner[1])[1] = -*c;
}

/* Fails on a negative number. */
void checked(void *out, const void **in, void *status) {
  *(int *)out = *(const int *)in[0];
  if (*(const int *)in[0] < 0) memset(status, 1, 40);
}

/* The number of bytes of the configuration. */
void length(void *out, const void **in, const char *opaque, size_t opaque_len, void *status) {
  (void)in, (void)status;
  *(int *)out = (int)opaque_len + (opaque_len ? opaque[0] : 0);
}
