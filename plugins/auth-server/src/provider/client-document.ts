import { parseObject } from './parse-object.ts'
import { isAtThisMachine } from './registration.ts'

/**
 * Prepares a document of a client about itself (OAuth Client ID Metadata Document) for the library. Adds the type of clients
 * that do not say that they run on the person's machine. Removes `scope`, so that the client may ask for other scopes later.
 * Other texts are unchanged.
 */
export function prepareClientDocument(text: string): string {
  const document = parseObject(text)
  const uris = document?.['redirect_uris']
  if (document === undefined || !Array.isArray(uris)) return text
  const { scope: _, ...rest } = document
  const isNative = rest['application_type'] === undefined && uris.some(isAtThisMachine)
  return JSON.stringify({ ...rest, ...(isNative && { application_type: 'native' }) })
}
