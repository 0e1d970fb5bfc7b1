import { programFile } from '@junctor/testkit'

/** The fixture backend as a program: `node <file> --stdio`, or `node <file> --http PORT`. */
export const fixtureBackendFile: string = programFile(new URL('./fixture-backend.ts', import.meta.url))
