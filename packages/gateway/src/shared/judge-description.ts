import type { Request } from '@junctor/jsonrpc'
import type { ClientDescription } from '@junctor/exchange'

/**
 * How long `clientInfo` and `capabilities` may be together, in characters of JSON: they are kept for each session and job, and
 * go to other nodes with each request.
 */
const mostCharacters = 65_536

/**
 * Judges how long a client describes itself.
 *
 * @param request that contains the description
 * @returns what is wrong. Undefined: nothing is
 */
export function judgeDescription(
  { params }: Pick<Request, 'params'>,
  { info, capabilities }: ClientDescription,
): string | undefined {
  // Only large params have a text, and a description is not longer than all params: that of most requests need not be printed.
  if (params?.text === undefined || params.text.length <= mostCharacters) return undefined
  const length = JSON.stringify(info).length + JSON.stringify(capabilities).length
  if (length <= mostCharacters) return undefined
  return `Expects what the client says of itself, and its capabilities, to be at most ${mostCharacters} characters, got ${length}`
}
