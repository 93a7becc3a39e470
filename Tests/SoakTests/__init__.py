"""Hours of everything at once: good pictures, bad ones, kills and rude clients."""  # noqa: N999
