import { type DataSchema, readData, type ReadData } from '@junctor/contracts'
import type { JsonValue } from '@junctor/jsonrpc'

/** Reads UTF-8 text or its bytes as JSON of this form. Never throws. */
export function readJson<Value>(schema: DataSchema<Value>, data: Uint8Array | string): ReadData<Value> {
  const text = typeof data === 'string' ? data : Buffer.from(data.buffer, data.byteOffset, data.length).toString()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'unreadable', problem: 'expected JSON' }
  }
  return readData(schema, value)
}

/** Accepts any JSON: the user of a store or a queue validates its values. */
export function anyJson<Value extends JsonValue>(): DataSchema<Value> {
  return { safeParse: (value) => ({ success: true, data: value as Value }) }
}
