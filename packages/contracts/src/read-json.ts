import { parseJson } from '@junctor/jsonrpc'
import { type DataSchema, readData, type ReadData } from './read-data.ts'

/** Reads text, or bytes of UTF-8 text, as JSON of this form: see {@link readData}. Never throws. */
export function readJson<Value>(schema: DataSchema<Value>, data: Uint8Array | string): ReadData<Value> {
  const text = typeof data === 'string' ? data : Buffer.from(data.buffer, data.byteOffset, data.length).toString()
  const value = parseJson(text)
  return value === undefined ? { kind: 'unreadable', problem: 'expected JSON' } : readData(schema, value)
}
