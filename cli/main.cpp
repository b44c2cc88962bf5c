// Arguments in, exit status out, nothing else.
int main() { return 0; }
