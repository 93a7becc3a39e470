import UndertoneClient

// Everything is in the library, where it can be tested.
CommandLineTool.main()
