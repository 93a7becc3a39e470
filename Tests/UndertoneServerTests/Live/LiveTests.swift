import Testing

/// Tests against running daemons: one after the other, since they measure time.
@Suite(.serialized) enum LiveTests {}
