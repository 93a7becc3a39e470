"""Examples on a desktop: the real programs on a screen of their own, judged by their pixels."""  # noqa: N999
