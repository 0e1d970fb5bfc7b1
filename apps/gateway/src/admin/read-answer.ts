import { parseJson } from '@junctor/jsonrpc'
import type { Failure } from '@junctor/command'
import { type DataSchema, readData } from '@junctor/contracts'
import { failed } from '../report/failed.ts'

/** The body of an answer of the admin port, or why this command cannot use it. */
export type ReadAnswer<Value> =
  /** `whole`: the body with the members that this version does not know. */
  | { readonly kind: 'read'; readonly value: Value; readonly whole: unknown }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Reads an answer of the admin port of a gateway, perhaps one of another version. Never rejects. */
export async function readAnswer<Value>(
  schema: DataSchema<Value>,
  response: Pick<Response, 'text'>,
  url: string,
): Promise<ReadAnswer<Value>> {
  let text: string
  try {
    text = await response.text()
  } catch (error) {
    const { message } = error as Error
    return failed(`the answer of ${url} broke off: ${message}`, 'Try again, and look at the log of the gateway.')
  }
  const whole = parseJson(text)
  if (whole === undefined) {
    const next = 'Check that --admin is the address of listen.admin of a gateway, and that no proxy changes answers.'
    return failed(`${url} answered with something else than JSON`, next)
  }
  const read = readData(schema, whole)
  if (read.kind === 'read') return { kind: 'read', value: read.value, whole }
  const next =
    'The gateway may have another version: use the "junctor" of that version, or update the older of the two.'
  return failed(`this version of junctor cannot read the answer of ${url}: ${read.problem}`, next)
}
