import { failCommand } from '../report/fail-command.ts'
import { createTextReport } from '../report/text-report.ts'
import { type AdminCommandOptions, findAdmin } from './admin-endpoint.ts'
import { type AdminRequest, askAdmin } from './ask-admin.ts'
import { readAnswer } from './read-answer.ts'
import { showsColors } from '../report/shows-colors.ts'
import { jsonText } from '../report/json-text.ts'

/**
 * How long a gateway may take, in milliseconds: it reads the description of an API, perhaps, or queries backends that it has
 * not used yet.
 */
const timeoutMs = 60_000

/** What a command asks the admin port, and how it shows the answer. */
export interface AdminQuestion<Value> {
  readonly path: string
  readonly request?: AdminRequest
  readonly schema: Parameters<typeof readAnswer<Value>>[0]
  readonly text: (value: Value, color: boolean) => string
}

/** Asks the admin port of a running gateway, and prints the answer, or why there is none. */
export async function printAnswer<Value>(
  process: NodeJS.Process,
  options: AdminCommandOptions,
  { path, request, schema, text }: AdminQuestion<Value>,
): Promise<void> {
  const { stdout, stderr } = process
  const admin = findAdmin(options, process.cwd(), process.env)
  if (admin.note !== undefined) createTextReport(stderr, showsColors(stderr)).note(admin.note)
  if (admin.kind === 'unknown') return failCommand(process, admin.failure, admin.code)
  const asked = await askAdmin(admin.place, path, AbortSignal.timeout(timeoutMs), request)
  if (asked.kind === 'failed') return failCommand(process, asked.failure, asked.code)
  const read = await readAnswer(schema, asked.response, asked.url)
  if (read.kind === 'failed') return failCommand(process, read.failure)
  stdout.write(options.json === true ? jsonText(read.whole) : text(read.value, showsColors(stdout)))
}
