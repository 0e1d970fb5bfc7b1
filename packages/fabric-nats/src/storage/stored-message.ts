import { memberOf, parseJson } from '@junctor/jsonrpc'
import { PubHeaders, type StoredMsg } from '@nats-io/jetstream'
import { headersOf } from '@junctor/nats'
import type { Msg } from '@nats-io/transport-node'
import type { StoredSeal } from '../seal/stored-seal.ts'

/**
 * The data beside a message. Anyone with write access to the stream may have written them, unless the message was
 * opened.
 */
export interface StoredFields {
  readonly subject: string
  readonly sequence: number
  /** When it was stored, by the server's clock, in epoch milliseconds. */
  readonly storedAt: number
  /** The value of a field; empty when the message does not have it. */
  field(name: string): string
}

/** A message that a node of the cluster has stored in this place, with these fields. */
export interface StoredMessage extends StoredFields {
  readonly data: Uint8Array
  /** The data as UTF-8. */
  text(): string
}

/** The last message of a subject. */
export interface LastMessage {
  /** The sequence that a conditional publish must expect; 0 when there is no message. */
  readonly sequence: number
  /** Undefined when there is no message, or none that a node of the cluster has stored. */
  readonly message: StoredMessage | undefined
}

/** The header with the fields of a message, as JSON. */
export const fieldsHeader = 'Junctor-Fields'

/** A message as stored on the server. */
export interface SealedMessage extends Omit<StoredFields, 'field'> {
  /** The id of the publish. */
  readonly id: string
  /** As JSON; empty when the message has no fields. */
  readonly fields: string
  readonly sealed: Uint8Array
}

/** A message that was read directly from the server. */
export function fromStored({ subject, seq, time, header, data }: StoredMsg): SealedMessage {
  const [id, fields] = [header.get(PubHeaders.MsgIdHdr), header.get(fieldsHeader)]
  return { subject, sequence: seq, storedAt: time.getTime(), id, fields, sealed: data }
}

/**
 * A message that a consumer delivered. The sequence and the time are in its acknowledgement subject, whose beginning
 * has two forms.
 */
export function fromDelivered(message: Msg): SealedMessage {
  const { subject, reply = '', data } = message
  const header = headersOf(message)
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

/** Parses fields. Text that is not JSON of a node has no fields. */
function fieldsIn(text: string): (name: string) => string {
  const fields = text === '' ? undefined : parseJson(text)
  return (name) => {
    const field = memberOf(fields, name)
    return typeof field === 'string' ? field : ''
  }
}

/** The data beside a message, without a proof. */
export function readFields({ subject, sequence, storedAt, fields }: SealedMessage): StoredFields {
  return { subject, sequence, storedAt, field: fieldsIn(fields) }
}

/**
 * The place to which a message is bound. Names and subjects contain no spaces, so different places give different
 * texts.
 */
export function placeOf(stream: string, subject: string, fields: string): string {
  return `${stream} ${subject} ${fields}`
}

/**
 * Opens a message; undefined unless a node of the cluster has stored it in this stream, on this subject, with these
 * fields.
 */
export function openMessage(found: SealedMessage, stream: string, seal: StoredSeal): StoredMessage | undefined {
  const { subject, fields, sealed } = found
  const data = seal.open(placeOf(stream, subject, fields), sealed)
  if (data === undefined) return undefined
  const text = (): string => Buffer.from(data.buffer, data.byteOffset, data.length).toString()
  return { ...readFields(found), data, text }
}
