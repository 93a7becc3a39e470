"""Colors of pictures by their thumbnails: the desktop's cache of them, and Thunar's tiles."""
