// What libjpeg can do and gdk-pixbuf does not ask of it. Its errors leave by longjmp, which Swift
// cannot be jumped over.

#ifndef CJPEG_H
#define CJPEG_H

#include <stddef.h>

// Writes a progressive JPEG again as a sequential one with the same coefficients, its EXIF and its
// color profile. Returns 0 and a block that the caller frees; or -1 where the file has the least
// fault, is of more than eight bits a value, or where there is no memory.
int cjpeg_make_sequential(
    const unsigned char *bytes, size_t length, unsigned char **written, size_t *count);

#endif
