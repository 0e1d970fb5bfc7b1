import { programFile } from './program-file.ts'

/** The file of the `junctor-worker` command that tests run with Node. */
export const workerProgram: string = programFile(new URL('../../../apps/worker/src/main.ts', import.meta.url))
