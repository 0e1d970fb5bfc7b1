export { type ExitCode, exitCodes } from './exit-codes.ts'
export { exitWhenWritten } from './exit-when-written.ts'
export { refusesLostFolder } from './refuses-lost-folder.ts'
export { endWithReader } from './end-with-reader.ts'
