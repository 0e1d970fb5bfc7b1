import { type DataSchema, readData, type ReadData } from './read-data.ts'

/** Reads text, or bytes of UTF-8 text, as JSON of this form: see {@link readData}. Never throws. */
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
