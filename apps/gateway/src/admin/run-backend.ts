import { printableLines } from '@junctor/primitives'
import { failCommand } from '../report/fail-command.ts'
import { createTextReport } from '../report/text-report.ts'
import { type AdminCommandOptions, findAdmin } from './admin-endpoint.ts'
import { type AdminRequest, askAdmin } from './ask-admin.ts'
import { type EntryWords, readEntry } from './backend-entry.ts'
import { type ReadAnswer, readAnswer } from './read-answer.ts'
import { backendsText, type ShownBackend, shownBackendSchema, shownBackendsSchema } from './shown-backends.ts'

/** How long a gateway may take, in milliseconds: it reads the description of an API, perhaps. */
const timeoutMs = 60_000

/** What a subcommand asks the admin port, and how it shows the answer. */
interface Question<Value> {
  readonly path: string
  readonly request?: AdminRequest
  readonly schema: Parameters<typeof readAnswer<Value>>[0]
  readonly text: (value: Value, color: boolean) => string
}

/** Prints the backends of a running gateway. */
export function listBackends(process: NodeJS.Process, options: AdminCommandOptions): Promise<void> {
  return ask(process, options, {
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
  const read = readEntry(url, options, process.env)
  if (read.kind === 'failed') return failCommand(process, read.failure)
  const headers = verb === 'add' ? { 'if-none-match': '*' } : { 'if-match': '*' }
  const request = { method: 'PUT', body: read.entry, headers } as const
  return ask(process, options, { ...oneBackend(name), request })
}

/** Removes a backend from a running gateway. */
export function removeBackend(process: NodeJS.Process, options: AdminCommandOptions, name: string): Promise<void> {
  return ask(process, options, { ...oneBackend(name), request: { method: 'DELETE' } })
}

function oneBackend(name: string): Omit<Question<ShownBackend>, 'request'> {
  return {
    path: `/backends/${encodeURIComponent(name)}`,
    schema: shownBackendSchema,
    text: ({ name: shown, change = 'done' }) => `${shown}: ${change}\n`,
  }
}

async function ask<Value>(
  process: NodeJS.Process,
  options: AdminCommandOptions,
  { path, request, schema, text }: Question<Value>,
): Promise<void> {
  const { stdout, stderr } = process
  const admin = findAdmin(options, process.cwd(), process.env)
  if (admin.note !== undefined) createTextReport(stderr, stderr.isTTY && stderr.hasColors()).note(admin.note)
  if (admin.kind === 'unknown') return failCommand(process, admin.failure)
  const asked = await askAdmin(admin.place, path, AbortSignal.timeout(timeoutMs), request)
  const read: ReadAnswer<Value> = asked.kind === 'failed' ? asked : await readAnswer(schema, asked.response, asked.url)
  if (read.kind === 'failed') return failCommand(process, read.failure)
  const color = stdout.isTTY && stdout.hasColors()
  const json = `${printableLines(JSON.stringify(read.whole, null, 2))}\n`
  stdout.write(options.json === true ? json : text(read.value, color))
}
