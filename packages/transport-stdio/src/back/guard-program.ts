/**
 * What the guard process runs. It is started from the text of this function, so that it needs no file beside the code
 * that is running, bundled or not: nothing outside of the function may be used in it.
 *
 * Its input is a pipe that the node holds: `+<number> <process group>` for a child that has started, `-<number>` for
 * one that is over. The system closes the pipe when the node is gone, however it went; what the node has left is then
 * ended. Processes that have left their group are found by the variable that each child is started with, where there is
 * a /proc to find it in.
 *
 * @param mark `NAME=token` of this guard; a child's own mark is `NAME=token.<number>`
 */
export function guardProgram(mark: string): void {
  const { readdirSync, readFileSync } = process.getBuiltinModule('node:fs')
  const roundMs = 500
  // A process that cannot be ended, or whose end nobody takes notice of, does not keep the guard for ever.
  const lastRound = 20
  const groups = new Map<string, number>()
  /** Numbers of children that are over, until nothing marked with them is left. */
  const over = new Set<string>()
  /** Processes that had their SIGTERM. The next signal is SIGKILL. */
  const warned = new Set<number>()
  let nodeGone = false
  let round: NodeJS.Timeout | undefined
  let rest = ''

  /** False when there is nothing there that could get it. */
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- only what is in here reaches the guard
  function send(target: number, signal: NodeJS.Signals | 0): boolean {
    try {
      process.kill(target, signal)
      return true
    } catch {
      return false
    }
  }

  function end(target: number): boolean {
    const signal = warned.has(target) ? 'SIGKILL' : 'SIGTERM'
    warned.add(target)
    return send(target, signal)
  }

  /** The number in a process's mark, if it has one of this guard. */
  function childOf(pid: string): string | undefined {
    try {
      const environment = `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`
      const start = environment.indexOf(`\0${mark}.`)
      return start === -1 ? undefined : environment.slice(start + mark.length + 2).split('\0', 1)[0]
    } catch {
      return undefined
    }
  }

  function leftovers(): number[] {
    let names: string[] = []
    try {
      names = readdirSync('/proc')
    } catch {
      // No /proc here: groups are all that is known.
    }
    return names
      .filter((name) => {
        const child = /^\d+$/.test(name) ? childOf(name) : undefined
        return child !== undefined && (nodeGone || over.has(child))
      })
      .map(Number)
  }

  function sweep(count: number): void {
    let left = leftovers().filter((pid) => end(pid)).length
    if (nodeGone) left += [...groups.values()].filter((group) => end(-group)).length
    if (left > 0 && count < lastRound) {
      round = setTimeout(sweep, roundMs, count + 1)
      return
    }
    if (nodeGone) process.exit()
    round = undefined
    over.clear()
    warned.clear()
  }

  function take(line: string): void {
    const [number = '', group = ''] = line.slice(1).split(' ')
    // To the system, 0 and 1 are no groups: they mean its own, and every process there is.
    if (line.startsWith('+') && Number(group) > 1) groups.set(number, Number(group))
    if (!line.startsWith('-')) return
    groups.delete(number)
    over.add(number)
    // Many children often end together: one look at all processes is for all of them.
    round ??= setTimeout(sweep, roundMs, 0)
  }

  function nodeIsGone(): void {
    if (nodeGone) return
    nodeGone = true
    clearTimeout(round)
    sweep(0)
  }

  // It goes when the node is gone, not when somebody stops both of them.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.stdin.setEncoding('latin1')
  process.stdin.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
  process.stdin.on('error', nodeIsGone)
  process.stdin.on('close', nodeIsGone)
  process.stdin.on('end', nodeIsGone)
  process.title = 'junctor-guard'
}
