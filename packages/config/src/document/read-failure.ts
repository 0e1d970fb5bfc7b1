/** Why a file could not be read, and what to do about it. */
export interface ReadFailure {
  /** The code of the system: `ENOENT`. */
  readonly reason: string
  readonly next: string
}

/** What is to be done about a file that is there, but cannot be read, or is no text of a configuration. */
const ofPresentFile: Readonly<Record<string, string>> = {
  EACCES: 'Let the user of this process read it: look at the permissions of the file and of its folders.',
  EFBIG: 'Check the name: the file has more than 4 MiB.',
  EILSEQ: 'Save the file as UTF-8.',
}

/** What is to be done when the process, or the system, has no descriptor for one more file. */
const raiseLimit = 'It may be as it should be: raise the number of files that this process may have open (ulimit -n).'

/**
 * Describes why reading a file failed. When nothing is wrong with the file, the advice is not about it.
 *
 * @param next what to do about the file
 */
export function readFailure(error: unknown, next: string): ReadFailure {
  const reason = (error as NodeJS.ErrnoException).code ?? 'unknown'
  return { reason, next: isOutOfFiles(error) ? raiseLimit : (ofPresentFile[reason] ?? next) }
}

/** Whether a file could not be read only because too many are open: that says nothing about the file. */
export function isOutOfFiles(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EMFILE' || code === 'ENFILE'
}
