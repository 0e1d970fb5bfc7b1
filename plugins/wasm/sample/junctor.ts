// What the host gives to modules. In AssemblyScript the name of a file is the module that its declarations are imported
// from: this file must be called junctor.ts. docs/guides/webassembly.md describes each function.

export declare function input(): i32
export declare function value(name: usize, length: i32): i32
export declare function fetch(request: usize, length: i32): i32
export declare function take(at: usize): void
export declare function output(json: usize, length: i32): void
export declare function progress(done: f64, total: f64, message: usize, length: i32): void
export declare function piece(json: usize, length: i32): void
export declare function log(level: i32, text: usize, length: i32): void
