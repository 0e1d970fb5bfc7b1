/** Where in a node an error occurred that no caller waits for. */
export type ErrorPlace =
  /** A message to or from another node. */
  | 'message'
  /** A timer: a deadline, a periodic check. */
  | 'timer'
  /** A control message of another node about sessions, jobs or itself. */
  | 'control'
  /** A request of a client, or its answer. */
  | 'request'
  /** A connection of a client: frames, streams, its end. */
  | 'connection'
  /** The last resort of the process: no closer handler has caught the error. */
  | 'process'
