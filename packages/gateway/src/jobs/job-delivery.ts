import type { Delivered } from './delivered.ts'

/** Puts frames of jobs on the own streams of sessions, wherever these are at home. */
export interface JobDelivery {
  /**
   * In order, for each home. A promise: so much is on its way that whoever has more to say is to wait.
   *
   * @param home the node where the session is at home. A session that has ended has no use for the frame.
   */
  deliver(home: string, frame: Delivered): Promise<void> | undefined
  /**
   * Delivers what must arrive. Resolves when the home has it, the one after it if the session was handed on meanwhile,
   * or when it is lost. False: this node closes, and nobody knows.
   */
  bring(home: string, frame: Delivered): Promise<boolean>
  /** Brings nothing more. */
  close(): void
}
