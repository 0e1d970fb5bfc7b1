import { headers as names } from '@junctor/protocol'

/** Headers whose values any server may repeat. */
const harmless: ReadonlySet<string> = new Set([
  names.accept,
  names.contentType,
  names.lastEventId,
  names.protocolVersion,
  names.method,
  names.name,
  'accept-encoding',
  'user-agent',
])

/** A part of a path of this length may be a key, as in `/s/<key>/mcp`. */
const longPart = 20

/**
 * What may be a secret in a request: the values of headers and of the query, and long parts of the path. Frameworks repeat
 * their requests in errors, as in "Cannot POST /mcp?key=…".
 *
 * @param path with the query
 * @param headers names and values, alternating
 */
export function sentSecrets(path: string, headers: readonly string[]): readonly string[] {
  const { pathname, search, searchParams } = new URL(path, 'http://server')
  const ofHeaders = headers.flatMap((value, at) => {
    const name = at % 2 === 1 ? (headers[at - 1] ?? '') : undefined
    // Of "Bearer abc" also "abc".
    return name === undefined || harmless.has(name) || name.startsWith(names.parameterPrefix)
      ? []
      : [value, ...value.split(' ').slice(1)]
  })
  const ofQuery = search.split(/[?&]/).map((part) => part.slice(part.indexOf('=') + 1))
  const ofPath = pathname.split('/').filter((part) => part.length >= longPart)
  return [...ofHeaders, ...ofQuery, ...searchParams.values(), ...ofPath]
}
