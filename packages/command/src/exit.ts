export { type ExitCode, exitCodes } from './exit-codes.ts'
export { exitWhenWritten } from './exit-when-written.ts'
export { isFolderLost } from './lost-folder.ts'
export { endWithReader } from './lost-reader.ts'
