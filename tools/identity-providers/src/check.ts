/** One thing that is tried. */
export interface Check {
  readonly name: string
  /** Rejects when it does not work. */
  readonly run: () => Promise<void>
}

/** What became of it. */
export interface Checked {
  readonly name: string
  /** Absent: it passed. */
  readonly problem?: string
}

/** Runs checks one after the other, and goes on when one fails. */
export async function runChecks(
  checks: readonly Check[],
  onChecked: (checked: Checked) => void,
): Promise<readonly Checked[]> {
  const all: Checked[] = []
  for (const { name, run } of checks) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const problem = await run().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    const checked = { name, ...(problem !== undefined && { problem }) }
    onChecked(checked)
    all.push(checked)
  }
  return all
}

/** Throws with both texts, if they differ. */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (got !== wanted) throw new Error(`Expected ${wanted} as ${what}, got ${got}`)
}
