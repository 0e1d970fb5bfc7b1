import { markedProcesses } from './marked-processes.ts'
import { twoSignals } from './two-signals.ts'

/**
 * The text of what the guard process runs: so it needs no file beside the code that is running, bundled or not. Its
 * parts are handed to it as arguments, because a bundle may give them other names.
 *
 * @param mark `NAME=token` of this guard; a child's own mark is `NAME=token.<number>`
 */
export function guardProgram(mark: string): string {
  return `(${String(runGuard)})(${JSON.stringify(mark)}, ${String(markedProcesses)}, ${String(twoSignals)})`
}

/**
 * Its input is a pipe that the node holds: `+<number> <process group>` for a child that has started, `-<number>` for
 * one that is over. The system closes the pipe when the node is gone, however it went; what the node has left is then
 * ended. Processes that have left their group are found by the variable that each child is started with.
 *
 * Nothing outside of the function may be used in it.
 */
function runGuard(mark: string, marked: typeof markedProcesses, signals: typeof twoSignals): void {
  const roundMs = 500
  // A process that cannot be ended, or whose end nobody takes notice of, does not keep the guard for ever.
  const lastRound = 20
  const groups = new Map<string, number>()
  /** Numbers of children that are over, until nothing marked with them is left. */
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
  process.stdin.setEncoding('latin1').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
  for (const event of ['error', 'close', 'end']) process.stdin.on(event, nodeIsGone)
  process.title = 'junctor-guard'
}
