/** A call of the tool that waits for a cancel, as the process that ran it recorded it. */
export interface Wait {
  readonly id: string
  /** The process that ran it: when it is killed, it records nothing more. */
  readonly pid: number
  /** When it received the cancel, in milliseconds of `performance.now()`. */
  readonly notified?: number
}

interface Line {
  readonly what: 'began' | 'notified'
  readonly id: string
  readonly pid: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Reads the records of the tool: a line of JSON when it begins, and one when it receives the cancel. */
export function readWaits(text: string): readonly Wait[] {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
  const notified = new Map(
    lines.flatMap(({ what, id, at }) => (what === 'notified' ? [[id, at - performance.timeOrigin]] : [])),
  )
  return lines
    .filter(({ what }) => what === 'began')
    .map(({ id, pid }) => {
      const at = notified.get(id)
      return { id, pid, ...(at !== undefined && { notified: at }) }
    })
}
