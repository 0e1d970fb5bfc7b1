/** A guarded child, or a process that it has started. */
export interface MarkedProcess {
  readonly pid: number
  /** The number of the child. */
  readonly child: string
}

/**
 * The processes that carry a guard's mark; empty on systems without /proc. It runs in the guard process, from its
 * source text: the function must not use anything outside it.
 *
 * @param mark `NAME=token` of the guard; a child's own mark is `NAME=token.<number>`
 */
export function markedProcesses(mark: string): MarkedProcess[] {
  const { readdirSync, readFileSync } = process.getBuiltinModule('node:fs')
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the guard gets only the text of this function
  const textOf = (read: () => string): string => {
    try {
      return read()
    } catch {
      // The process is gone, or belongs to another user.
      return ''
    }
  }
  const names = textOf(() => readdirSync('/proc').join(' ')).split(' ')
  return names.flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    const environment = `\0${textOf(() => readFileSync(`/proc/${name}/environ`, 'latin1'))}`
    const start = environment.indexOf(`\0${mark}.`)
    const child = environment.slice(start + mark.length + 2).split('\0', 1)[0]
    return start === -1 || child === undefined ? [] : [{ pid: Number(name), child }]
  })
}
