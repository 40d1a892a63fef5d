/// <reference lib="esnext.disposable" />

/**
 * What the model says in a session. `docs/simulated.md` of ccwire has all members; one that is
 * misspelt is an error of `simulated`, which names the one that is meant.
 */
export interface Script {
  /** One turn for each time that the model is asked. One with `match` answers the first request that fits. */
  turns?: readonly Turn[];
  /** The turn for what no other is left for. Without it the model says `done`. */
  default?: Turn;
  /** Results of tools that do not act, by the name of the tool. */
  tools?: { [name: string]: unknown };
  /** Ways to misbehave, such as `"noise@result"`: `ccwire sim --list-faults` lists them. */
  faults?: readonly string[];
  /** The version of the CLI that is simulated. */
  cli_version?: string;
  /** Whether departures from the script are errors. */
  strict?: boolean | "prompts";
  /** Lets pauses take no time. */
  virtual_time?: boolean;
  [member: string]: unknown;
}

/** An answer of the model. */
export interface Turn {
  /** Which requests the turn answers: all that is given must hold. */
  match?: { text?: string; pattern?: string; prompt?: string; tool_result?: string; nth?: number; [member: string]: unknown };
  /** The answer as a text. */
  text?: string;
  /** The answer as blocks: `text`, `thinking`, `tool_use`. */
  content?: readonly { type: string; [member: string]: unknown }[];
  /** An error of the API in the place of an answer. */
  error?: { status?: number; type?: string; message?: string; retry_after?: number };
  /** How many requests the turn answers, -1 for all. */
  times?: number;
  [member: string]: unknown;
}

/** An entry of the log: `docs/simulated.md` of ccwire lists what `dir` can be. */
export interface LogEntry {
  dir: "header" | "api" | "sdk->cli" | "cli->sdk" | "sdk-eof" | "fault" | "unmatched" | "unused" | "exit" | (string & {});
  /** The session. */
  key: string;
  /** The line that passed, or what happened. */
  line?: string;
  [member: string]: unknown;
}

/** A simulated CLI that is installed in a temporary folder. */
export interface Simulated extends AsyncDisposable {
  /** The path of the executable: `pathToClaudeCodeExecutable` of the official SDK. */
  readonly path: string;
  /** An empty folder for a session to work in. */
  readonly cwd: string;
  /** What has passed in all sessions so far. */
  log(): Promise<LogEntry[]>;
  /**
   * Waits until the sessions have ended. Rejects if the model was asked for what the script does not
   * have, if the script has what was never used, or if there was no session.
   */
  check(): Promise<void>;
  /** Ends sessions that still run and removes all files. */
  close(): Promise<void>;
}

/**
 * Installs a simulated CLI. It starts in milliseconds, needs no network and no key, and says what
 * the script tells the model to say. `flags` are those of `ccwire sim install`.
 */
export function simulated(script?: Script, options?: { flags?: readonly string[] }): Promise<Simulated>;

/** How `fuzzFraming` looks. */
export interface FuzzOptions {
  /** How long, in milliseconds: 30,000 without this. */
  time?: number;
  /** Of the random streams. */
  seed?: number;
  /** What the streams have: plain objects, or frames of the protocol for a parser that takes no others. */
  frames?: "plain" | "protocol";
  /** The member of what the parser gives that has the id of a frame, such as `message.uuid`. */
  key?: string;
}

/** What the fuzzer has done. */
export interface FuzzReport {
  /** How many streams were played. */
  runs: number;
  /** What is wrong with the parser, each cause once. */
  findings?: readonly { kind: string; detail: string; behaviour: string; rule: string; [member: string]: unknown }[];
  [member: string]: unknown;
}

/**
 * Feeds streams that break parsers of lines to a function, which gets each in pieces, and gives the
 * objects that are lines of it. Rejects if the parser loses or invents any, or if the time is too
 * short for all hand-made streams; the error has the `report`.
 */
export function fuzzFraming(
  parser: (pieces: AsyncIterable<Uint8Array>) => AsyncIterable<unknown> | Iterable<unknown>,
  options?: FuzzOptions,
): Promise<FuzzReport>;
