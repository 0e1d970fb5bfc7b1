import { memberOf, type Request } from '@junctor/jsonrpc'
import { headers } from '../headers.ts'
import { methods } from '../methods.ts'
import { decodeHeaderText, isPlainText } from './header-text.ts'

/** The param that `Mcp-Name` repeats, by method (for tasks: SEP-2663, "Routing Headers"). */
const namedBy: Readonly<Record<string, 'name' | 'uri' | 'taskId'>> = {
  [methods.toolsCall]: 'name',
  [methods.promptsGet]: 'name',
  [methods.resourcesRead]: 'uri',
  [methods.tasksGet]: 'taskId',
  [methods.tasksUpdate]: 'taskId',
  [methods.tasksCancel]: 'taskId',
}

/** Returns the name, URI or task that `Mcp-Name` repeats. Undefined: the request has none. */
export function mirroredName({ method, params }: Pick<Request, 'method' | 'params'>): string | undefined {
  const param = Object.hasOwn(namedBy, method) ? namedBy[method] : undefined
  const name = param === undefined ? undefined : memberOf(params?.value(), param)
  return typeof name === 'string' ? name : undefined
}

/**
 * Judges the headers that repeat members of a request (2026-07-28, Streamable HTTP, "Server Validation").
 *
 * @param version the one in the request's `_meta`
 * @param header returns a header by its lower-case name
 * @returns what is wrong. Undefined: nothing is
 */
export function judgeMirrors(
  request: Pick<Request, 'method' | 'params'>,
  version: string,
  header: (name: string) => string | undefined,
): string | undefined {
  const name = mirroredName(request)
  return (
    judge('MCP-Protocol-Version', header(headers.protocolVersion), version) ??
    judge('Mcp-Method', header(headers.method), request.method) ??
    (name === undefined ? undefined : judgeName(header(headers.name), name))
  )
}

function judge(title: string, value: string | undefined, expected: string): string | undefined {
  if (value === undefined) return `Expected the header ${title}, got none`
  return value === expected ? undefined : `The header ${title} is ${shown(value)}, and the body has ${shown(expected)}`
}

/** The same for the name, which may be encoded. */
function judgeName(value: string | undefined, expected: string): string | undefined {
  if (value === expected && isPlainText(value)) return undefined
  const read = value === undefined ? undefined : decodeHeaderText(value)
  if (read?.kind === 'invalid') return `The header Mcp-Name has a value that cannot be decoded: ${shown(value ?? '')}`
  return judge('Mcp-Name', read?.text, expected)
}

/** The most characters of a value that an error repeats. */
const shownCharacters = 100

function shown(value: string): string {
  return JSON.stringify(value.length > shownCharacters ? `${value.slice(0, shownCharacters)}...` : value)
}
