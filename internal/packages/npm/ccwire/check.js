// Checks values by the tables. The first problem is kept while the checks return, so that a value
// without one costs nothing for it.
import { names, rows } from "./tables/types.js";

let problem; // { path, reason } of the check that returned false
let arm; // the name of the type that the innermost union of tags has chosen
let members; // how many members the objects have that were looked at
let oldTags; // the objects with a tag of older peers, and the one that it stands for
let depth; // how many objects and arrays are around the value

function bad(reason) {
  problem = { path: "", reason };
  return false;
}

// below says where a problem is, seen from outside.
function below(key) {
  problem.path = `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}${problem.path}`;
  return false;
}

function kindOf(value) {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

const articles = { array: "an array", object: "an object", null: "null", undefined: "nothing" };
const named = (kind) => articles[kind] ?? `a ${kind}`;
const wrong = (want, value) => bad(`got ${named(kindOf(value))}, want ${want}`);
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// mostDepth is how deep objects and arrays may nest.
const mostDepth = 1000;

const tooDeep = () => bad(`nested more than ${mostDepth} deep`);

// count adds the members of a value that may be anything. for-in is faster than Object.keys.
function count(value) {
  if (typeof value !== "object" || value === null) return true;
  if (++depth > mostDepth) return tooDeep();
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      if (typeof value[i] === "object" && !count(value[i])) return below(i);
    }
  } else {
    for (const name in value) {
      members++;
      if (typeof value[name] === "object" && !count(value[name])) return below(name);
    }
  }
  depth--;
  return true;
}

const plain = {
  "": count,
  s: (value) => typeof value === "string" || wrong("a string", value),
  b: (value) => typeof value === "boolean" || wrong("a boolean", value),
  n: (value) => typeof value === "number" || wrong("a number", value),
  i: (value) => Number.isInteger(value) || Math.abs(value) === Infinity || wrong("an integer", value),
  o: (value) => (isObject(value) ? count(value) : wrong("an object", value)),
};

const built = [];

// checkOf returns the function for an expression of the tables.
function checkOf(expr) {
  if (typeof expr === "string") return plain[expr];
  if (typeof expr === "number") return (built[expr] ??= build(expr));
  const [form, of] = expr;
  switch (form) {
    case "=":
      return (value) => value === of || bad(`want ${JSON.stringify(of)}`);
    case "in":
      return (value) => of.includes(value) || bad(`want one of ${of.join(", ")}`);
    case "not":
      return (value) => (typeof value !== "string" ? wrong("a string", value) : !of.includes(value) || bad("another type has this value"));
    case "?": {
      const check = checkOf(of);
      return (value) => value === null || check(value);
    }
    case "[":
      return list(checkOf(of));
    default:
      return map(checkOf(of));
  }
}

// build makes the function for a row. Types refer to each other, so it is made when a value first
// needs it.
function build(number) {
  const row = rows[number];
  let check;
  return (value) => {
    check ??= Array.isArray(row) ? object(...row) : row.tag ? union(row) : choice(row.or);
    return check(value);
  };
}

function list(check) {
  return (value) => {
    if (!Array.isArray(value)) return wrong("an array", value);
    if (++depth > mostDepth) return tooDeep();
    for (let i = 0; i < value.length; i++) {
      if (!check(value[i])) return below(i);
    }
    depth--;
    return true;
  };
}

function map(check) {
  return (value) => {
    if (!isObject(value)) return wrong("an object", value);
    if (++depth > mostDepth) return tooDeep();
    for (const name in value) {
      members++;
      if (!check(value[name])) return below(name);
    }
    depth--;
    return true;
  };
}

function object(name, required, optional, lacks) {
  const known = new Map();
  for (const [member, expr] of Object.entries(required)) known.set(member, { check: checkOf(expr), required: 1 });
  for (const [member, expr] of Object.entries(optional)) known.set(member, { check: checkOf(expr), required: 0 });
  const needed = Object.keys(required);
  return (value) => {
    if (!isObject(value)) return wrong("an object", value);
    if (++depth > mostDepth) return tooDeep();
    let there = 0;
    for (const member in value) {
      members++;
      const what = known.get(member);
      if (what === undefined) {
        if (typeof value[member] === "object" && !count(value[member])) return below(member);
      } else {
        if (!what.check(value[member])) return below(member);
        there += what.required;
      }
    }
    if (there < needed.length) {
      bad("is missing");
      return below(needed.find((member) => !Object.hasOwn(value, member)));
    }
    if (lacks?.length && lacks.every((member) => Object.hasOwn(value, member))) {
      bad("may not be there");
      return below(lacks[0]);
    }
    depth--;
    return true;
  };
}

function union({ tag, arms, other, legacy = [], tags = {} }) {
  const modernTags = new Map(Object.entries(tags));
  const byTag = new Map();
  for (const [number, values] of arms) {
    for (const value of values) byTag.set(value, armOf(number));
  }
  const unknown = other === undefined ? undefined : armOf(other);
  const old = legacy.map((expr) => armOf(expr));
  const modern = (value) => {
    if (!isObject(value)) return wrong("an object", value);
    const name = value[tag];
    const chosen = byTag.get(name) ?? unknown;
    if (typeof name !== "string") {
      name === undefined ? bad("is missing") : wrong("a string", name);
      return below(tag);
    }
    if (modernTags.has(name)) oldTags.push({ value, tag, to: modernTags.get(name) });
    if (chosen !== undefined) return chosen(value);
    bad(`want one of ${[...byTag.keys()].join(", ")}`);
    return below(tag);
  };
  if (old.length === 0) return modern;
  return (value) => {
    const before = { members, depth };
    if (modern(value)) return true;
    const first = problem;
    for (const check of old) {
      ({ members, depth } = before);
      if (check(value)) return true;
    }
    problem = first;
    return false;
  };
}

// armOf returns the check of an arm of a union, which notes that the value is of it.
function armOf(expr) {
  const check = checkOf(expr);
  const row = rows[expr];
  if (!Array.isArray(row)) return check;
  return (value) => {
    if (!check(value)) return false;
    arm = row;
    return true;
  };
}

// choice is between distinct kinds of JSON.
function choice(or) {
  const byKind = new Map(or.map(([kind, expr]) => [kind, checkOf(expr)]));
  return (value) => {
    const check = byKind.get(kindOf(value));
    return check ? check(value) : wrong([...byKind.keys()].map(named).join(" or "), value);
  };
}

// checkExpr checks a value by an expression. It returns the problem, or the row of the type that
// tags have chosen, if any, how many members the value has, and its tags of older peers.
export function checkExpr(expr, value) {
  problem = arm = undefined;
  oldTags = [];
  members = depth = 0;
  const ok = checkOf(expr)(value);
  const row = rows[expr];
  return { problem: ok ? undefined : problem, row: Array.isArray(row) ? row : row?.tag && arm, members, oldTags };
}

// exprOf returns the expression of a type by its name.
export function exprOf(name) {
  if (!Object.hasOwn(names, name)) throw new TypeError(`ccwire has no type ${name}`);
  return names[name];
}
