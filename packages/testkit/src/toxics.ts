/** The faults of one direction of a connection, with the names that toxiproxy uses. */
export interface Toxics {
  /** Delays each piece by this much, plus or minus `jitter`; the order is kept. In milliseconds. */
  readonly latency?: { readonly latency: number; readonly jitter?: number }
  /** Kilobytes per second. */
  readonly bandwidth?: { readonly rate: number }
  /** Pieces of this many bytes, with this many milliseconds between them. */
  readonly slicer?: { readonly averageSize: number; readonly delay: number }
  /** Resets the connection for both sides, this many milliseconds after the next byte. */
  readonly reset_peer?: { readonly timeout: number }
  /** Ends this direction after this many milliseconds, as if its sender had finished; the other direction continues. */
  readonly half_close?: { readonly timeout: number }
  /** Closes the connection after this many bytes, counted from now on. */
  readonly limit_data?: { readonly bytes: number }
  /** A black hole: no byte passes, without an error. With a time above 0, the connection is closed after it. */
  readonly timeout?: { readonly timeout: number }
}
