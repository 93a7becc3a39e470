import Glibc
import UndertoneDecoding

exit(Zygote.run())
