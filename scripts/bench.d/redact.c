/*
 * redact: a redactor on Hyperscan or Vectorscan, as a yardstick for throughput.
 *
 * usage: redact PATTERNS <INPUT >OUTPUT
 *
 * PATTERNS holds one expression a line behind its kind: "l" a literal secret,
 * "a" an anchor, "i" an anchor in which case does not matter. A literal is
 * replaced, and behind an anchor every run of at least 16 characters of a token.
 * Text is scanned in blocks that end at a line's end; what spans two lines or
 * comes in another form is not found. It is not a redactor to rely on.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hs/hs.h>

enum { BLOCK = 256 << 10, MAX_PATTERNS = 4096, MIN_TOKEN = 16 };

static const char marker[] = "[REDACTED]";
static unsigned literal_length[MAX_PATTERNS]; /* 0 for an anchor */
static char token[256];                       /* the bytes that a token is made of */
static char *text, *out;
static size_t text_len, out_len, taken;       /* taken: input up to here is in out */

static void die(const char *what) {
  fprintf(stderr, "redact: %s\n", what);
  exit(1);
}

static void write_all(const char *p, size_t n) {
  while (n > 0) {
    ssize_t w = write(1, p, n);
    if (w < 0 && errno == EINTR) continue;
    if (w < 0) die("write");
    p += w;
    n -= (size_t)w;
  }
}

static int found(unsigned id, unsigned long long from, unsigned long long to, unsigned flags, void *ctx) {
  size_t start = to, end = to;
  (void)from, (void)flags, (void)ctx;
  if (literal_length[id]) {
    start = to - literal_length[id];
  } else {
    while (end < text_len && token[(unsigned char)text[end]]) end++;
    if (end - start < MIN_TOKEN) return 0;
  }
  if (end <= taken) return 0;
  if (start < taken) start = taken;
  memcpy(out + out_len, text + taken, start - taken);
  out_len += start - taken;
  memcpy(out + out_len, marker, sizeof marker - 1);
  out_len += sizeof marker - 1;
  taken = end;
  return 0;
}

static hs_database_t *compile(const char *path) {
  static char *pattern[MAX_PATTERNS];
  static unsigned flags[MAX_PATTERNS], id[MAX_PATTERNS];
  static char line[4096];
  unsigned n = 0;
  FILE *f = fopen(path, "r");
  hs_compile_error_t *error;
  hs_database_t *db;
  if (!f) die("the patterns cannot be opened");
  for (; fgets(line, sizeof line, f); n++) {
    if (n == MAX_PATTERNS) die("too many patterns");
    line[strcspn(line, "\n")] = 0;
    pattern[n] = strdup(line + 2);
    id[n] = n;
    flags[n] = line[0] == 'i' ? HS_FLAG_CASELESS : 0;
    literal_length[n] = line[0] == 'l' ? (unsigned)strlen(line + 2) : 0;
  }
  fclose(f);
  if (hs_compile_multi((const char *const *)pattern, flags, id, n, HS_MODE_BLOCK, NULL, &db, &error) != HS_SUCCESS)
    die(error->message);
  return db;
}

int main(int argc, char **argv) {
  hs_scratch_t *scratch = NULL;
  hs_database_t *db;
  const char *p;
  size_t held = 0; /* of text, not scanned yet */
  ssize_t n;
  if (argc != 2) die("usage: redact PATTERNS");
  db = compile(argv[1]);
  for (p = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+/=."; *p; p++)
    token[(unsigned char)*p] = 1;
  text = malloc(BLOCK);
  out = malloc((size_t)BLOCK * sizeof marker);
  if (!text || !out || hs_alloc_scratch(db, &scratch) != HS_SUCCESS) die("out of memory");
  do {
    char *end;
    n = read(0, text + held, BLOCK - held);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) die("read");
    held += (size_t)n;
    end = memrchr(text, '\n', held);
    text_len = n > 0 && end ? (size_t)(end - text) + 1 : held;
    if (n > 0 && !end && held < BLOCK) continue;
    out_len = taken = 0;
    if (hs_scan(db, text, (unsigned)text_len, 0, scratch, found, NULL) != HS_SUCCESS) die("scan");
    if (taken == 0) { /* nothing found: no copy */
      write_all(text, text_len);
    } else {
      memcpy(out + out_len, text + taken, text_len - taken);
      write_all(out, out_len + text_len - taken);
    }
    held -= text_len;
    memmove(text, text + text_len, held);
  } while (n != 0);
  return 0;
}
