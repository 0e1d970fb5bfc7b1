import { envName } from '@junctor/config'
import type { Question } from './template.ts'

/** What the user gave for a question. */
export type Answer =
  /** The value itself. */
  | { readonly kind: 'text'; readonly text: string }
  /** Where the value is: `${env:NAME}` or `${file:path}`. */
  | { readonly kind: 'reference'; readonly text: string }

/** The answers by the names of their questions. */
export type Answers = ReadonlyMap<string, readonly Answer[]>

/** An answer that a question accepts, or what is wrong with it. */
export type JudgedAnswer =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'refused'; readonly why: string }

const wholeReference = /^\$\{(?:env:[A-Za-z_][A-Za-z0-9_]*|file:[^{}]+)\}$/

/** Whether a text is a reference and nothing else. */
export function isReference(text: string): boolean {
  return wholeReference.test(text)
}

/** Judges what the user typed. The message never contains the value of a secret. */
export function judgeAnswer(question: Question, typed: string): JudgedAnswer {
  const { name, secret, choices, format } = question
  if (isReference(typed)) return { kind: 'answer', answer: { kind: 'reference', text: typed } }
  if (secret) {
    const why = `${name} is a secret, and no secret is written into the file: give a reference such as \${env:${envName(name)}} or \${file:./secret.txt}`
    return { kind: 'refused', why }
  }
  const refused = (expected: string): JudgedAnswer => {
    return { kind: 'refused', why: `${name}: expected ${expected}, got ${JSON.stringify(typed)}` }
  }
  if (/\p{Cc}/u.test(typed)) return refused('text without control characters')
  if (choices !== undefined && !choices.includes(typed)) return refused(`one of ${choices.join(', ')}`)
  if (format === 'number' && (typed.trim() === '' || !Number.isFinite(Number(typed)))) return refused('a number')
  if (format === 'boolean' && typed !== 'true' && typed !== 'false') return refused('true or false')
  return { kind: 'answer', answer: { kind: 'text', text: typed } }
}
