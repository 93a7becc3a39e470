#include "cjpeg.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

// After <stdio.h>, which it needs and does not include.
#include <jpeglib.h>

enum { LONGEST_MARKER = 0xFFFF };

typedef struct {
    struct jpeg_error_mgr manager;
    jmp_buf out;
} Errors;

static void leave(j_common_ptr info) { longjmp(((Errors *)info->err)->out, 1); }

// A warning means that something of the picture is not as it was meant.
static void hear(j_common_ptr info, int level) {
    if (level < 0) leave(info);
}

static void say_nothing(j_common_ptr info) { (void)info; }

int cjpeg_make_sequential(
    const unsigned char *bytes, size_t length, unsigned char **written, size_t *count) {
    Errors errors;
    struct jpeg_decompress_struct from = {0};
    struct jpeg_compress_struct to = {0};
    // Volatile: they are read after the jump.
    unsigned char *volatile block = NULL;
    volatile int result = -1;
    unsigned char *made = NULL;
    unsigned long size = 0;
    from.err = to.err = jpeg_std_error(&errors.manager);
    errors.manager.error_exit = leave;
    errors.manager.emit_message = hear;
    errors.manager.output_message = say_nothing;
    if (setjmp(errors.out) == 0) {
        jpeg_create_decompress(&from);
        jpeg_create_compress(&to);
        // EXIF and color profiles.
        jpeg_save_markers(&from, JPEG_APP0 + 1, LONGEST_MARKER);
        jpeg_save_markers(&from, JPEG_APP0 + 2, LONGEST_MARKER);
        jpeg_mem_src(&from, bytes, length);
        jpeg_read_header(&from, TRUE);
        if (from.data_precision == 8) {
            jvirt_barray_ptr *coefficients = jpeg_read_coefficients(&from);
            jpeg_copy_critical_parameters(&from, &to);
            // Larger than the file ever gets with tables that fit all pictures: a block that grows
            // is copied, and its copy is the library's to free, where nobody can after a jump.
            size = 2 * length + (1 << 20);
            made = malloc(size);
            block = made;
            if (made) {
                jpeg_mem_dest(&to, &made, &size);
                jpeg_write_coefficients(&to, coefficients);
                for (jpeg_saved_marker_ptr one = from.marker_list; one; one = one->next) {
                    jpeg_write_marker(&to, one->marker, one->data, one->data_length);
                }
                jpeg_finish_compress(&to);
                jpeg_finish_decompress(&from);
                if (made != block) free(block), block = made;
                *written = made;
                *count = size;
                result = 0;
            }
        }
    }
    jpeg_destroy_compress(&to);
    jpeg_destroy_decompress(&from);
    if (result != 0) free(block);
    return result;
}
