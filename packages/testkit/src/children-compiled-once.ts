import { compiledOnce } from './compiled-once.ts'

// Vitest's processes load this first, for the programs that tests start. They have the variable only from here on: Node would
// otherwise keep what it compiled for each test file anew in every run, because vitest adds the time to its URL.
Object.assign(process.env, compiledOnce)
