import type { ErrorResponse, RequestId } from '@junctor/jsonrpc'
import { mcpProfile } from '../profiles/mcp.ts'
import { wireError } from './wire-error.ts'

const view = { revision: undefined, dialect: '2.0', profile: mcpProfile } as const

/**
 * The response in place of one that cannot be read, so that its caller does not wait until its deadline.
 *
 * @param problem what is wrong with the response that arrived
 * @param backend the name of the backend. Default: none is named
 */
export function invalidResponse(id: RequestId, problem: string, backend?: string): ErrorResponse {
  const message = `The backend sent no valid response: ${problem}`
  const error = wireError('tool_failed', view, { message, ...(backend !== undefined && { backend }) })
  return { kind: 'error', dialect: '2.0', id, error }
}
