/** What was missing, and what to do about it. */
export interface MissingDescriptors {
  readonly got: string
  readonly next: string
}

const limits: Readonly<Record<string, MissingDescriptors>> = {
  EMFILE: {
    got: 'no free file descriptor in this process',
    next: 'No file descriptor is free in this process. Raise its limit (ulimit -n).',
  },
  ENFILE: {
    got: 'no free file descriptor on this machine',
    next: 'No file descriptor is free on this machine. Raise its limit, or end other programs.',
  },
}

/**
 * Whether an error, or a cause of it, is that no file descriptor was free: its remedy is the same, whatever has failed
 * because of it. `undefined`: it is another error.
 */
export function noDescriptors(error: unknown): MissingDescriptors | undefined {
  // A cause may lead back to its error.
  const seen = new Set<unknown>()
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at)
    const known = limits[(at as NodeJS.ErrnoException).code ?? '']
    if (known !== undefined) return known
  }
  return undefined
}
