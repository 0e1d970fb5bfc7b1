import type { Control } from '@junctor/contracts'
import { type Extensions, knownExtensions } from '@junctor/protocol'
import { z } from 'zod'
import { type ReadControl, readControl } from '../nodes/read-control.ts'

/** The control messages that gateways send each other about sessions. */
export type SessionControl =
  /** A client cancelled a request that may be open on any node. `id` is the JSON text of the request id. */
  | { readonly kind: 'cancel'; readonly session: string; readonly id: string }
  /** The extensions that a session and its client agreed on, for every node that serves the session. */
  | { readonly kind: 'extensions'; readonly session: string; readonly extensions: Extensions }
  /** The session has a new home node. */
  | { readonly kind: 'session-moved'; readonly session: string; readonly home: string }
  /** A node waits for an answer for the session. Its home node must not treat the session as idle. */
  | { readonly kind: 'session-waits'; readonly session: string }
  /** Asks the home node to end the session. */
  | { readonly kind: 'end'; readonly session: string }
  /** The session has ended; every node that served it forgets it. */
  | { readonly kind: 'session-ended'; readonly session: string }
  /**
   * The session ends because its home node leaves. Every node that served it forgets it; open calls report how they
   * ended.
   */
  | { readonly kind: 'session-left'; readonly session: string }

/** The control message as it is sent. */
export function toSessionControl({ kind, ...body }: SessionControl): Control {
  return { kind, body }
}

const session = z.string()

const schema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('cancel'), session, id: z.string() }),
  z.object({
    kind: z.literal('extensions'),
    session,
    extensions: z.array(z.string()).default([]).transform(knownExtensions),
  }),
  z.object({ kind: z.literal('session-moved'), session, home: z.string() }),
  z.object({ kind: z.literal('session-waits'), session }),
  z.object({ kind: z.literal('end'), session }),
  z.object({ kind: z.literal('session-ended'), session }),
  z.object({ kind: z.literal('session-left'), session }),
])

/** Reads a control message from another node. `other`: it is not about sessions, or unknown to this version. */
export function readSessionControl(control: Control): ReadControl<SessionControl> {
  return readControl(schema, control)
}
