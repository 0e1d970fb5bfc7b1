import { isJsonObject, member, members, type Payload } from '@junctor/jsonrpc'
import type { ClientRequest } from '../client-request.ts'

/** The questions of a result, by their keys. */
export type Questions =
  | { readonly kind: 'questions'; readonly requests: readonly (readonly [string, ClientRequest])[] }
  | { readonly kind: 'bad'; readonly message: string }

/**
 * The most questions of one result. Each is shown to a client and held until it is answered, so many at once would keep all
 * other clients waiting.
 */
const mostQuestions = 256

/** Characters of a name or value of a server that an error shows. */
const shownCharacters = 80

/**
 * Reads the questions of a result, or of the state of a task (2026-07-28, Multi Round-Trip Requests; SEP-2663). Without an
 * object `inputRequests` there are none. Params of null are none.
 */
export function readQuestions(result: Payload): Questions {
  const asked = member(result, 'inputRequests')
  const requests: (readonly [string, ClientRequest])[] = []
  const questions = asked === undefined ? new Map<string, Payload>() : members(asked)
  if (questions.size > mostQuestions) {
    return {
      kind: 'bad',
      message: `Expected at most ${mostQuestions} questions in inputRequests, got ${questions.size}`,
    }
  }
  for (const [key, question] of questions) {
    const value = question.value()
    const { method, params } = isJsonObject(value) ? value : {}
    if (typeof method !== 'string') {
      return { kind: 'bad', message: wrongQuestion(key, 'a request with "method"', value) }
    }
    const absent = params === undefined || params === null
    if (!absent && !isJsonObject(params)) {
      return { kind: 'bad', message: wrongQuestion(key, 'a request whose "params" are an object', value) }
    }
    requests.push([key, { method, params: absent ? undefined : member(question, 'params') }])
  }
  return { kind: 'questions', requests }
}

function wrongQuestion(key: string, expected: string, value: unknown): string {
  const got = JSON.stringify(value).slice(0, shownCharacters)
  return `Expected inputRequests[${JSON.stringify(key.slice(0, shownCharacters))}] to be ${expected}, got ${got}`
}
