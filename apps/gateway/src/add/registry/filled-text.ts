import { escapeReferences } from '@junctor/config'
import type { Answer, Answers } from './answer.ts'
import type { Question, Template } from './template.ts'

/** A text with the values of its variables, or the variables that have none. */
export type FilledText =
  | { readonly kind: 'text'; readonly text: string }
  /** Nothing was given for an optional text. */
  | { readonly kind: 'left_out' }
  | { readonly kind: 'missing'; readonly questions: readonly Question[] }
  | { readonly kind: 'refused'; readonly why: string }

/**
 * Fills the gaps of a template. What others wrote, and what the user typed as text, is never a reference of our file: a
 * publisher who writes `${env:TOKEN}` gets these characters, not the token.
 *
 * @param index which of several answers to take
 */
export function fillTemplate({ pieces, required }: Template, answers: Answers, index = 0): FilledText {
  const filled = pieces.map((piece) => (typeof piece === 'string' ? asText(piece) : answerTo(piece, answers, index)))
  const missing = pieces.filter((piece, at) => typeof piece !== 'string' && filled[at] === undefined) as Question[]
  if (missing.length > 0) {
    const needed = missing.filter((question) => question.required || required)
    return needed.length > 0 ? { kind: 'missing', questions: needed } : { kind: 'left_out' }
  }
  return joined(filled.filter((answer) => answer !== undefined))
}

/** How many times a repeated template can be filled. */
export function timesOf({ pieces }: Template, answers: Answers): number {
  const given = pieces.map((piece) => (typeof piece === 'string' ? 0 : (answers.get(piece.name)?.length ?? 0)))
  return Math.max(1, ...given)
}

function answerTo(question: Question, answers: Answers, index: number): Answer | undefined {
  const given = answers.get(question.name)
  const { otherwise } = question
  return given?.[index] ?? given?.at(-1) ?? (otherwise === undefined ? undefined : asText(otherwise))
}

function asText(text: string): Answer {
  return { kind: 'text', text }
}

/** Adjacent texts are escaped together, because a reference could begin in one and end in the next. */
function joined(parts: readonly Answer[]): FilledText {
  let all = ''
  let plain = ''
  for (const part of parts) {
    if (part.kind === 'text') plain += part.text
    else {
      // A dollar sign before a reference would make it text.
      if (plain.endsWith('$'))
        return { kind: 'refused', why: 'a "$" stands directly before a value that is given by reference' }
      all += escapeReferences(plain) + part.text
      plain = ''
    }
  }
  return { kind: 'text', text: all + escapeReferences(plain) }
}
