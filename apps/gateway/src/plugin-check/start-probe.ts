import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { printable } from '@junctor/primitives'
import { type CheckLine, type CheckName, failed, passed } from './check-line.ts'
import type { Probe, ProbeNews } from './probe.ts'

/** How long all checks in the process may take, in milliseconds: code of a plugin may never give way. */
const probeMs = 90_000

/** How long output may arrive after the process has ended, in milliseconds. */
const outputMs = 500

/** The most characters that are shown of what a plugin prints. */
const shownCharacters = 200

/** What was found by a probe. */
export interface Probed {
  readonly lines: readonly CheckLine[]
  /** The names of everything that the backend offers. Absent: it has not started. */
  readonly offered: readonly string[] | undefined
}

/**
 * Runs a probe in a process of its own, because a plugin may print, loop for ever or end its process.
 *
 * @param program the words that start the process, after Node's own
 */
export async function startProbe(probe: Probe, program: readonly string[]): Promise<Probed> {
  const lines: CheckLine[] = []
  let offered: readonly string[] | undefined
  let current: CheckName | undefined = 'load'
  let printed = ''
  let errors = ''
  const child = spawn(process.execPath, [...process.execArgv, ...program], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed = (printed + text).slice(0, shownCharacters)))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-4000)))
  child.on('message', (news: ProbeNews) => {
    if (news.kind === 'line') lines.push(news.line)
    if (news.kind === 'offered') offered = news.names
    if (news.kind !== 'offered') current = news.kind === 'begun' ? news.check : undefined
  })
  const closed = once(child, 'close')
  const timer = new AbortController()
  const late = setTimeout(probeMs, 'late', { signal: timer.signal }).catch(() => undefined)
  child.send(probe)
  const [code, signal] = (await Promise.race([once(child, 'exit'), late.then((word) => [word])])) as [unknown, unknown]
  timer.abort()
  child.kill('SIGKILL')
  // A process that the plugin has started may hold the pipes.
  await Promise.race([closed, setTimeout(outputMs, undefined, { ref: false })])
  if (current !== undefined) lines.push(endLine(current, code === 'late' ? 'late' : (code ?? signal), errors))
  if (probe.isWhole) lines.push(outputLine(printed))
  return { lines, offered }
}

function endLine(check: CheckName, how: unknown, errors: string): CheckLine {
  if (how === 'late') {
    const next = 'Look for a loop or a wait that never ends: in the gateway it would stop everything.'
    return failed(check, 'it does not end', { problem: `it has not ended after ${probeMs / 1000} s`, next })
  }
  const errorLine = errors.split('\n').find((line) => /\bError\b/.test(line)) ?? errors.trim().split('\n').at(-1) ?? ''
  const problem = `the process has ended with ${String(how)}${errorLine === '' ? '' : `: ${printable(errorLine.trim(), shownCharacters)}`}`
  return failed(check, 'it ends the process', {
    problem,
    next: 'Throw an error instead, and catch those of timers and sockets: the process is that of the gateway.',
  })
}

function outputLine(printed: string): CheckLine {
  if (printed === '') return passed('output', 'nothing on standard output')
  return failed('output', 'it prints to standard output', {
    problem: `it has printed ${printable(JSON.stringify(printed))}`,
    next: 'Use context.log or console.error: over stdio, standard output belongs to the protocol.',
  })
}
