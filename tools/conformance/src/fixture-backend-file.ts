import { fileURLToPath } from 'node:url'

/** The fixture backend as a program: `node <file> --stdio`, or `node <file> --http PORT`. */
export const fixtureBackendFile: string = fileURLToPath(new URL('./fixture-backend.ts', import.meta.url))
