import { isJsonObject, type JsonValue, methods, type Payload, type Request } from '@junctor/plugin-sdk/link'
import { connectTool } from './unconnected-server.ts'

/** How long a server may take to answer after it can be called, in milliseconds. */
export const connectMs = 60_000

/** Whether a request calls the tool of an unconnected backend. */
export function isConnect({ method, params }: Request): boolean {
  return method === methods.toolsCall && params !== undefined && nameIn(params) === connectTool
}

/** The member `name` of a payload. */
export function nameIn(payload: Payload): JsonValue | undefined {
  const value = payload.value()
  return isJsonObject(value) ? value['name'] : undefined
}
