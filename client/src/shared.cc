// libthalweg.so is made of the library's archive; a target wants a source of its own.
