import { join } from 'node:path'

/** The fixture backend as a program: `node <file> --stdio`, or `node <file> --http PORT`. */
export const fixtureBackendFile: string = join(import.meta.dirname, 'fixture-backend.ts')
