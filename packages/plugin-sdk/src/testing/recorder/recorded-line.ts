import type { ListKind } from '@junctor/contracts'
import type { EndReason } from '@junctor/exchange'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import * as z from 'zod'

/** The version of the file format. */
export const recordingVersion = 1

/** A request or a notification. */
export interface RecordedMessage {
  readonly method: string
  readonly params?: JsonValue | undefined
}

/** A result or an error. */
export type RecordedAnswer =
  | { readonly result: JsonValue }
  | {
      readonly error: {
        readonly code: number
        readonly message: string
        readonly title?: string | undefined
        readonly data?: JsonValue | undefined
      }
    }

/** The request of a call. */
export interface RecordedRequest extends RecordedMessage {
  readonly kind: 'call'
  /** Counted from 1, over all links. */
  readonly call: number
  readonly link: number
  readonly options?: JsonValue | undefined
}

/** What happens in a call. */
export type CallEvent = { readonly call: number } & (
  | { readonly kind: 'ack'; readonly ack: JsonObject }
  | { readonly kind: 'progress'; readonly progress: JsonObject }
  | { readonly kind: 'chunk'; readonly data: JsonValue }
  | ({ readonly kind: 'notification' } & RecordedMessage)
  | ({ readonly kind: 'ask'; readonly ask: number; readonly to: 'client' | 'gateway' } & RecordedMessage)
  | { readonly kind: 'answer'; readonly ask: number; readonly answer: RecordedAnswer }
  | { readonly kind: 'end'; readonly reason: EndReason }
  | { readonly kind: 'outcome'; readonly outcome: RecordedAnswer }
)

/** What happens on a link outside of its calls. `sent` is what the client sends. */
export type LinkEvent = { readonly link: number } & (
  | ({ readonly kind: 'sent' } & RecordedMessage)
  | ({ readonly kind: 'received' } & RecordedMessage)
  | { readonly kind: 'closed'; readonly error: string }
)

/** One line of a recording. */
export type RecordedLine =
  | {
      readonly kind: 'recording'
      readonly version: number
      readonly backend: string
      readonly correlates: boolean
      readonly methods?: readonly string[] | undefined
    }
  | { readonly kind: 'open'; readonly link: number; readonly server: JsonObject }
  | { readonly kind: 'refused'; readonly link: number; readonly error: string }
  | { readonly kind: 'list'; readonly link: number; readonly list: ListKind; readonly items: readonly JsonValue[] }
  | { readonly kind: 'unlisted'; readonly link: number; readonly list: ListKind; readonly error: string }
  | RecordedRequest
  | CallEvent
  | LinkEvent

const value = z.json() as z.ZodType<JsonValue>
const object = z.record(z.string(), value) as z.ZodType<JsonObject>
const count = z.int().min(1)
const message = { method: z.string(), params: value.optional() }
const error = z.strictObject({
  code: z.int(),
  message: z.string(),
  title: z.string().optional(),
  data: value.optional(),
})
const answer = z.union([z.strictObject({ result: value }), z.strictObject({ error })])
const list = z.enum(['tools', 'resources', 'resourceTemplates', 'prompts'])
const reason = z.enum(['cancelled', 'disconnected', 'deadline', 'session_ended', 'lease_lost', 'shutdown'])

function line<Kind extends string, Shape extends z.ZodRawShape>(
  kind: Kind,
  shape: Shape,
): z.ZodObject<{ kind: z.ZodLiteral<Kind> } & Shape> {
  return z.strictObject({ kind: z.literal(kind), ...shape })
}

/** The schema of a line. */
export const recordedLine: z.ZodType<RecordedLine> = z.discriminatedUnion('kind', [
  line('recording', {
    version: z.literal(recordingVersion, `expected version ${recordingVersion}`),
    backend: z.string(),
    correlates: z.boolean(),
    methods: z.array(z.string()).optional(),
  }),
  line('open', { link: count, server: object }),
  line('refused', { link: count, error: z.string() }),
  line('list', { link: count, list, items: z.array(value) }),
  line('unlisted', { link: count, list, error: z.string() }),
  line('call', { call: count, link: count, ...message, options: value.optional() }),
  line('ack', { call: count, ack: object }),
  line('progress', { call: count, progress: object }),
  line('chunk', { call: count, data: value }),
  line('notification', { call: count, ...message }),
  line('ask', { call: count, ask: count, to: z.enum(['client', 'gateway']), ...message }),
  line('answer', { call: count, ask: count, answer }),
  line('end', { call: count, reason }),
  line('outcome', { call: count, outcome: answer }),
  line('sent', { link: count, ...message }),
  line('received', { link: count, ...message }),
  line('closed', { link: count, error: z.string() }),
])
