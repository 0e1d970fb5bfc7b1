/** A call of the tool that waits to be cancelled, as the process that ran it wrote it down. */
export interface Wait {
  readonly id: string
  /** Of the process that ran it: what it has not written down when it is killed, it never will. */
  readonly pid: number
  /** When it was told, as `performance.now()` counts. */
  readonly told?: number
}

interface Line {
  readonly what: 'began' | 'told'
  readonly id: string
  readonly pid: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Reads what the tool wrote: a line of JSON when it begins, and one when it is told that nobody waits any more. */
export function readWaits(text: string): readonly Wait[] {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
  const told = new Map(
    lines.flatMap(({ what, id, at }) => (what === 'told' ? [[id, at - performance.timeOrigin]] : [])),
  )
  return lines
    .filter(({ what }) => what === 'began')
    .map(({ id, pid }) => {
      const at = told.get(id)
      return { id, pid, ...(at !== undefined && { told: at }) }
    })
}
