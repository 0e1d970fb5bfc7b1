import { isJsonObject } from '@junctor/plugin-sdk/link'

/** What a registry lists, or why it cannot be used. */
export type Registry =
  | { readonly kind: 'components'; readonly urls: readonly string[]; readonly ignored: number }
  | { readonly kind: 'unusable'; readonly why: string }

/** A registry with more components is not used: each of them is read again and again. */
const mostComponents = 1_000

/**
 * Reads the document of a registry: `{ "components": [URL or { "url": URL }] }`, or only the list. URLs may be relative
 * to that of the registry. Entries without a URL are ignored.
 *
 * @param base the URL of the registry
 */
export function readRegistry(document: unknown, base: string): Registry {
  const listed = isJsonObject(document) ? document['components'] : document
  if (!Array.isArray(listed)) return { kind: 'unusable', why: 'expected { "components": [...] }' }
  if (listed.length > mostComponents)
    return { kind: 'unusable', why: `it lists more than ${mostComponents} components` }
  const urls = listed.flatMap((entry) => urlOf(entry, base) ?? [])
  return { kind: 'components', urls: [...new Set(urls)], ignored: listed.length - urls.length }
}

function urlOf(entry: unknown, base: string): string | undefined {
  const text = isJsonObject(entry) ? entry['url'] : entry
  if (typeof text !== 'string' || !URL.canParse(text, base)) return undefined
  const url = new URL(text, base)
  const isUsable = /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  return isUsable ? url.href : undefined
}
