import { randomUUID } from 'node:crypto'
import type { Subjects } from '@junctor/nats'
import { RetentionPolicy } from '@nats-io/jetstream'
import { Empty } from '@nats-io/transport-node'
import type { Storage } from './storage.ts'
import type { LastMessage, StoredFields, StoredMessage } from './stored-message.ts'
import { type PublishOptions, StoredStream, type StreamShape } from './stored-stream.ts'

/** Where the pieces of a message's text are. */
const piecesField = 'pieces'

/** How many bytes all pieces have. */
const sizeField = 'size'

/** Which of the pieces of its text one is, from 0 on: nobody else may change their order. */
const pieceField = 'piece'

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
    const { room } = this.#pieces
    for (let piece = 0; piece * room < data.length; piece += 1) {
      const part = data.subarray(piece * room, (piece + 1) * room)
      await this.#pieces.publish(this.#subjectOf(id), part, { fields: { [pieceField]: String(piece) } })
    }
    const fields = { ...options.fields, [piecesField]: id, [sizeField]: String(data.length) }
    const stored = await this.#messages.publish(subject, Empty, { ...options, fields })
    if (stored === 'conflict') await this.#pieces.purge(this.#subjectOf(id))
    return stored
  }

  /** As `StoredStream.last`. */
  last(subject: string): Promise<LastMessage> {
    return this.#messages.last(subject)
  }

  /** As `StoredStream.read`. */
  read(filter: string): Promise<readonly StoredMessage[]> {
    return this.#messages.read(filter)
  }

  /** As `StoredStream.readFields`. */
  readFields(filter: string): Promise<readonly StoredFields[]> {
    return this.#messages.readFields(filter)
  }

  /** Deletes the one message of a subject, and its pieces. */
  async delete(subject: string): Promise<void> {
    const { message } = await this.#messages.last(subject)
    const id = message?.field(piecesField) ?? ''
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
    if (id === '') return message.text()
    const pieces = await this.#pieces.read(this.#subjectOf(id))
    if (!pieces.every((piece, at) => piece.field(pieceField) === String(at))) return undefined
    const data = Buffer.concat(pieces.map((piece) => piece.data))
    return data.length === Number(message.field(sizeField)) ? data.toString() : undefined
  }
}
