import { printable } from '@junctor/primitives'

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const shownCharacters = 200

/**
 * Says where a redirect leads, for the operator who has to correct a URL: origin and path only, because the rest may
 * contain secrets; the path alone if the origin stays. Undefined: the response is no redirect to a URL.
 *
 * @param location the header `Location`: untrusted
 */
export function describeRedirect(status: number, location: string | undefined): string | undefined {
  if (!redirects.has(status) || location === undefined) return undefined
  const isAbsolute = URL.canParse(location)
  // The base stands for the backend's own URL; of a relative reference only the path is shown.
  const base = 'http://backend.invalid'
  if (!isAbsolute && !URL.canParse(location, base)) return undefined
  const { protocol, origin, pathname } = new URL(location, base)
  if (protocol !== 'http:' && protocol !== 'https:') return undefined
  const target = origin === base ? pathname : `${origin}${pathname}`
  return `it redirects to ${printable(target, shownCharacters)}, so the URL in the configuration must be that one`
}
