import { readText, type Requests } from './requests.ts'

/** A JSON document at a URL, or why there is none. `unchanged`: its text is the known one. */
export type FetchedDocument =
  | { readonly kind: 'document'; readonly value: unknown; readonly text: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'unusable'; readonly why: string }

/** The most bytes of a document, and the longest time for it in milliseconds. */
const mostBytes = 1024 * 1024
const timeoutMs = 5_000

/**
 * Fetches the description of a component, or the document of a registry. Both are fetched again and again, and rarely
 * change, so a known text is not parsed again.
 *
 * @param known the text of the last document that could be used
 * @throws HttpRequestError when there is no answer
 */
export async function fetchDocument(
  requests: Requests,
  url: string,
  known: string | undefined,
  signal: AbortSignal,
): Promise<FetchedDocument> {
  const response = await requests.send(url, { headers: { accept: 'application/json' }, signal, timeoutMs })
  const text = await readText(response, mostBytes)
  if (text === undefined) return { kind: 'unusable', why: `a document of more than ${mostBytes} bytes` }
  if (response.status < 200 || response.status >= 300) {
    return { kind: 'unusable', why: `HTTP status ${response.status}` }
  }
  if (text === known) return { kind: 'unchanged' }
  try {
    return { kind: 'document', value: JSON.parse(text), text }
  } catch {
    return { kind: 'unusable', why: 'an answer that is not JSON' }
  }
}
