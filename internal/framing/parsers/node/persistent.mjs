// The harness of a persistent parser: it gets a list of pieces and a function that takes values.
export async function serve(parse) {
  let rest = Buffer.alloc(0), pieces = [];
  for await (const chunk of process.stdin) {
    rest = rest.length ? Buffer.concat([rest, chunk]) : chunk;
    for (let lf; (lf = rest.indexOf(10)) >= 0; ) {
      const end = lf + 1 + Number(rest.subarray(0, lf));
      if (end > rest.length) break;
      if (end > lf + 1) pieces.push(rest.subarray(lf + 1, end));
      else {
        process.stdout.write(await answer(parse, pieces));
        pieces = [];
      }
      rest = rest.subarray(end);
    }
  }
}

async function answer(parse, pieces) {
  const lines = [];
  const write = (value) => {
    if (value === null || typeof value !== "object" || Array.isArray(value)) return;
    try {
      lines.push(JSON.stringify(value));
    } catch {} // nested so deep that it can be read but not written
  };
  try {
    await parse(pieces, write);
    lines.push("#end");
  } catch (e) {
    lines.push("#error " + e.name);
  }
  return lines.join("\n") + "\n";
}
