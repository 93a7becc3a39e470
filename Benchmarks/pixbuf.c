// gdk-pixbuf at its best, as a C program would use it: the yardstick for decoding.
//
//   pixbuf [-j THREADS] FILE...
//
// One FILE: prints the nanoseconds of reading, decoding and averaging it, and the mean.
// Several: works through them on THREADS threads, and prints the nanoseconds that they took.
//
// JPEGs are decoded at the smallest of 1/8, 1/4 and 1/2 that leaves 480 pixels, progressive ones at
// 1/8 from their DC scans alone; every file is written to its loader at once.

#define _GNU_SOURCE
#include <fcntl.h>
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SAMPLE = 480, SMALLEST_SCALED = 512, SMALLEST_SIDE = 64 };

typedef struct {
    int64_t read, decode, average;
    double color[3];
} Result;

static char **files;
static int file_count;
static atomic_int next_file;

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void fail(const char *path, const char *what) {
    fprintf(stderr, "pixbuf: %s: %s\n", path, what);
    exit(1);
}

static uint8_t *read_whole(const char *path, size_t *length) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (fd < 0 || fstat(fd, &status)) fail(path, "cannot be opened");
    uint8_t *bytes = malloc((size_t)status.st_size);
    for (*length = 0; *length < (size_t)status.st_size;) {
        ssize_t count = read(fd, bytes + *length, (size_t)status.st_size - *length);
        if (count <= 0) fail(path, "cannot be read");
        *length += (size_t)count;
    }
    close(fd);
    return bytes;
}

static const char *module(const uint8_t *bytes, size_t length) {
    if (length < 12) return NULL;
    if (!memcmp(bytes, "\xff\xd8\xff", 3)) return "jpeg";
    if (!memcmp(bytes, "\x89PNG", 4)) return "png";
    if (!memcmp(bytes, "GIF8", 4)) return "gif";
    if (!memcmp(bytes + 8, "WEBP", 4)) return "webp";
    if (!memcmp(bytes + 4, "ftypavif", 8)) return "avif";
    return NULL;
}

// Which scale JPEG's size asks for; the sample must keep its pixels.
static int jpeg_scale(int width, int height) {
    int longer = MAX(width, height);
    if (longer < SMALLEST_SCALED) return 1;
    for (int scale = 8; scale > 1; scale /= 2) {
        int smaller = MIN(width, height);
        if ((longer + scale - 1) / scale >= SAMPLE && smaller >= SMALLEST_SIDE * scale) return scale;
    }
    return 1;
}

static void prepare(GdkPixbufLoader *loader, int width, int height, gpointer scale) {
    int *wanted = scale;
    int by = *wanted < 0 ? jpeg_scale(width, height) : 1;
    *wanted = by;
    if (by > 1) gdk_pixbuf_loader_set_size(loader, (width + by - 1) / by, (height + by - 1) / by);
}

static const uint8_t *next_marker(const uint8_t *at, const uint8_t *end) {
    while ((at = memchr(at, 0xFF, (size_t)(end - at))) && at + 1 < end) {
        if (at[1] != 0 && at[1] != 0xFF && (at[1] & 0xF8) != 0xD0) return at;
        at++;
    }
    return end;
}

// Leaves a progressive JPEG's headers and its scans of first coefficients, with an end marker.
// Returns 0 where the picture is not one, or not large enough to be decoded at an eighth.
static size_t only_first_coefficients(const uint8_t *bytes, size_t length, uint8_t *kept) {
    const uint8_t *at = bytes + 2, *end = bytes + length;
    size_t count = 2;
    int progressive = 0;
    memcpy(kept, bytes, 2);
    while (at + 4 <= end && at[0] == 0xFF && at[1] != 0xD9) {
        size_t segment = 2 + ((size_t)at[2] << 8 | at[3]);
        const uint8_t *past = at + segment;
        if (past > end) return 0;
        if (at[1] >= 0xC0 && at[1] <= 0xC2) {
            if (at[1] != 0xC2 || jpeg_scale(at[7] << 8 | at[8], at[5] << 8 | at[6]) != 8) return 0;
            progressive = 1;
        }
        if (at[1] == 0xDA) {
            const uint8_t *data = past;
            past = next_marker(data, end);
            // The last three bytes of a scan's header: first and last coefficient, and bits.
            if (data[-2] != 0) { at = past; continue; }
        }
        memcpy(kept + count, at, (size_t)(past - at));
        count += (size_t)(past - at);
        at = past;
    }
    if (!progressive) return 0;
    memcpy(kept + count, "\xff\xd9", 2);
    return count + 2;
}

