import { JunctorError } from '@junctor/protocol'

/** The largest document that is read, in bytes. Key sets with certificates are much smaller. */
const LARGEST = 1024 * 1024

/**
 * Reads a JSON document. The signal limits the whole operation, including the body. Redirects are not followed: only
 * the configured places are trusted. Rejects with `PROTOCOL_VIOLATED` or `LIMIT_REACHED` for a wrong answer, else with
 * the error of `fetch`.
 */
export async function fetchJson(url: URL, signal: AbortSignal): Promise<unknown> {
  // The next read is minutes away, so an open connection would stay idle.
  const headers = { accept: 'application/json', connection: 'close' }
  const response = await fetch(url, { headers, redirect: 'manual', signal })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new JunctorError('PROTOCOL_VIOLATED', `expected 200 of ${url.href}, got ${response.status}`)
  }
  const text = await readText(response, url)
  try {
    return JSON.parse(text)
  } catch {
    throw new JunctorError('PROTOCOL_VIOLATED', `expected JSON of ${url.href}, got something else`)
  }
}

async function readText(response: Response, url: URL): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop closes the connection.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > LARGEST) {
      throw new JunctorError('LIMIT_REACHED', `expected at most ${LARGEST} bytes of ${url.href}, got more`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
