import { PubHeaders, type StoredMsg } from '@nats-io/jetstream'
import type { Msg } from '@nats-io/transport-node'
import type { StoredSeal } from './stored-seal.ts'

/** What stands beside a message. Whoever may write to the stream may have written it, unless the message was opened. */
export interface StoredFields {
  readonly subject: string
  readonly sequence: number
  /** When it was stored, by the server's clock, in epoch milliseconds. */
  readonly storedAt: number
  /** Empty: there is no such field. */
  field(name: string): string
}

/** A message that a node of the cluster has stored where it is, with these fields. */
export interface StoredMessage extends StoredFields {
  readonly data: Uint8Array
  /** The data as UTF-8. */
  text(): string
}

/** The end of a subject. */
export interface LastMessage {
  /** What a publish names that is to come next; 0: there is no message. */
  readonly sequence: number
  /** Undefined: there is none, or none that a node of the cluster has stored. */
  readonly message: StoredMessage | undefined
}

/** Where the fields of a message are, as JSON. */
export const fieldsHeader = 'Junctor-Fields'

/** A message as the server has it. */
export interface SealedMessage extends Omit<StoredFields, 'field'> {
  /** Of the publish. */
  readonly id: string
  /** As JSON; empty: it has none. */
  readonly fields: string
  readonly sealed: Uint8Array
}

/** A message that the server was asked for. */
export function fromStored({ subject, seq, time, header, data }: StoredMsg): SealedMessage {
  const [id, fields] = [header.get(PubHeaders.MsgIdHdr), header.get(fieldsHeader)]
  return { subject, sequence: seq, storedAt: time.getTime(), id, fields, sealed: data }
}

/**
 * A message that a consumer delivered. The sequence and the time are in the subject for acknowledgements, whose begin has
 * two forms.
 */
export function fromDelivered({ subject, reply = '', headers: header, data }: Msg): SealedMessage {
  const parts = reply.split('.')
  const at = parts.length > 9 ? 7 : 5
  return {
    subject,
    sequence: Number(parts[at]),
    storedAt: Math.floor(Number(parts[at + 2]) / 1_000_000),
    id: header?.get(PubHeaders.MsgIdHdr) ?? '',
    fields: header?.get(fieldsHeader) ?? '',
    sealed: data,
  }
}

/** Reads fields. What is no JSON of a node's has none. */
function fieldsIn(text: string): (name: string) => string {
  let fields: Readonly<Record<string, unknown>> = {}
  try {
    if (text !== '') fields = Object(JSON.parse(text)) as Readonly<Record<string, unknown>>
  } catch {
    // See above.
  }
  return (name) => (typeof fields[name] === 'string' ? fields[name] : '')
}

/** What stands beside a message, as it stands there. */
export function readFields({ subject, sequence, storedAt, fields }: SealedMessage): StoredFields {
  return { subject, sequence, storedAt, field: fieldsIn(fields) }
}

/** What a message is bound to. Names and subjects have no blanks, so no two triples are one text. */
export function placeOf(stream: string, subject: string, fields: string): string {
  return `${stream} ${subject} ${fields}`
}

/** The message; undefined: no node of the cluster has stored it, in this stream, under this subject, with these fields. */
export function openMessage(found: SealedMessage, stream: string, seal: StoredSeal): StoredMessage | undefined {
  const { subject, fields, sealed } = found
  const data = seal.open(placeOf(stream, subject, fields), sealed)
  if (data === undefined) return undefined
  const text = (): string => Buffer.from(data.buffer, data.byteOffset, data.length).toString()
  return { ...readFields(found), data, text }
}
