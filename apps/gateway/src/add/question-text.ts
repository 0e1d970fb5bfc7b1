import { envName } from '@junctor/config'
import { printable } from '@junctor/primitives'
import type { Question } from './registry/template.ts'

/** What a question is about, in one line. */
export function questionText({ name, description, secret, format, choices, placeholder, repeated }: Question): string {
  const about = [
    secret ? 'a secret, by reference' : undefined,
    format === undefined || format === 'string' ? undefined : format,
    choices === undefined ? undefined : `one of ${choices.join(', ')}`,
    placeholder === undefined || placeholder === '' ? undefined : `such as ${placeholder}`,
    repeated ? 'may be repeated' : undefined,
  ].filter((part) => part !== undefined)
  const suffix = description === undefined || description === '' ? '' : ` - ${description}`
  return printable(`${name}${about.length === 0 ? '' : ` (${about.join('; ')})`}${suffix}`, 400)
}

/** How a missing answer can be given on the command line. */
export function inputOption({ name, secret, choices }: Question): string {
  const shown = secret ? `'\${env:${envName(name)}}'` : (choices?.[0] ?? '…')
  const word = printable(`${name}=`, 120)
  return `--input ${/^[\w.=-]+$/.test(word) ? word : JSON.stringify(word)}${printable(shown, 80)}`
}
