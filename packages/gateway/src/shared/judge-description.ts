import type { JsonObject, Request } from '@junctor/jsonrpc'
import type { ClientDescription } from '@junctor/exchange'

/**
 * How long `clientInfo` and `capabilities` may be together, in characters of JSON: they are kept for each session and job, and
 * go to other nodes with each request.
 */
const mostCharacters = 65_536

/** What a client says of itself, if it is not too long. */
export type JudgedDescription =
  | { readonly kind: 'fits'; readonly info: JsonObject }
  | { readonly kind: 'too_long'; readonly message: string }

/**
 * Judges how long a client describes itself. Icons, which may be whole images in `data:` URIs, are left out when the rest
 * fits without them.
 *
 * @param request that contains the description
 */
export function judgeDescription(
  { params }: Pick<Request, 'params'>,
  { info, capabilities }: ClientDescription,
): JudgedDescription {
  // Only large params have a text, and a description is not longer than all params: that of most requests need not be printed.
  if (params?.text === undefined || params.text.length <= mostCharacters) return { kind: 'fits', info }
  const ofCapabilities = JSON.stringify(capabilities).length
  const length = JSON.stringify(info).length + ofCapabilities
  if (length <= mostCharacters) return { kind: 'fits', info }
  const { icons: _, ...plain } = info
  if (JSON.stringify(plain).length + ofCapabilities <= mostCharacters) return { kind: 'fits', info: plain }
  const message = `Expects what the client says of itself, and its capabilities, to be at most ${mostCharacters} characters, got ${length}`
  return { kind: 'too_long', message }
}
