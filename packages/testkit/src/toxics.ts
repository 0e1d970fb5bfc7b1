/** What can be wrong with one direction of a connection, by the names that toxiproxy has for it. */
export interface Toxics {
  /** Each piece comes this much later, give or take up to `jitter`; the order stays. In milliseconds. */
  readonly latency?: { readonly latency: number; readonly jitter?: number }
  /** Kilobytes a second. */
  readonly bandwidth?: { readonly rate: number }
  /** Pieces of so many bytes, with so many milliseconds between them. */
  readonly slicer?: { readonly averageSize: number; readonly delay: number }
  /** Both sides see the connection reset, this many milliseconds after the next byte. */
  readonly reset_peer?: { readonly timeout: number }
  /** This direction ends after so many milliseconds, as if its sender had nothing more to say; the other one goes on. */
  readonly half_close?: { readonly timeout: number }
  /** After so many bytes, counted from here on, the connection is closed. */
  readonly limit_data?: { readonly bytes: number }
  /** A black hole: nothing comes through, and nobody is told. With a time, the connection is closed after it. */
  readonly timeout?: { readonly timeout: number }
}
