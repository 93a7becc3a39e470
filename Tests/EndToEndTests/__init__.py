"""End-to-end tests: a private daemon, asked over its socket."""  # noqa: N999
