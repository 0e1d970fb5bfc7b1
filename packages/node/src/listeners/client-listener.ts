import type { Config } from '@junctor/config'
import type { Front, Log } from '@junctor/contracts'
import type { StreamShares } from '@junctor/connection'
import type { HttpPages } from '@junctor/plugin-sdk'
import type { FrameBounds } from '@junctor/jsonrpc'

/** What every listener for clients is created from. */
export interface ClientListenerParts {
  readonly config: Pick<Config, 'listen' | 'auth' | 'limits' | 'publicUrl'>
  /** The front of the gateway. */
  readonly front: Front
  readonly frame: FrameBounds
  /** The shares of open streams, over all listeners. */
  readonly shares: StreamShares
  readonly log: Log
  /** Finds pages beside the MCP endpoint. */
  readonly pages: (path: string) => HttpPages['handle'] | undefined
}

/** An open listener for clients. */
export interface OpenFront {
  /**
   * Accepts nothing new, answers requests in progress, then closes.
   *
   * @param leftMs how long requests in progress may take, in milliseconds
   */
  close(leftMs: number): Promise<void>
}
