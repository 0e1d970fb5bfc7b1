import { type RequestId, requestId } from '@junctor/jsonrpc'

const version = '"jsonrpc"\\s*:\\s*"2\\.0"'
const id = '"id"\\s*:\\s*(-?\\d{1,15}|"[^"\\\\]{1,200}")'

/** A response that says first which request it answers. */
const idFirst = new RegExp(
  `^\\s*\\{\\s*(?:${version}\\s*,\\s*)?${id}\\s*,\\s*(?:${version}\\s*,\\s*)?"(?:result|error)"`,
)
/** A response that says it after the result. */
const resultFirst = new RegExp(`^\\s*\\{\\s*(?:${version}\\s*,\\s*)?"(?:result|error)"\\s*:`)
const idLast = new RegExp(`[}\\]"\\w]\\s*,\\s*(?:${version}\\s*,\\s*)?${id}\\s*(?:,\\s*${version}\\s*)?\\}\\s*$`)

/** Which request a response that was too long to be read answers: it says so before its result, or after it. */
export type CutResponse =
  /** What begins like this is a response to that request. */
  | { readonly kind: 'answers'; readonly id: RequestId }
  /** It is a response, and its end tells to what. */
  | { readonly kind: 'told_last' }
  | { readonly kind: 'no_response' }

/** Judges a line by its first characters. */
export function judgeBeginning(beginning: string): CutResponse {
  const found = idFirst.exec(beginning)?.[1]
  if (found !== undefined) return { kind: 'answers', id: readId(found) }
  return { kind: resultFirst.test(beginning) ? 'told_last' : 'no_response' }
}

/** The request that a response answers, by its last characters. */
export function idAtEnd(ending: string): RequestId | undefined {
  const found = idLast.exec(ending)?.[1]
  return found === undefined ? undefined : readId(found)
}

function readId(text: string): RequestId {
  return requestId(JSON.parse(text) as string | number)
}
