import { randomUUID } from 'node:crypto'
import type { Subjects } from '@junctor/nats'
import { RetentionPolicy } from '@nats-io/jetstream'
import { Empty } from '@nats-io/transport-node'
import type { Storage } from './storage.ts'
import { type PublishOptions, type StoredMessage, StoredStream, type StreamShape } from './stored-stream.ts'

/** Where the pieces of a message's text are. */
const piecesField = 'Junctor-Pieces'

/** How many bytes all pieces have. */
const sizeField = 'Junctor-Size'

export interface Pieces {
  readonly subjects: Subjects
  /** Whose texts they are. */
  readonly owner: string
  /** When the server removes them, in milliseconds: not before the messages that name them count no more. */
  readonly maxAgeMs: number
}

/**
 * A stream of texts of any length. What no message can hold is stored before it, in pieces of their own; the message
 * then says where they are, so that it is there whole or not at all.
 */
export class StoredTexts {
  readonly #messages: StoredStream
  readonly #pieces: StoredStream
  readonly #subjectOf: (id: string) => string

  constructor(storage: Storage, shape: StreamShape, { subjects, owner, maxAgeMs }: Pieces) {
    this.#messages = new StoredStream(storage, shape)
    this.#subjectOf = (id) => subjects.pieces(owner, id)
    this.#pieces = new StoredStream(storage, {
      kind: shape.kind,
      name: subjects.stream('pieces', owner),
      subjects: subjects.pieces(owner),
      retention: RetentionPolicy.Limits,
      maxAgeMs,
    })
  }

  /** As `StoredStream.publish`, whatever the length. */
  async publish(subject: string, text: string, options: PublishOptions): Promise<number | 'conflict'> {
    const data = Buffer.from(text)
    if (data.length <= this.#messages.room) return this.#messages.publish(subject, data, options)
    const id = randomUUID()
    for (const piece of cut(data, this.#pieces.room)) await this.#pieces.publish(this.#subjectOf(id), piece)
    const fields = { ...options.fields, [piecesField]: id, [sizeField]: String(data.length) }
    const stored = await this.#messages.publish(subject, Empty, { ...options, fields })
    if (stored === 'conflict') await this.#pieces.purge(this.#subjectOf(id))
    return stored
  }

  /** As `StoredStream.last`. */
  last(subject: string): Promise<StoredMessage | undefined> {
    return this.#messages.last(subject)
  }

  /** As `StoredStream.read`. */
  read(filter: string, fieldsOnly?: boolean): Promise<readonly StoredMessage[]> {
    return this.#messages.read(filter, fieldsOnly)
  }

  /** Deletes the one message of a subject, and its pieces. */
  async delete(subject: string): Promise<void> {
    const id = (await this.#messages.last(subject))?.field(piecesField) ?? ''
    await this.#messages.purge(subject)
    if (id !== '') await this.#pieces.purge(this.#subjectOf(id))
  }

  /** As `StoredStream.purge`. Pieces go when their time is over. */
  purge(subject: string, before?: number): Promise<void> {
    return this.#messages.purge(subject, before)
  }

  /** A message's whole text; undefined when its pieces are gone, because it was deleted or the server has lost them. */
  async textOf(message: StoredMessage): Promise<string | undefined> {
    const id = message.field(piecesField)
    if (id === '') return message.text
    const pieces = await this.#pieces.read(this.#subjectOf(id))
    const text = pieces.map((piece) => piece.text).join('')
    return Buffer.byteLength(text) === Number(message.field(sizeField)) ? text : undefined
  }
}

/** Pieces of at most so many bytes, none of which ends within a character. */
function cut(data: Buffer, size: number): readonly Buffer[] {
  const pieces: Buffer[] = []
  for (let start = 0; start < data.length;) {
    let end = Math.min(start + size, data.length)
    while (end < data.length && isContinued(data[end])) end -= 1
    pieces.push(data.subarray(start, end))
    start = end
  }
  return pieces
}

/** Whether a byte belongs to the character before it (RFC 3629). */
function isContinued(byte: number | undefined): boolean {
  return ((byte ?? 0) & 0xc0) === 0x80
}
