"""What the end-to-end tests share: a daemon to ask, ways to ask it, and references to compare."""  # noqa: N999
