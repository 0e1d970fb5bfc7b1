/** The kinds of data that come from other nodes or from the storage that all nodes share. */
export const unreadableKinds = [
  /** What a node announces about itself every two seconds. */
  'presence',
  /** What a node announces: its role, its backends. */
  'announcement',
  /** A short message that needs no answer. */
  'control',
  /** A frame of a call between nodes. */
  'call',
  /** The params of a request of a node to another. */
  'request',
  /** The answer of a node to a request. */
  'answer',
  /** An item of a list of events that a node has returned. */
  'event',
  /** The record of a session. */
  'session',
  /** A session that is handed over. */
  'handover',
  /** The record of a job. */
  'job',
  /** An item of the queue of jobs. */
  'job_item',
  /** The job of an idempotency key. */
  'idempotency_key',
  /** A frame of a job for the stream of a session. */
  'job_frame',
  /** A message of a client that expects no answer. */
  'client_message',
  /** The backends that were added while the nodes run. */
  'added_backends',
  /** Something stored that is not JSON. */
  'stored',
] as const

/** One of the {@link unreadableKinds}. */
export type UnreadableKind = (typeof unreadableKinds)[number]
