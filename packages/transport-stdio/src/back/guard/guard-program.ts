import { markedProcesses } from './marked-processes.ts'
import { escalatingSignals } from './escalating-signals.ts'

/**
 * The source text of the guard process, so that it needs no file beside the running code, bundled or not. Its functions
 * are passed as arguments, because a bundle may give them other names.
 *
 * @param mark `NAME=token` of this guard; a child's own mark is `NAME=token.<number>`
 */
export function guardProgram(mark: string): string {
  return `(${String(runGuard)})(${JSON.stringify(mark)}, ${String(markedProcesses)}, ${String(escalatingSignals)})`
}

/**
 * Its input is a pipe from the node: `+<number> <process group>` for a child that has started, `-<number>` for one that
 * has ended. The system closes the pipe when the node is gone, for any reason; the guard then ends the remaining
 * processes. It finds processes that have left their group by the variable that each child is started with.
 *
 * The function must not use anything outside it.
 */
function runGuard(mark: string, marked: typeof markedProcesses, signals: typeof escalatingSignals): void {
  const roundMs = 500
  // A process that cannot be ended, or that its parent does not reap, must not keep the guard running forever.
  const lastRound = 20
  const groups = new Map<string, number>()
  /** Numbers of ended children, until no process with their mark is left. */
  const over = new Set<string>()
  const endings = signals()
  let nodeGone = false
  let round: NodeJS.Timeout | undefined
  let rest = ''

  function sweep(count: number): void {
    const leftovers = marked(mark).filter(({ child }) => nodeGone || over.has(child))
    let left = leftovers.filter(({ pid }) => endings.end(pid)).length
    if (nodeGone) left += [...groups.values()].filter((group) => endings.end(-group)).length
    if (left > 0 && count < lastRound) {
      round = setTimeout(sweep, roundMs, count + 1)
      return
    }
    if (nodeGone) process.exit()
    round = undefined
    over.clear()
    endings.forget()
  }

  function take(line: string): void {
    const [number = '', group = ''] = line.slice(1).split(' ')
    // For the system, 0 and 1 are not groups: they mean the own group, and every process.
    if (line.startsWith('+') && Number(group) > 1) groups.set(number, Number(group))
    if (!line.startsWith('-')) return
    groups.delete(number)
    over.add(number)
    // Many children often end together: one scan of all processes serves all of them.
    round ??= setTimeout(sweep, roundMs, 0)
  }

  function nodeIsGone(): void {
    if (nodeGone) return
    nodeGone = true
    clearTimeout(round)
    sweep(0)
  }

  // The guard exits when the node is gone, not on a signal that is sent to both of them.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.stdin.setEncoding('latin1').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
  for (const event of ['error', 'close', 'end']) process.stdin.on(event, nodeIsGone)
  process.title = 'junctor-guard'
}
