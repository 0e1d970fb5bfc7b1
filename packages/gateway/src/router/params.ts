import type { Outcome } from '@junctor/exchange'
import { describeJson, isJsonObject, type JsonObject, type Payload } from '@junctor/jsonrpc'
import type { Call } from '../upstream/calls/call.ts'
import { failed } from '../upstream/calls/failed.ts'

/** The params of a request, with one text member that its method requires. */
export interface ReadParam {
  readonly kind: 'ok'
  readonly text: string
  readonly params: Payload
  readonly value: JsonObject
}

/** A text among the params, or the outcome for params without it. */
export type TextParam = ReadParam | { readonly kind: 'bad'; readonly outcome: Outcome }

/** Reads the required text member of the params: `name`, `uri` or `level`. */
export function textParam(call: Call, member: string): TextParam {
  const { params, method } = call.request
  const value = params?.value()
  if (params === undefined || !isJsonObject(value)) {
    return bad(call, `${method} expects params with "${member}", got ${params === undefined ? 'none' : 'an array'}`)
  }
  const text = value[member]
  if (typeof text !== 'string')
    return bad(call, `${method} expects "${member}" to be a string, got ${describeJson(text)}`)
  return { kind: 'ok', text, params, value }
}

function bad(call: Call, message: string): TextParam {
  return { kind: 'bad', outcome: failed(call, 'invalid_params', { message }) }
}
