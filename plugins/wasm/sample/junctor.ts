// What the host gives to modules. In AssemblyScript the name of a file is the module that its declarations are imported
// from: this file must be called junctor.ts. docs/guides/webassembly.md describes each function.

/** The arguments of the call, as JSON. Returns their size in bytes; {@link take} copies them. */
export declare function input(): i32
/** A value of the configuration. Returns its size in bytes, or -1 if there is none; {@link take} copies it. */
export declare function value(name: usize, length: i32): i32
/** Sends an HTTP request, given as JSON, and waits. Returns the size of the reply in bytes; {@link take} copies it. */
export declare function fetch(request: usize, length: i32): i32
/** Copies to this address what `input`, `value` or `fetch` has found last. */
export declare function take(at: usize): void
/** Gives the description of the tools, or the answer of a call, as JSON. The last one counts. */
export declare function output(json: usize, length: i32): void
/** Reports progress. A `total` of NaN is none, and so is a message of length 0. */
export declare function progress(done: f64, total: f64, message: usize, length: i32): void
/** Sends a piece of the answer, as JSON. Waits for a reader that is slow. */
export declare function piece(json: usize, length: i32): void
/** Sends a log message to the client. Levels are from 0 (debug) to 7 (emergency). */
export declare function log(level: i32, text: usize, length: i32): void
