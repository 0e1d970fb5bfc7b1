import { exitCodes } from '@junctor/command/exit'
import { failCommand } from '../report/fail-command.ts'
import type { AdminCommandOptions } from './admin-endpoint.ts'
import { type EntryWords, readEntry } from './backend-entry.ts'
import { type AdminQuestion, printAnswer } from './print-answer.ts'
import { backendsText, type ShownBackend, shownBackendSchema, shownBackendsSchema } from './shown-backends.ts'

/** Prints the backends of a running gateway. */
export function listBackends(process: NodeJS.Process, options: AdminCommandOptions): Promise<void> {
  return printAnswer(process, options, {
    path: '/backends',
    schema: shownBackendsSchema,
    text: ({ backends }, color) => backendsText(backends, color),
  })
}

/** The backend that a user adds or changes. */
interface WrittenBackend {
  readonly verb: 'add' | 'change'
  readonly name: string
  readonly url: string | undefined
}

/** Adds a backend to a running gateway, or changes it. */
export async function writeBackend(
  process: NodeJS.Process,
  options: AdminCommandOptions & EntryWords,
  { verb, name, url }: WrittenBackend,
): Promise<void> {
  const read = readEntry(verb, url, options, process.env)
  if (read.kind === 'failed') return failCommand(process, read.failure, exitCodes.usage)
  const headers = verb === 'add' ? { 'if-none-match': '*' } : { 'if-match': '*' }
  const request = { method: 'PUT', body: read.entry, headers } as const
  return printAnswer(process, options, { ...oneBackend(name), request })
}

/** Removes a backend from a running gateway. */
export function removeBackend(process: NodeJS.Process, options: AdminCommandOptions, name: string): Promise<void> {
  return printAnswer(process, options, { ...oneBackend(name), request: { method: 'DELETE' } })
}

function oneBackend(name: string): Omit<AdminQuestion<ShownBackend>, 'request'> {
  return {
    path: `/backends/${encodeURIComponent(name)}`,
    schema: shownBackendSchema,
    text: ({ name: shown, change = 'done' }) => `${shown}: ${change}\n`,
  }
}
