// Looks at the text of a value that is JSON, for what the value does not show.

const quote = 34;
const backslash = 92;
const colon = 58;

// endOfString returns where the string that begins at start ends. A long one is searched for its
// end, not looked at byte by byte.
function endOfString(text, start) {
  let i = start + 1;
  for (const near = i + 48; i < near; i++) {
    const c = text.charCodeAt(i);
    if (c === quote) return i;
    if (c === backslash) i++;
  }
  for (let end = text.indexOf('"', i); ; end = text.indexOf('"', end + 1)) {
    let slash = end;
    while (slash > i && text.charCodeAt(slash - 1) === backslash) slash--;
    if ((end - slash) % 2 === 0) return end;
  }
}

// afterSpace returns the first place from i on that is not white space.
function afterSpace(text, i) {
  while (text.charCodeAt(i) <= 32) i++;
  return i;
}

// mayRepeat reports whether a text may have a member twice, if the objects that it was read as have
// so many members. It counts quotes before colons, which is quick; only strings with such a pair or
// white space before a colon make it doubt.
export function mayRepeat(text, members) {
  let pairs = 0;
  for (let i = text.indexOf(":"); i >= 0; i = text.indexOf(":", i + 1)) {
    const before = text.charCodeAt(i - 1);
    if (before === quote) pairs++;
    else if (before <= 32) return true;
  }
  return pairs !== members;
}

// duplicate returns the path of the first member that its object has twice, if there is one.
export function duplicate(text) {
  const path = []; // keys to where i is
  const open = []; // for each object or array around it: the names so far, or undefined
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case quote: {
        const end = endOfString(text, i);
        const names = open.at(-1);
        if (names && text.charCodeAt(afterSpace(text, end + 1)) === colon) {
          const name = JSON.parse(text.slice(i, end + 1));
          path[open.length - 1] = name;
          if (names.has(name)) return path.slice(0, open.length);
          names.add(name);
        }
        i = end;
        break;
      }
      case 91:
        path[open.length] = 0;
        open.push(undefined);
        break;
      case 123:
        open.push(new Set());
        break;
      case 44: // ,
        if (!open.at(-1)) path[open.length - 1]++;
        break;
      case 93:
      case 125:
        open.pop();
    }
  }
  return undefined;
}
