import { parseJson } from '@junctor/jsonrpc'
import { JunctorError } from '@junctor/protocol'

/** The largest document that is read, in bytes. Key sets with certificates are much smaller. */
const largest = 1024 * 1024

/** A form that is posted, with the credentials of the sender. */
interface Question {
  readonly authorization: string
  readonly form: URLSearchParams
}

/**
 * Reads a JSON document, or the answer to a question. The signal limits the whole operation, including the body.
 * Redirects are not followed: only the configured places are trusted. Rejects with `PROTOCOL_VIOLATED` or
 * `LIMIT_REACHED` for a wrong answer, else with the error of `fetch`.
 */
export async function fetchJson(url: URL, signal: AbortSignal, question?: Question): Promise<unknown> {
  // The next read is minutes away, so an open connection would stay idle.
  const connection = question === undefined ? { connection: 'close' } : { authorization: question.authorization }
  const response = await fetch(url, {
    headers: { accept: 'application/json', ...connection },
    redirect: 'manual',
    signal,
    ...(question !== undefined && { method: 'POST', body: question.form }),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new JunctorError('PROTOCOL_VIOLATED', `expected 200 of ${url.href}, got ${response.status}`)
  }
  const value = parseJson(await readText(response, url))
  if (value !== undefined) return value
  throw new JunctorError('PROTOCOL_VIOLATED', `expected JSON of ${url.href}, got something else`)
}

async function readText(response: Response, url: URL): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop closes the connection.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > largest) {
      throw new JunctorError('LIMIT_REACHED', `expected at most ${largest} bytes of ${url.href}, got more`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
