import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'

/** A process, from /proc. */
export interface ProcessInfo {
  readonly pid: number
  readonly parent: number
  /** Clock ticks since the machine started: together with the pid it identifies one process permanently. */
  readonly startTime: string
  /** Its arguments, with spaces between them. */
  readonly command: string
}

/** The running descendants of a process. Zombies are not running. */
export function listDescendants(root: number = process.pid): readonly ProcessInfo[] {
  const running = listProcesses()
  const childrenOf = (parent: number): readonly ProcessInfo[] =>
    running.filter((info) => info.parent === parent).flatMap((info) => [info, ...childrenOf(info.pid)])
  return childrenOf(root)
}

/** All running processes with this text in their arguments. */
export function listProcessesNaming(text: string): readonly ProcessInfo[] {
  return listProcesses().filter(({ command, pid }) => command.includes(text) && pid !== process.pid)
}

/**
 * Waits until none of the processes runs. Rejects, with the names of those that still run, when that takes too long.
 */
export async function untilGone(processes: readonly ProcessInfo[], ms: number = 5_000): Promise<void> {
  await untilNone(() => processes.filter(({ pid, startTime }) => readProcess(String(pid))?.startTime === startTime), ms)
}

/** Which processes must be gone, and how long the test waits for that, in milliseconds. */
export interface NoDescendantsOptions {
  /** Default: this process. */
  readonly root?: number
  /** Processes with this text in their command do not count. */
  readonly except?: string
  /** Default: 5 seconds. */
  readonly ms?: number
}

/** Waits until a process has no descendants. Rejects, with their names, when that takes too long. */
export async function untilNoDescendants({ root, except, ms = 5_000 }: NoDescendantsOptions = {}): Promise<void> {
  const counts = ({ command }: ProcessInfo): boolean => except === undefined || !command.includes(except)
  await untilNone(() => listDescendants(root).filter(counts), ms)
}

async function untilNone(list: () => readonly ProcessInfo[], ms: number): Promise<void> {
  const deadline = performance.now() + ms
  for (let left = list(); left.length > 0; left = list()) {
    if (performance.now() >= deadline) {
      const named = left.map(({ pid, command }) => `${pid} (${command.slice(0, 80)})`)
      throw new Error(`Expected no process to be left after ${ms} ms, got ${left.length}: ${named.join(', ')}`)
    }
    // The system does not report the end of a process that is not a child.
    await after(20)
  }
}

function listProcesses(): readonly ProcessInfo[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(name))
    .filter((info) => info !== undefined)
}

/** Undefined when the process does not exist any more. */
function readProcess(pid: string): ProcessInfo | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    // The fields after the name, which is in parentheses and may contain any character; proc(5) has their order.
    const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return undefined
    return { pid: Number(pid), parent: Number(parent), startTime: rest[17] ?? '', command }
  } catch {
    return undefined
  }
}
