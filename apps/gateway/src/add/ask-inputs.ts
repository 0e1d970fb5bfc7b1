import { envName } from '@junctor/config'
import { printable } from '@junctor/primitives'
import type { Questions } from '../report/questions.ts'
import { type Answer, type Answers, judgeAnswer } from './registry/answer.ts'
import type { Question } from './registry/template.ts'

export type GivenInputs =
  | { readonly kind: 'answers'; readonly answers: Answers }
  | { readonly kind: 'refused'; readonly whys: readonly string[] }

/** Reads `--input NAME=VALUE`. `NAME` alone stands for the environment variable of that name. */
export function givenInputs(words: readonly string[], questions: readonly Question[]): GivenInputs {
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

/**
 * Asks for everything that is required or has a default, and was not given; what has no default first. `undefined`: the
 * input has ended.
 */
export async function askInputs(
  questions: readonly Question[],
  given: Answers,
  { ask, say }: Pick<Questions, 'ask' | 'say'>,
): Promise<Answers | undefined> {
  const answers = new Map(given)
  const open = questions.filter(
    ({ name, required, otherwise }) => !given.has(name) && (required || otherwise !== undefined),
  )
  const [later, first] = [open.filter(hasDefault), open.filter((question) => !hasDefault(question))]
  for (const question of [...first, ...later]) {
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    const answered = await askInput(question, ask, say)
    if (answered === undefined) return undefined
    if (answered.length > 0) answers.set(question.name, answered)
  }
  return answers
}

function hasDefault({ otherwise }: Question): boolean {
  return otherwise !== undefined
}

/** The answers to one question: several only if it can be repeated, until nothing is typed. */
async function askInput(
  question: Question,
  ask: Questions['ask'],
  say: (line: string) => void,
): Promise<readonly Answer[] | undefined> {
  const answers: Answer[] = []
  for (;;) {
    const otherwise = answers.length > 0 ? undefined : proposed(question)
    // oxlint-disable-next-line no-await-in-loop
    const typed = await ask(`${questionText(question)}:`, otherwise)
    if (typed === undefined) return undefined
    if (typed === '') {
      if (answers.length > 0 || !question.required) return answers
      say('It is required.')
      continue
    }
    const judged = judgeAnswer(question, typed)
    if (judged.kind === 'refused') say(judged.why)
    else answers.push(judged.answer)
    if (judged.kind === 'answer' && !question.repeated) return answers
  }
}

function proposed({ name, secret, otherwise }: Question): string | undefined {
  return secret && otherwise === undefined ? `\${env:${envName(name)}}` : otherwise
}

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
