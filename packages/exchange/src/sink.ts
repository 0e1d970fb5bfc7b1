import type { JsonObject } from '@junctor/jsonrpc'

/** Where a stream goes on, on another place of the same transport. */
export interface Diversion {
  /** The id of the stream there. */
  readonly stream: string
  /** How that place is found, as `pubServer` of an ack says it. */
  readonly server: JsonObject
}

/** Who stands behind a sink's round: told what only the transport can see. */
export interface SinkOwner {
  /** The peer is gone; nothing more can be sent here. */
  lost(): void
  /** 50 ms have passed and nothing was sent: a good moment to open a stream. */
  waiting(): void
}

/**
 * What a transport gives for one round: a place for rendered frames. Resumption, relay between nodes and batches need
 * nothing else.
 */
export interface Sink {
  /** Set by whoever answers the round. */
  owner: SinkOwner | undefined
  /** Whether frames sent here may be asked for again by event id. Streams over HTTP: yes; stdio: no. */
  readonly resumable: boolean
  /** The sink is of all requests of a batch, and gathers their answers. Default: it is of one request. */
  readonly batched?: true
  /**
   * Commits to a stream of frames, before the first of them. With an event id the stream is primed with it (an empty
   * event that a client may resume from, 2025-11-25 on). Again, on an open stream: the frames go on after that event,
   * because others went elsewhere.
   */
  open(eventId?: string): void
  /**
   * Sends one rendered frame. `last` ends the round. `text` is empty when the round ends with nothing to say.
   * `status` is the HTTP status when this frame is the whole answer. A promise means that the peer reads slowly.
   */
  send(text: string, last: boolean, eventId?: string, status?: number): Promise<void> | undefined
  /**
   * Has all that is sent from now on go to another place (JSON-RPC 3.0, extension `pubsub`). `undefined`, and nothing
   * has happened: there is none. Absent: on this transport there never is.
   *
   * @param announce gives what is sent here, before that
   * @param over told when nothing more is sent there; `lost`: because nobody listens
   */
  divert?(announce: (place: Diversion) => string, over: (lost: boolean) => void): Diversion | undefined
}
