// A harness for libFuzzer and, with -DAFL, for AFL++.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A parser of lines. Put yours in its place.
struct parser {
	char *line;
	size_t length, room;
	uint64_t frames, hash; // what came out
};

static void end_line(struct parser *p) {
	size_t n = p->length;
	while (n > 0 && (p->line[n - 1] == '\r' || p->line[n - 1] == ' ' || p->line[n - 1] == '\t')) n--;
	if (n >= 2 && p->line[0] == '{' && p->line[n - 1] == '}') {
		p->frames++;
		for (size_t i = 0; i < n; i++) p->hash = p->hash * 31 + (unsigned char)p->line[i];
	}
	p->length = 0;
}

static void feed(struct parser *p, const uint8_t *data, size_t size) {
	for (size_t i = 0; i < size; i++) {
		if (data[i] == '\n') {
			end_line(p);
			continue;
		}
		if (p->length == p->room) {
			p->room = p->room ? 2 * p->room : 64;
			p->line = realloc(p->line, p->room);
			if (!p->line) abort();
		}
		p->line[p->length++] = (char)data[i];
	}
}

static void finish(struct parser *p) {
	end_line(p);
	free(p->line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct parser whole = {0}, bytewise = {0};
	feed(&whole, data, size);
	for (size_t i = 0; i < size; i++) feed(&bytewise, data + i, 1);
	finish(&whole);
	finish(&bytewise);
	if (whole.frames != bytewise.frames || whole.hash != bytewise.hash) abort();
	return 0;
}

#ifdef AFL
int main(void) {
	static uint8_t data[1 << 20];
	size_t size = fread(data, 1, sizeof data, stdin);
	return LLVMFuzzerTestOneInput(data, size);
}
#endif
