import type { JobFrame } from './job-frame.ts'

/** Delivers frames of jobs to the own streams of sessions, on any node. */
export interface JobDelivery {
  /**
   * Delivers in order for each home node. Returns a promise when so much is on its way that the sender must wait.
   *
   * @param home the home node of the session; if the session has ended, the frame is dropped
   */
  deliver(home: string, frame: JobFrame): Promise<void> | undefined
  /**
   * Delivers a frame that must arrive. Resolves when the home node has it, or the next home if the session was handed
   * over meanwhile, or when the home is lost. Returns false when this node closes, so that it is unknown.
   */
  deliverSurely(home: string, frame: JobFrame): Promise<boolean>
  /** Stops delivering. */
  close(): void
}
