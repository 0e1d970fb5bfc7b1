/**
 * The files that take more than half a minute each. What begins last must be short, or the other processors wait for it.
 * A run prints its slowest files at its end: what is long and not here belongs here.
 */
export const longest: readonly string[] = ['apps/e2e/test/guides.test.ts', 'tools/faults/test/faults.test.ts']

/** Puts the files that take longest first, and leaves all others in their order. */
export function longestFirst<File>(files: readonly File[], pathOf: (file: File) => string): File[] {
  const rank = (file: File): number => {
    const index = longest.findIndex((name) => pathOf(file).endsWith(`/${name}`))
    return index === -1 ? longest.length : index
  }
  return files.toSorted((one, other) => rank(one) - rank(other))
}
