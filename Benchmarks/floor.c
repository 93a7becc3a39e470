// The floor: the mean of one picture by the codec libraries themselves, and by nothing else.
//
//   floor FILE
//
// Prints the nanoseconds from opening FILE to its mean, and the mean. Nothing here is fit for use:
// no color profile, no damaged or unusual file, no transparency.

#include <avif/avif.h>
#include <fcntl.h>
#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <webp/decode.h>

// After <stdio.h>, which it needs and does not include.
#include <jpeglib.h>

enum { SCALE = 8 };

static void fail(const char *what) {
    fprintf(stderr, "floor: %s\n", what);
    exit(1);
}

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

// The mean of a plane, or of every `step`th byte of interleaved ones.
static double mean(const uint8_t *plane, size_t width, size_t height, size_t stride, size_t step) {
    uint64_t sum = 0;
    for (size_t y = 0; y < height; y++) {
        const uint8_t *p = plane + y * stride;
        uint32_t row = 0;
        for (size_t x = 0; x < width; x++, p += step) row += *p;
        sum += row;
    }
    return (double)sum / (double)(width * height);
}

// A mean of luma and chroma is the mean of the colors, but for what is cut off at black and white.
static void from_luma(double y, double u, double v, int full_range, double color[3]) {
    double l = full_range ? y : (y - 16) * 255 / 219, by = full_range ? 1 : 255.0 / 224;
    u = (u - 128) * by, v = (v - 128) * by;
    color[0] = l + 1.402 * v;
    color[1] = l - 0.344136 * u - 0.714136 * v;
    color[2] = l + 1.772 * u;
}

// Hides all scans but those of first coefficients behind the end marker. Returns the new length.
static size_t cut_scans(uint8_t *bytes, size_t length) {
    size_t kept = 2, at = 2;
    while (at + 4 < length && bytes[at] == 0xFF && bytes[at + 1] != 0xD9) {
        size_t past = at + 2 + ((size_t)bytes[at + 2] << 8 | bytes[at + 3]);
        int drop = 0;
        if (bytes[at + 1] == 0xC0) return length;
        if (bytes[at + 1] == 0xDA) {
            drop = bytes[past - 2] != 0;
            while (past < length && (bytes[past] != 0xFF || bytes[past + 1] == 0)) past++;
        }
        if (!drop) memmove(bytes + kept, bytes + at, past - at), kept += past - at;
        at = past;
    }
    bytes[kept] = 0xFF, bytes[kept + 1] = 0xD9;
    return kept + 2;
}

static void jpeg(uint8_t *bytes, size_t length, double color[3]) {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    info.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, bytes, cut_scans(bytes, length));
    jpeg_read_header(&info, TRUE);
    info.scale_num = 1;
    info.scale_denom = SCALE;
    info.out_color_space = JCS_YCbCr;
    info.do_fancy_upsampling = FALSE;
    info.do_block_smoothing = FALSE;
    info.dct_method = JDCT_IFAST;
    jpeg_start_decompress(&info);
    size_t width = info.output_width, stride = width * 3;
    uint8_t *rows = malloc(stride * info.output_height);
    while (info.output_scanline < info.output_height) {
        JSAMPROW row = rows + stride * info.output_scanline;
        jpeg_read_scanlines(&info, &row, 1);
    }
    double planes[3];
    for (int c = 0; c < 3; c++) planes[c] = mean(rows + c, width, info.output_height, stride, 3);
    from_luma(planes[0], planes[1], planes[2], 1, color);
}

typedef struct {
    const uint8_t *at;
    size_t left;
} Source;

static void read_png(png_structp png, png_bytep to, size_t count) {
    Source *source = png_get_io_ptr(png);
    if (count > source->left) fail("the PNG ends early");
    memcpy(to, source->at, count);
    source->at += count;
    source->left -= count;
}

