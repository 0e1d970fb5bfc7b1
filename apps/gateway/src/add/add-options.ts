/** The options of `junctor add` on the command line. */
export interface AddOptions {
  readonly config?: string
  /** Of the new backend. */
  readonly name?: string
  readonly version?: string
  /** The URL of a registry, without a slash at its end. */
  readonly registry: string
  /** The number of the way to use the server, from 1. */
  readonly choice?: number
  /** `NAME=VALUE`, or `NAME` for the environment variable of that name. */
  readonly input: readonly string[]
  /** No confirmation. */
  readonly yes?: true
  /** Milliseconds. */
  readonly timeout: number
}
