import type { Readable, Writable } from 'node:stream'
import type { Front, Head, Log } from '@junctor/contracts'
import { JunctorError } from '@junctor/protocol'
import { defaultFrontLimits, type FrontLimits } from '../options.ts'
import { StdioConnection } from './stdio-connection.ts'

/** How the client on standard input and output is served. */
export interface StdioOptions {
  readonly front: Front
  /** Bytes from the client, normally `process.stdin`. */
  readonly input: Readable
  /** Bytes to the client, normally `process.stdout`. No other code may write to it. It is never ended. */
  readonly output: Writable
  readonly log: Log
  /** The limits that differ from `defaultFrontLimits`. */
  readonly limits?: Partial<FrontLimits>
}

/** A server for one client. */
export interface StdioServer {
  /**
   * Resolves when the session has ended and everything is written. With an error when the client was refused or stopped
   * reading; without one when its input ended, or `close` was called.
   */
  readonly closed: Promise<Error | undefined>
  /** Stops reading, waits for requests in flight (at most `limits.drainMs`), ends the session. Idempotent. */
  close(): Promise<void>
}

const head: Head = { transport: 'stdio', tenant: undefined, loopback: true, header: () => undefined }

/**
 * Serves one client on standard input and output: exactly one session, one message in each line (stdio transport of all
 * revisions). At the end of the input every received request is answered, then the session ends.
 */
export function serveStdio(options: StdioOptions): StdioServer {
  const closing = Promise.withResolvers<undefined>()
  const connecting = connect(options, closing.promise)
  return {
    closed: connecting.then((connection) => (connection instanceof StdioConnection ? connection.closed : connection)),
    async close() {
      closing.resolve(undefined)
      const connection = await connecting
      if (connection instanceof StdioConnection) await connection.close()
    },
  }
}

/** Resolves with an error when the client is refused, and with `undefined` when the server is closed before that is known. */
async function connect(
  { front, input, output, log, limits }: StdioOptions,
  closing: Promise<undefined>,
): Promise<StdioConnection | Error | undefined> {
  try {
    const identity = await Promise.race([front.authenticate(head), closing])
    if (identity === undefined) return undefined
    if (identity.kind === 'challenge') {
      const { message } = identity.error
      return new JunctorError('CONFIG_INVALID', `Expected clients on stdio to need no credentials, got "${message}"`)
    }
    return new StdioConnection({ front, identity, input, output, log, limits: { ...defaultFrontLimits, ...limits } })
  } catch (cause) {
    return new JunctorError('BUG', 'The authenticator failed', { cause })
  }
}
