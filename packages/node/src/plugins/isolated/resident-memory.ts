import { readFileSync } from 'node:fs'

/** The resident memory of another process, in bytes; undefined where the system has no `/proc`, or no such process. */
export function residentMemory(pid: number): number | undefined {
  try {
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
  } catch {
    return undefined
  }
}
