import Glibc
import UndertoneDecoding

exit(Zygote.main(arguments: CommandLine.arguments))
