import type { JsonValue } from '@junctor/plugin-sdk/link'
import type { OpenApiConfig } from '../config.ts'
import { type ServerUrl, serverUrl } from './server-url.ts'

/**
 * The URL that the paths of operations are appended to: `baseUrl`, else the first server. A document that was fetched may not
 * say who receives the secrets of the configuration: with secrets, its server must have the origin of the document.
 *
 * @param documentUrl `undefined`: the document is a file
 */
export function apiUrl(
  servers: JsonValue | undefined,
  { baseUrl, variables, auth, headers }: Pick<OpenApiConfig, 'baseUrl' | 'variables' | 'auth' | 'headers'>,
  documentUrl: URL | undefined,
): ServerUrl {
  if (baseUrl !== undefined) return { kind: 'url', url: new URL(baseUrl) }
  const place = serverUrl(servers, variables, documentUrl)
  if (place.kind === 'unknown') return { kind: 'unknown', why: `expected "baseUrl", because ${place.why}` }
  const hasSecrets = Object.keys(auth).length > 0 || Object.keys(headers).length > 0
  if (!hasSecrets || documentUrl === undefined || place.url.origin === documentUrl.origin) return place
  const why = `expected "baseUrl", because the document names ${place.url.origin}, which would get the headers and secrets of this backend`
  return { kind: 'unknown', why }
}
