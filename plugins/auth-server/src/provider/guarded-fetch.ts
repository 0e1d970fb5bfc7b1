import { textWithoutNulls } from '@junctor/credentials'
import { createHttpClient } from '@junctor/plugin-sdk/http'
import { isJsonObject, memberOf, parseJson } from '@junctor/plugin-sdk/link'
import type { Configuration } from 'oidc-provider'
import { UnreadDocument } from './unread-documents.ts'
import { isAtThisMachine, usedMetadata } from './registration.ts'

/**
 * Creates the fetch that reads documents of clients. It refuses private addresses, except those of the named hosts. It rejects
 * with an `UnreadDocument` when there is no definite answer.
 */
export function guardedFetch(documentHosts: readonly string[]): {
  readonly fetch: NonNullable<Configuration['fetch']>
  readonly close: () => Promise<void>
} {
  const http = createHttpClient({ allowed: documentHosts, timeoutMs: 5_000, maxBytes: 64 * 1024, maxRedirects: 0 })
  return {
    async fetch(url) {
      const asked = http.request(typeof url === 'string' || url instanceof URL ? url : url.url)
      const answer = await asked.catch((cause: unknown) => {
        throw new UnreadDocument('its server does not answer', { cause })
      })
      if (answer.status === 429 || answer.status >= 500) throw new UnreadDocument(`HTTP ${answer.status}`)
      const shown = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      )
      return new Response(prepareClientDocument(textWithoutNulls(await answer.text())), {
        status: answer.status,
        headers: shown,
      })
    },
    close: () => http.close(),
  }
}

/**
 * Prepares a document of a client about itself (OAuth Client ID Metadata Document) for the library. Adds the type of clients
 * that do not say that they run on the person's machine. Other texts are unchanged.
 */
function prepareClientDocument(text: string): string {
  const document = parseJson(text)
  const uris = memberOf(document, 'redirect_uris')
  if (!isJsonObject(document) || !Array.isArray(uris)) return text
  const rest = usedMetadata(document)
  const isNative = rest['application_type'] === undefined && uris.some(isAtThisMachine)
  return JSON.stringify({ ...rest, ...(isNative && { application_type: 'native' }) })
}
