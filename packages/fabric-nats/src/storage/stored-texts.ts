import { randomUUID } from 'node:crypto'
import type { Subjects } from '@junctor/nats'
import { RetentionPolicy } from '@nats-io/jetstream'
import { Empty } from '@nats-io/transport-node'
import type { Storage } from './storage.ts'
import type { LastMessage, StoredFields, StoredMessage } from './stored-message.ts'
import { type PublishOptions, StoredStream, type StreamShape } from './stored-stream.ts'

/** The field with the id of a text's pieces. */
const piecesField = 'pieces'

/** The field with the total size of all pieces. */
const sizeField = 'size'

/** The field with the index of a piece, from 0: it is sealed, so that no other party can change the order. */
const pieceField = 'piece'

/** Where the pieces of texts are stored that are too large for one message. */
export interface Pieces {
  readonly subjects: Subjects
  /** The owner of the texts. */
  readonly owner: string
  /** When the server removes the pieces, in milliseconds: not before the messages that name them have expired. */
  readonly maxAgeMs: number
}

/**
 * A stream of texts of any length. A text that is too large for one message is stored before it, in pieces; the message
 * then names the pieces, so that the text exists completely or not at all.
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

  /** Like `StoredStream.publish`, for any length. */
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

  /** Like `StoredStream.last`. */
  last(subject: string): Promise<LastMessage> {
    return this.#messages.last(subject)
  }

  /** Like `StoredStream.read`. */
  read(filter: string): Promise<readonly StoredMessage[]> {
    return this.#messages.read(filter)
  }

  /** Like `StoredStream.readFields`. */
  readFields(filter: string): Promise<readonly StoredFields[]> {
    return this.#messages.readFields(filter)
  }

  /** Deletes the single message of a subject, and its pieces. */
  async delete(subject: string): Promise<void> {
    const { message } = await this.#messages.last(subject)
    const id = message?.field(piecesField) ?? ''
    await this.#messages.purge(subject)
    if (id !== '') await this.#pieces.purge(this.#subjectOf(id))
  }

  /** Deletes the pieces of a message that another has replaced. If that fails, they expire later. */
  async dropPieces(message: StoredMessage): Promise<void> {
    const id = message.field(piecesField)
    if (id !== '') await this.#pieces.purge(this.#subjectOf(id)).catch(() => {})
  }

  /** Like `StoredStream.purge`. The pieces expire later. */
  purge(subject: string, before?: number): Promise<void> {
    return this.#messages.purge(subject, before)
  }

  /** The whole text of a message; undefined when its pieces were deleted, or the server has lost them. */
  async textOf(message: StoredMessage): Promise<string | undefined> {
    const id = message.field(piecesField)
    if (id === '') return message.text()
    const pieces = await this.#pieces.read(this.#subjectOf(id))
    if (!pieces.every((piece, at) => piece.field(pieceField) === String(at))) return undefined
    const data = Buffer.concat(pieces.map((piece) => piece.data))
    return data.length === Number(message.field(sizeField)) ? data.toString() : undefined
  }
}
