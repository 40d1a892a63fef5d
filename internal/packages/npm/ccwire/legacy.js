// Makes the modern form of what older peers send. The patches are JSON Patch, with the two
// operations that the schemas need.

const keys = (pointer) => pointer.split("/").slice(1);

function parent(value, path) {
  return path.slice(0, -1).reduce((inner, key) => inner[key], value);
}

function take(value, path) {
  const holder = parent(value, path);
  const taken = holder[path.at(-1)];
  delete holder[path.at(-1)];
  return taken;
}

// modern returns a copy of a value with a patch applied.
export function modern(patch, value) {
  let out = structuredClone(value);
  for (const { op, from, path, value: added } of patch) {
    const it = op === "move" ? take(out, keys(from)) : structuredClone(added);
    const to = keys(path);
    if (to.length === 0) out = it;
    else parent(out, to)[to.at(-1)] = it;
  }
  return out;
}
