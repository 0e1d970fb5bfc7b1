import type { Era } from './eras.ts'
import type { Feature } from './features.ts'
import type { ServerTransport } from './outcome.ts'

/** A program and its arguments. */
export type Command = readonly [program: string, ...args: string[]]

/** The official SDK of a language, with one server and one client written with it. */
export interface Peer {
  /** The language in small letters: the folder in `peers/`, and the name of the backend. */
  readonly name: string
  /** The language as people write it. */
  readonly language: string
  /** The package of the SDK with its version, as the registry of the language names it. */
  readonly sdk: string
  /** The eras that the SDK speaks. */
  readonly eras: readonly Era[]
  /** Tried before anything is built; the program must end with 0. */
  readonly needs: Command
  /** Builds both programs, one command after the other, in the folder of the peer. */
  readonly build: readonly Command[]
  /** Serves on standard input and output. With `--http` and an era it serves on a free port, and prints its URL. */
  readonly server: Command
  /** Takes the endpoint, the revision, the name of the backend, and the features. */
  readonly client: Command
  readonly lacks: readonly Lack[]
}

/** What an SDK does not have. It is not tried, and the page reports that. */
export interface Lack {
  readonly side: 'client' | 'server'
  readonly feature: Feature
  /** Absent: in both. */
  readonly era?: Era
  /** Of a server. Absent: over both. */
  readonly transport?: ServerTransport
  readonly reason: string
}
