import type { Control } from '@junctor/contracts'
import { z } from 'zod'
import { type ReadControl, readControl } from '../nodes/read-control.ts'
import type { TenantCalls } from './call-rates.ts'

/** The kind of the only message about rates. */
const kind = 'rates'

const count = z.int().min(0)

/** A tuple for each limit: its name, the calls that clients tried, and those that were admitted. */
const schema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal(kind), tenant: z.string(), calls: z.array(z.tuple([z.string(), count, count])) }),
])

/** Creates the control message with which a node reports its calls to the others. */
export function toRateControl({ tenant, calls }: TenantCalls): Control {
  return { kind, body: { tenant, calls: calls.map(({ name, tried, admitted }) => [name, tried, admitted]) } }
}

/** Reads a control message from another node. `other`: it is not about rates. */
export function readRateControl(control: Control): ReadControl<TenantCalls> {
  const read = readControl(schema, control)
  if (read.kind !== 'read') return read
  const { tenant, calls } = read.value
  return {
    kind: 'read',
    value: { tenant, calls: calls.map(([name, tried, admitted]) => ({ name, tried, admitted })) },
  }
}
