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
   * event that a client may resume from, 2025-11-25 on).
   */
  open(eventId?: string): void
  /**
   * Sends one rendered frame. `last` ends the round. `text` is empty when the round ends with nothing to say.
   * `status` is the HTTP status when this frame is the whole answer. A promise means that the peer reads slowly.
   */
  send(text: string, last: boolean, eventId?: string, status?: number): Promise<void> | undefined
}
