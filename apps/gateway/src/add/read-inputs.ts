import { envName } from '@junctor/config'
import { printable } from '@junctor/primitives'
import { type Answer, type Answers, judgeAnswer } from './registry/answer.ts'
import type { Question } from './registry/template.ts'

/** The answers on the command line, or why they cannot be used: one reason for each input that is wrong. */
export type ReadInputs =
  | { readonly kind: 'answers'; readonly answers: Answers }
  | { readonly kind: 'refused'; readonly whys: readonly string[] }

/** Reads `--input NAME=VALUE`. `NAME` alone stands for the environment variable of that name. */
export function readInputs(words: readonly string[], questions: readonly Question[]): ReadInputs {
  const answers = new Map<string, Answer[]>()
  const whys: string[] = []
  for (const word of words) {
    const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(word) ?? []
    const question = questions.find((each) => each.name === name)
    if (question === undefined) {
      const known = questions.map((each) => printable(each.name, 80)).join(', ')
      whys.push(`there is no input ${JSON.stringify(name)}: expected ${known === '' ? 'none' : `one of ${known}`}`)
      continue
    }
    const judged = judgeAnswer(question, value ?? `\${env:${envName(name)}}`)
    const before = answers.get(name) ?? []
    if (judged.kind === 'refused') whys.push(judged.why)
    else if (before.length > 0 && !question.repeated) whys.push(`${name} was given twice`)
    else answers.set(name, [...before, judged.answer])
  }
  return whys.length > 0 ? { kind: 'refused', whys } : { kind: 'answers', answers }
}
