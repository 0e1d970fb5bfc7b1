import { createHttpClient } from '@junctor/plugin-sdk/http'
import type { Configuration } from 'oidc-provider'
import { prepareClientDocument } from './client-document.ts'

/** Creates the fetch that reads documents of clients. It refuses private addresses, except those of the named hosts. */
export function guardedFetch(documentHosts: readonly string[]): {
  readonly fetch: NonNullable<Configuration['fetch']>
  readonly close: () => Promise<void>
} {
  const http = createHttpClient({ allowed: documentHosts, timeoutMs: 5_000, maxBytes: 64 * 1024, maxRedirects: 0 })
  return {
    async fetch(url) {
      const answer = await http.request(typeof url === 'string' || url instanceof URL ? url : url.url)
      const shown = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      )
      return new Response(prepareClientDocument(await answer.text()), { status: answer.status, headers: shown })
    },
    close: () => http.close(),
  }
}
