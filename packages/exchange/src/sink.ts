import type { JsonObject } from '@junctor/jsonrpc'

/** Another place of the same transport, where a stream continues. */
export interface Redirection {
  /** The id of the stream there. */
  readonly stream: string
  /** How to reach that place, as in `pubServer` of an ack. */
  readonly server: JsonObject
}

/** The owner of the round of a sink. The transport calls it with events that only the transport can see. */
export interface SinkOwner {
  /** Called when the peer is gone and nothing more can be sent here. */
  lost(): void
  /** Called when nothing was sent for 50 ms, so that the owner can open a stream. */
  waiting(): void
}

/**
 * The target that a transport provides for the rendered frames of one round. Resumption, relay between nodes and
 * batches need only this interface.
 */
export interface Sink {
  /** Set by the component that answers the round. */
  owner: SinkOwner | undefined
  /** Whether frames sent here can be replayed by event id. Streams over HTTP: yes; stdio: no. */
  readonly resumable: boolean
  /**
   * Whether the sink is shared by all requests of a batch, and gathers their answers. Default: it is for one request.
   */
  readonly batched?: true
  /**
   * Opens a stream of frames, before the first frame. With an event id, the stream starts with an empty event of this
   * id that a client may resume from (2025-11-25 on). Called again on an open stream: the frames continue after that
   * event, because others were sent elsewhere.
   */
  open(eventId?: string): void
  /**
   * Sends one rendered frame. `last` ends the round. `text` is empty when the round ends without a message. `status` is
   * the HTTP status when this frame is the entire answer. A returned promise means that the peer reads slowly.
   */
  send(text: string, last: boolean, eventId?: string, status?: number): Promise<void> | undefined
  /**
   * Sends all further frames to another place (JSON-RPC 3.0, extension `pubsub`). Returns `undefined`, without an
   * effect, when there is no such place. Absent: this transport has no other places.
   *
   * @param announce returns the message that is sent here before the redirection
   * @param over called when nothing more is sent there; `lost`: because there is no listener
   */
  redirect?(announce: (place: Redirection) => string, over: (lost: boolean) => void): Redirection | undefined
}
