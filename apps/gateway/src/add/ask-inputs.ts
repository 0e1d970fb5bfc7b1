import { envName } from '@junctor/config'
import type { Questions } from '../report/questions.ts'
import { questionText } from './question-text.ts'
import { type Answer, type Answers, judgeAnswer } from './registry/answer.ts'
import type { Question } from './registry/template.ts'

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
  const ordered = [...open.filter((question) => !hasDefault(question)), ...open.filter(hasDefault)]
  for (const question of ordered) {
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
