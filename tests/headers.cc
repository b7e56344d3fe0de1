// Nothing but the owner of the precompiled headers of all test programs.
int main() {}