static void png(const uint8_t *bytes, size_t length, double color[3]) {
    png_structp reader = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(reader);
    Source source = {bytes, length};
    png_set_read_fn(reader, &source, read_png);
    png_set_crc_action(reader, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
    png_read_info(reader, info);
    size_t width = png_get_image_width(reader, info), height = png_get_image_height(reader, info);
    if (png_get_channels(reader, info) != 3) fail("not an opaque PNG of eight bits");
    uint8_t *row = malloc(3 * width);
    uint64_t sums[3] = {0};
    for (size_t y = 0; y < height; y++) {
        png_read_row(reader, row, NULL);
        uint32_t r = 0, g = 0, b = 0;
        for (size_t x = 0; x < 3 * width; x += 3) r += row[x], g += row[x + 1], b += row[x + 2];
        sums[0] += r, sums[1] += g, sums[2] += b;
    }
    for (int c = 0; c < 3; c++) color[c] = (double)sums[c] / (double)(width * height);
}

static void webp(const uint8_t *bytes, size_t length, double color[3]) {
    int width, height, stride, half_stride;
    uint8_t *u, *v;
    uint8_t *y = WebPDecodeYUV(bytes, length, &width, &height, &u, &v, &stride, &half_stride);
    if (!y) fail("the WebP cannot be decoded");
    size_t across = (size_t)(width + 1) / 2, down = (size_t)(height + 1) / 2;
    from_luma(mean(y, (size_t)width, (size_t)height, (size_t)stride, 1),
              mean(u, across, down, (size_t)half_stride, 1),
              mean(v, across, down, (size_t)half_stride, 1), 0, color);
}

static void avif(const uint8_t *bytes, size_t length, double color[3]) {
    avifDecoder *decoder = avifDecoderCreate();
    avifImage *image = avifImageCreateEmpty();
    decoder->codecChoice = AVIF_CODEC_CHOICE_DAV1D;
    decoder->ignoreExif = decoder->ignoreXMP = AVIF_TRUE;
    if (avifDecoderReadMemory(decoder, image, bytes, length) != AVIF_RESULT_OK || image->depth != 8) {
        fail("the AVIF cannot be decoded, or is not of eight bits");
    }
    double planes[3];
    int half_x = image->yuvFormat != AVIF_PIXEL_FORMAT_YUV444;
    int half_y = image->yuvFormat == AVIF_PIXEL_FORMAT_YUV420;
    for (int c = 0; c < 3; c++) {
        size_t width = c && half_x ? (image->width + 1) / 2 : image->width;
        size_t height = c && half_y ? (image->height + 1) / 2 : image->height;
        planes[c] = mean(image->yuvPlanes[c], width, height, image->yuvRowBytes[c], 1);
    }
    from_luma(planes[0], planes[1], planes[2], image->yuvRange == AVIF_RANGE_FULL, color);
}

int main(int argc, char **argv) {
    if (argc != 2) return fprintf(stderr, "usage: floor FILE\n"), 2;
    int64_t start = now();
    int fd = open(argv[1], O_RDONLY);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) || status.st_size < 12) fail("the file cannot be opened");
    size_t length = 0, size = (size_t)status.st_size;
    uint8_t *bytes = malloc(size + 2);
    for (ssize_t count; length < size; length += (size_t)count) {
        if ((count = read(fd, bytes + length, size - length)) <= 0) fail("the file cannot be read");
    }
    double color[3];
    if (bytes[0] == 0xFF) jpeg(bytes, length, color);
    else if (bytes[0] == 0x89) png(bytes, length, color);
    else if (!memcmp(bytes + 8, "WEBP", 4)) webp(bytes, length, color);
    else if (!memcmp(bytes + 4, "ftypavif", 8)) avif(bytes, length, color);
    else fail("of a format that is not measured");
    printf("%lld %.3f %.3f %.3f\n", (long long)(now() - start), color[0], color[1], color[2]);
    return 0;
}
