import type { JobFrame } from '../../jobs/delivery/job-frame.ts'
import { pause } from '../../shared/pause.ts'

/** Frames of jobs for sessions whose home is this node. Those for which there is no room wait. */
export interface PacedFrames {
  /** Takes a frame, after the earlier ones of its job. Returns a promise while the job must wait. */
  readonly deliver: (frame: JobFrame) => Promise<void> | undefined
  /** Resolves when no frame of the job waits. `undefined`: none waits now. */
  taken(session: string, job: string): Promise<void> | undefined
  /** How many frames of the job wait. */
  waiting(session: string, job: string): number
  /** Removes the waiting frames of a session, in the order of each job. Their jobs need not wait any more. */
  withdraw(session: string): JobFrame[]
}

/** The frames of one job that wait, and when all of them are taken. */
interface WaitingFrames {
  readonly session: string
  readonly frames: JobFrame[]
  readonly taken: Promise<void>
}

/** How often it is checked whether there is room again, in milliseconds. */
const roomMs = 50

/**
 * Paces frames.
 *
 * @param mustWait whether there is no room for a frame now
 */
export function createPacedFrames(
  mustWait: (frame: JobFrame) => boolean,
  receive: (frame: JobFrame) => void,
): PacedFrames {
  const waiting = new Map<string, WaitingFrames>()

  const takeAll = async (key: string, frames: JobFrame[]): Promise<void> => {
    try {
      for (let [frame] = frames; frame !== undefined; [frame] = frames) {
        if (mustWait(frame)) {
          // oxlint-disable-next-line no-await-in-loop -- frames of one job come in order
          await pause(roomMs)
          continue
        }
        frames.shift()
        receive(frame)
      }
    } finally {
      if (waiting.get(key)?.frames === frames) waiting.delete(key)
    }
  }

  return {
    taken: (session, job) => waiting.get(keyOf(session, job))?.taken,
    waiting: (session, job) => waiting.get(keyOf(session, job))?.frames.length ?? 0,
    deliver(frame) {
      const { session, job } = frame
      const key = keyOf(session, job)
      const before = waiting.get(key)
      before?.frames.push(frame)
      if (before !== undefined) return before.taken
      if (!mustWait(frame)) {
        receive(frame)
        return undefined
      }
      const frames = [frame]
      const taken = takeAll(key, frames)
      waiting.set(key, { session, frames, taken })
      return taken
    },
    withdraw(session) {
      const all = [...waiting].filter(([, one]) => one.session === session)
      return all.flatMap(([key, { frames }]) => {
        waiting.delete(key)
        return frames.splice(0)
      })
    },
  }
}

function keyOf(session: string, job: string): string {
  return `${session} ${job}`
}
