import { printable } from '@junctor/primitives'
import type { TriedBackend } from '../check/try-backend.ts'

/** The most names of one kind that are shown. */
const mostNames = 24

/** What a backend offers, under its own names: a line for each kind. */
export function offerText({ tools, prompts, resources }: TriedBackend & { readonly state: 'up' }): string {
  return line('tools', tools) + line('prompts', prompts) + line('resources', resources)
}

function line(word: string, names: readonly string[]): string {
  if (names.length === 0) return ''
  const shown = names.slice(0, mostNames).map((name) => printable(name, 100))
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : ''
  return `${word.padEnd(9)}  ${shown.join(', ')}${more}\n`
}
