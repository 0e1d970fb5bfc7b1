import { type JsonValue, memberOf, methods, type Payload, type Request } from '@junctor/plugin-sdk/link'
import { connectTool } from './unconnected-server.ts'

/** Whether a request calls the tool of an unconnected backend. */
export function isConnect({ method, params }: Request): boolean {
  return method === methods.toolsCall && params !== undefined && nameIn(params) === connectTool
}

/** The member `name` of a payload. */
export function nameIn(payload: Payload): JsonValue | undefined {
  return memberOf(payload.value(), 'name')
}
