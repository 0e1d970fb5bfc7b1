import { isJsonObject, type JsonObject, parseExactly } from '@junctor/jsonrpc'
import type { RequestContext } from './request-context.ts'
import { ToolCallFailed } from './tool-call-failed.ts'

/** The names of tools among the hosts: those of the internal network of a Spin application. */
const toolHosts = '.spin.internal'

/** The HTTP statuses of refused calls. Any other failure is a bad gateway. */
const statuses: ReadonlyMap<string | undefined, number> = new Map([
  ['unknown_tool', 404],
  ['invalid_params', 400],
  ['invalid_arguments', 400],
  ['deadline_exceeded', 504],
  ['backend_unavailable', 503],
  ['overloaded', 503],
])

/**
 * Returns a `fetch` for which `http://<tool>.spin.internal/` is the tool of that name: a POST with the arguments as JSON
 * gets the result as JSON. All other addresses are those of the network.
 */
export function toolFetch(callTool: RequestContext['callTool']): typeof fetch {
  return async (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input)
    if (!hostname.endsWith(toolHosts)) return fetch(input, init)
    const request = new Request(input, init)
    const tool = hostname.slice(0, -toolHosts.length)
    if (request.method !== 'POST') return refused(405, `Expected POST with the arguments of ${tool}`, { allow: 'POST' })
    const given = argumentsIn(await request.text())
    if (given === undefined) return refused(400, `Expected the arguments of ${tool} as a JSON object`)
    try {
      return Response.json(await callTool(tool, given, { signal: request.signal }))
    } catch (error) {
      if (!(error instanceof ToolCallFailed)) throw error
      return refused(statuses.get(error.reason) ?? 502, error.message)
    }
  }
}

/** No body: no arguments. */
function argumentsIn(body: string): JsonObject | undefined {
  if (body === '') return {}
  try {
    const value = parseExactly(body)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function refused(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: { message } }, { status, headers })
}
