import { type ReadData, readData } from '@junctor/contracts'
import { askNumber } from '@junctor/exchange'
import { z } from 'zod'

/**
 * A message of a client that expects no answer, as one node passes it to another: to the node that asked the client, or
 * to the home node of its session.
 */
export type ClientMessage =
  /** The answer to a question. `text` is `{"result":...}` or `{"error":...}`. */
  | { readonly session: string; readonly ask: number; readonly text: string }
  /** A notification. `text` is its params; empty: it has none. */
  | { readonly session: string; readonly method: string; readonly text: string }

const schema: z.ZodType<ClientMessage> = z.union(
  [
    // Earlier versions send the id itself.
    z.object({ session: z.string(), ask: z.union([z.number(), z.string().transform(askNumber)]), text: z.string() }),
    z.object({ session: z.string(), method: z.string(), text: z.string() }),
  ],
  'expected a session, a text, and the number of a question or a method',
)

/** Reads a message from another node, perhaps one of another version. */
export function readClientMessage(value: unknown): ReadData<ClientMessage> {
  return readData(schema, value)
}
