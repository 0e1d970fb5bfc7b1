import type { Config } from '@junctor/config'
import type { Front, Log } from '@junctor/contracts'
import type { StreamShares } from '@junctor/connection'
import type { FrameBounds } from '@junctor/jsonrpc'

/** What every way in for clients is made from. */
export interface ClientDoorParts {
  readonly config: Pick<Config, 'listen' | 'auth' | 'limits' | 'publicUrl'>
  /** Whose front it is. */
  readonly front: Front
  readonly frame: FrameBounds
  /** Who may keep how many streams open, over all of them. */
  readonly shares: StreamShares
  readonly log: Log
}

/** What is open for clients. */
export interface OpenFront {
  /**
   * Takes nothing new, answers what is under way, closes.
   *
   * @param leftMs how long that may take, in milliseconds, where it does not end by itself
   */
  close(leftMs: number): Promise<void>
}
