import { type Control, type ReadData, readData } from '@junctor/contracts'
import { isJsonObject } from '@junctor/jsonrpc'
import type { z } from 'zod'

/** A control message of another node, as one of its listeners reads it. */
export type ReadControl<Known> =
  | ReadData<Known>
  /** A message of another kind: for another listener, or of another version. */
  | { readonly kind: 'other' }

/** The schema of all control messages of one listener: an object for each kind, with the members of its body. */
type ControlSchema<Known> = z.ZodType<Known> & {
  readonly options: readonly { readonly shape: { readonly kind: { readonly value: string } } }[]
}

/** Reads a control message of another node, perhaps one of another version. */
export function readControl<Known>(schema: ControlSchema<Known>, { kind, body }: Control): ReadControl<Known> {
  if (!schema.options.some(({ shape }) => shape.kind.value === kind)) return { kind: 'other' }
  if (!isJsonObject(body)) return { kind: 'unreadable', problem: `${kind}: expected an object` }
  return readData(schema, { ...body, kind })
}
