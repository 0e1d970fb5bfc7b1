import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import { printable } from '@junctor/primitives'
import { inputOption, questionText } from './question-text.ts'
import type { PlannedBackend } from './planned-backend.ts'
import type { Question } from './registry/template.ts'
import { textSection } from '../report/text-section.ts'

/** Longer than any command that a person reads: what is hidden is not agreed to. */
const wholeText = 100_000

/** Everything that is about to be written and run. No character of it can change the terminal. */
export function planText(
  { backend, about, warnings, optional, others }: PlannedBackend,
  name: string,
  file: string,
): string {
  const lines = [
    ...about.map((line) => printable(line)),
    ...warnings.map((line) => `Warning: ${printable(line)}`),
    ...(about.length + warnings.length > 0 ? [''] : []),
    `The backend ${name} in ${printable(file)} will`,
    ...backendLines(backend),
    ...textSection(
      'Possible, but not given:',
      optional.map((question) => `${inputOption(question)}  ${questionText(question)}`),
    ),
    ...textSection(
      'Other ways to use it:',
      others.map((line) => printable(line)),
    ),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** What is missing, and how to give it. */
export function missingText(server: string, questions: readonly Question[]): string {
  const lines = questions.flatMap((question) => [`  ${questionText(question)}`, `    ${inputOption(question)}`])
  return `${printable(server)} needs values that were not given:\n${lines.join('\n')}\n`
}

function backendLines(backend: JsonObject): readonly string[] {
  const { command, args, env, url, headers } = backend
  if (typeof url === 'string') return [`  connect to  ${whole(url)}`, ...members('  with header ', headers)]
  const words = [command, ...(Array.isArray(args) ? args : [])]
  return [`  run   ${words.map((word) => shown(String(word))).join(' ')}`, ...members('  with  ', env)]
}

function members(before: string, value: unknown): readonly string[] {
  return isJsonObject(value)
    ? Object.entries(value).map(
        ([name, text]) => `${before}${whole(`${name}=${typeof text === 'string' ? text : JSON.stringify(text)}`)}`,
      )
    : []
}

/** One word of a command: quoted unless it is plain, so that its borders can be seen. */
function shown(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : whole(JSON.stringify(word))
}

function whole(text: string): string {
  return printable(text, wholeText)
}
