// A harness for Jazzer.js.

// A parser of lines. Put yours in its place.
function parse(pieces) {
	const frames = [];
	const decoder = new TextDecoder();
	let rest = "";
	const take = (line) => {
		try {
			const value = JSON.parse(line);
			if (value !== null && typeof value === "object" && !Array.isArray(value)) frames.push(JSON.stringify(value));
		} catch (e) {
			if (!(e instanceof SyntaxError || e instanceof RangeError)) throw e; // RangeError: too deep
		}
	};
	for (const piece of pieces) {
		const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
		rest = lines.pop();
		lines.forEach(take);
	}
	take(rest + decoder.decode());
	return frames;
}

module.exports.fuzz = (data) => {
	const step = 1 + (data.length >> 9);
	const pieces = [];
	for (let i = 0; i < data.length; i += step) pieces.push(data.subarray(i, i + step));
	const whole = parse([data]).join("\n");
	const parts = parse(pieces).join("\n");
	if (whole !== parts) throw new Error(`in one piece: ${whole}\nin pieces: ${parts}`);
};
