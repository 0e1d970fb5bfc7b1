import type { DataSchema } from '@junctor/contracts'
import type { JsonValue } from '@junctor/jsonrpc'

/** Accepts any JSON: the user of a store or a queue validates its values. */
export function anyJson<Value extends JsonValue>(): DataSchema<Value> {
  return { safeParse: (value) => ({ success: true, data: value as Value }) }
}
