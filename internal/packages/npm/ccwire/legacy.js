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

// modern returns a value with today's tags and a patch applied, and leaves the value as it is.
export function modern(patch = [], oldTags, value) {
  const names = oldTags.map(({ value: object, tag }) => [object, tag, object[tag]]);
  for (const { value: object, tag, to } of oldTags) object[tag] = to;
  let out = structuredClone(value);
  for (const [object, tag, name] of names) object[tag] = name;
  for (const { op, from, path, value: added } of patch) {
    const it = op === "move" ? take(out, keys(from)) : structuredClone(added);
    const to = keys(path);
    if (to.length === 0) out = it;
    else parent(out, to)[to.at(-1)] = it;
  }
  return out;
}
