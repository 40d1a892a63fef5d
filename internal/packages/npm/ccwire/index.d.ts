import type { FromCLI, FromSDK, Frame, Requests, ErrorResponseFromSDK, SuccessResponseFromSDK, Types } from "./types.js";

export type * from "./types.js";

/** What is wrong with a line or a value. */
export class ReadError extends Error {
  /** Where it is, as a JSON pointer: `/request/tool_name`. Of a missing member, where it would be. */
  readonly path: string;
  /** What is wrong there. */
  readonly reason: string;
  /** The value as it is, `undefined` if the line is not JSON. */
  readonly value: unknown;
  constructor(path: string, reason: string, value?: unknown);
}

/** A value that was read, or what is wrong with it. */
export type Reading<T> =
  | {
      /** The value. Members that this version of the package does not know are in it. */
      readonly value: T;
      /** The name of the value's type, such as `"SystemInit"` or `"UnknownFromCLI"`. */
      readonly type: string;
      readonly error: undefined;
    }
  | { readonly value: undefined; readonly type: undefined; readonly error: ReadError };

/** Reads a line that the CLI has written. Bytes must be UTF-8. */
export function readFromCLI(line: string | Uint8Array): Reading<FromCLI>;

/** Reads a line that an SDK has written. */
export function readFromSDK(line: string | Uint8Array): Reading<FromSDK>;

/** Reads a line of either direction. */
export function read(line: string | Uint8Array): Reading<Frame>;

/**
 * Checks a value that is no line, by the name of its type: what a tool takes, for one. What is not
 * a union or an object has no `type` in the result.
 *
 *     const { value } = check("BashInput", request.input);
 */
export function check<Name extends keyof Types>(name: Name, value: unknown): Reading<Types[Name]>;

/** Writes what an SDK sends, as a line with its end. */
export function write(line: FromSDK): string;

/** Writes what the CLI sends, as a line with its end. */
export function writeFromCLI(line: FromCLI): string;

/** The subtypes of what the CLI asks. */
export type Asked = { [S in keyof Requests]: Requests[S]["direction"] extends "sdk-to-cli" ? never : S }[keyof Requests];

/** Answers a request of the CLI with a success. A misspelt member of the response does not compile. */
export function answer<Subtype extends Asked>(
  subtype: Subtype,
  requestId: string,
  ...response: Requests[Subtype]["response"] extends undefined ? [] : [response: Requests[Subtype]["response"]]
): { type: "control_response"; response: SuccessResponseFromSDK };

/** Answers a request of the CLI with an error, as one of an unknown subtype must be. */
export function refuse(requestId: string, error: string): { type: "control_response"; response: ErrorResponseFromSDK };

/** Bytes or text in pieces, as a stream of Node.js and the body of a `Response` are. */
export type Chunks = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/** How `lines` and `messages` read. */
export interface LinesOptions {
  /** The length of the longest line in bytes, or in UTF-16 code units of text. It is 16 MiB without this. */
  limit?: number | undefined;
}

/**
 * Cuts a stream into lines, at LF and nowhere else. Blank lines are left out. A line over the limit
 * is not kept in memory: what comes in its place is `undefined`.
 */
export function lines(chunks: Chunks, options?: LinesOptions): AsyncGenerator<string | Uint8Array | undefined, void, undefined>;

/** Reads the lines of a stream that the CLI has written. What is wrong with one does not end it. */
export function messages(chunks: Chunks, options?: LinesOptions): AsyncGenerator<Reading<FromCLI>, void, undefined>;
