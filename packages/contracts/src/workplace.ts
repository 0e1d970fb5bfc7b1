/** Where in a node an error came up that nobody waits for. */
export type Workplace =
  /** A message from another node, or one to it. */
  | 'message'
  /** Something that was due: a deadline, a look at what has grown old. */
  | 'timer'
  /** What other nodes say of sessions and jobs, and of themselves. */
  | 'control'
  /** A request of a client, or its answer. */
  | 'request'
  /** A connection of a client: frames, streams, its end. */
  | 'connection'
  /** Nothing nearer has caught it: the last resort of the process. */
  | 'process'