// The mean of the pixels, each by its alpha; the last column and row by what is in the picture.
static void average(GdkPixbuf *pixbuf, int scale, int width, int height, double color[3]) {
    int columns = gdk_pixbuf_get_width(pixbuf), rows = gdk_pixbuf_get_height(pixbuf);
    int channels = gdk_pixbuf_get_n_channels(pixbuf), stride = gdk_pixbuf_get_rowstride(pixbuf);
    const uint8_t *pixels = gdk_pixbuf_read_pixels(pixbuf);
    double last_column = (double)(width - (columns - 1) * scale) / scale;
    double last_row = (double)(height - (rows - 1) * scale) / scale;
    double sums[4] = {0};
    for (int y = 0; y < rows; y++) {
        const uint8_t *p = pixels + (size_t)y * (size_t)stride;
        uint64_t row[4] = {0};
        double edge[4];
        if (channels == 4) {
            for (int x = 0; x < columns - 1; x++, p += 4) {
                for (int c = 0; c < 3; c++) row[c] += (uint32_t)p[c] * p[3];
                row[3] += p[3];
            }
        } else {
            uint32_t r = 0, g = 0, b = 0;
            for (int x = 0; x < columns - 1; x++, p += 3) r += p[0], g += p[1], b += p[2];
            row[0] = r, row[1] = g, row[2] = b, row[3] = (uint64_t)columns - 1;
        }
        uint32_t alpha = channels == 4 ? p[3] : 1;
        for (int c = 0; c < 3; c++) edge[c] = p[c] * alpha;
        edge[3] = alpha;
        double weight = y == rows - 1 ? last_row : 1;
        for (int c = 0; c < 4; c++) sums[c] += weight * ((double)row[c] + last_column * edge[c]);
    }
    for (int c = 0; c < 3; c++) color[c] = sums[3] > 0 ? sums[c] / sums[3] : 0;
}

static Result measure(const char *path) {
    Result result;
    int64_t start = now();
    size_t length, fed;
    uint8_t *bytes = read_whole(path, &length), *kept = NULL;
    const char *name = module(bytes, length);
    if (!name) fail(path, "of a format that is not measured");
    int64_t has_read = now();
    int is_jpeg = !strcmp(name, "jpeg"), scale = is_jpeg ? -1 : 1;
    GdkPixbufLoader *loader = gdk_pixbuf_loader_new_with_type(name, NULL);
    if (!loader) fail(path, "has no loader");
    g_signal_connect(loader, "size-prepared", G_CALLBACK(prepare), &scale);
    fed = length;
    if (is_jpeg) {
        kept = malloc(length + 2);
        fed = only_first_coefficients(bytes, length, kept);
    }
    int cut = is_jpeg && fed > 0;
    if (!gdk_pixbuf_loader_write(loader, cut ? kept : bytes, cut ? fed : length, NULL)
        || !gdk_pixbuf_loader_close(loader, NULL)) fail(path, "cannot be decoded");
    GdkPixbuf *pixbuf = gdk_pixbuf_loader_get_pixbuf(loader);
    if (!pixbuf) {
        GdkPixbufAnimation *animation = gdk_pixbuf_loader_get_animation(loader);
        pixbuf = animation ? gdk_pixbuf_animation_get_static_image(animation) : NULL;
        if (!pixbuf) fail(path, "has no pixels");
    }
    int64_t has_decoded = now();
    int columns = gdk_pixbuf_get_width(pixbuf), rows = gdk_pixbuf_get_height(pixbuf);
    int width = columns * scale, height = rows * scale;
    if (is_jpeg && scale > 1) {
        // The size as stated stands in the frame header.
        for (const uint8_t *at = bytes + 2; at + 9 < bytes + length;
             at += 2 + ((size_t)at[2] << 8 | at[3])) {
            if (at[1] < 0xC0 || at[1] > 0xC2) continue;
            height = at[5] << 8 | at[6];
            width = at[7] << 8 | at[8];
            break;
        }
    }
    average(pixbuf, scale, width, height, result.color);
    result.read = has_read - start;
    result.decode = has_decoded - has_read;
    result.average = now() - has_decoded;
    g_object_unref(loader);
    free(bytes);
    free(kept);
    return result;
}

static void *work(void *unused) {
    (void)unused;
    for (int i; (i = atomic_fetch_add(&next_file, 1)) < file_count;) measure(files[i]);
    return NULL;
}

int main(int argc, char **argv) {
    int threads = 1, first = 1;
    if (argc > 2 && !strcmp(argv[1], "-j")) threads = atoi(argv[2]), first = 3;
    if (first >= argc || threads < 1 || threads > 64) {
        return fprintf(stderr, "usage: pixbuf [-j THREADS] FILE...\n"), 2;
    }
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    files = argv + first;
    file_count = argc - first;
    if (file_count == 1) {
        // Loading the module is no part of the decoding.
        size_t length;
        uint8_t *bytes = read_whole(files[0], &length);
        GdkPixbufLoader *loader = gdk_pixbuf_loader_new_with_type(module(bytes, length), NULL);
        if (loader) gdk_pixbuf_loader_close(loader, NULL), g_object_unref(loader);
        free(bytes);
        Result r = measure(files[0]);
        printf("%lld %lld %lld %.3f %.3f %.3f\n", (long long)r.read, (long long)r.decode,
               (long long)r.average, r.color[0], r.color[1], r.color[2]);
        return 0;
    }
    int64_t start = now();
    pthread_t others[64];
    for (int i = 1; i < threads; i++) pthread_create(&others[i], NULL, work, NULL);
    work(NULL);
    for (int i = 1; i < threads; i++) pthread_join(others[i], NULL);
    printf("%lld\n", (long long)(now() - start));
    return 0;
}
