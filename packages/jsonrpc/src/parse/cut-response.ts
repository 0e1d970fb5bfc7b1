import type { Unreadable } from '../message/unreadable.ts'
import { type RequestId, requestId } from '../message/request-id.ts'

const version = '"jsonrpc"\\s*:\\s*"2\\.0"'
const id = '"id"\\s*:\\s*(-?\\d{1,15}|"[^"\\\\]{1,200}")'

/** A response with its id before the result. */
const idFirst = new RegExp(
  `^\\s*\\{\\s*(?:${version}\\s*,\\s*)?${id}\\s*,\\s*(?:${version}\\s*,\\s*)?"(?:result|error)"`,
)
/** A response with its id after the result. */
const resultFirst = new RegExp(`^\\s*\\{\\s*(?:${version}\\s*,\\s*)?"(?:result|error)"\\s*:`)
const idLast = new RegExp(`[}\\]"\\w]\\s*,\\s*(?:${version}\\s*,\\s*)?${id}\\s*(?:,\\s*${version}\\s*)?\\}\\s*$`)

/**
 * How the beginning of a response that is too long identifies its request: the id is before the result, or after it.
 */
export type CutResponse =
  /** The beginning contains the id. */
  | { readonly kind: 'answers'; readonly id: RequestId }
  /** It is a response whose id is at the end. */
  | { readonly kind: 'id_last' }
  | { readonly kind: 'no_response' }

/** Classifies a line by its first characters. */
export function judgeBeginning(beginning: string): CutResponse {
  const found = idFirst.exec(beginning)?.[1]
  if (found !== undefined) return { kind: 'answers', id: readId(found) }
  return { kind: resultFirst.test(beginning) ? 'id_last' : 'no_response' }
}

/** The id of the request that a response answers, from its last characters. */
export function idAtEnd(ending: string): RequestId | undefined {
  const found = idLast.exec(ending)?.[1]
  return found === undefined ? undefined : readId(found)
}

/** The most characters at the end of a text in which its id is looked for. */
const endingLength = 512

/**
 * The id of the request that an unreadable message answers. A text that is not JSON, such as a response with `NaN`, may show
 * it too. Undefined when it is no response, or does not show its id.
 */
export function answeredBy(
  { answers, situation }: Pick<Unreadable, 'answers' | 'situation'>,
  text: string,
): RequestId | undefined {
  if (answers !== undefined || situation !== 'parse_error') return answers
  const judged = judgeBeginning(text)
  if (judged.kind === 'answers') return judged.id
  return judged.kind === 'id_last' ? idAtEnd(text.slice(-endingLength)) : undefined
}

function readId(text: string): RequestId {
  return requestId(JSON.parse(text) as string | number)
}
