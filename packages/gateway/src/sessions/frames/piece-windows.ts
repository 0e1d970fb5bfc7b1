import { keptOr, removeOldest } from '@junctor/primitives'
import { printedChunkId } from '@junctor/jsonrpc'
import type { JobFrame } from '../../jobs/delivery/job-frame.ts'
import type { TakenFrames } from './taken-frames.ts'

/** How far the pieces of each job may be ahead of what the home of their session has put on its stream. */
export interface PieceWindows {
  /** Counts a frame that was sent to the home of its session. Returns a promise when its job must wait. */
  count(home: string, frame: JobFrame): Promise<void> | undefined
  /** The job sends no more pieces. */
  end(job: string): void
}

/** The pieces of one job since the home was asked last, and the question that has no answer yet. */
interface Window {
  pieces: number
  characters: number
  taken: Promise<void> | undefined
}

/**
 * After this many pieces, or characters, the home is asked. A job waits when it has sent as many again and there is no
 * answer.
 */
const piecesOfWindow = 32
const charactersOfWindow = 64 * 1024

/** The most windows. That of a job that ended elsewhere is never closed; a lost one only begins again. */
const keptWindows = 1_024

/**
 * Creates the windows, none of them open.
 *
 * @param taken resolves when the home has put all frames of the job on the stream
 */
export function createPieceWindows(taken: TakenFrames['taken']): PieceWindows {
  const windows = new Map<string, Window>()

  return {
    count(home, frame) {
      const { job, text, last } = frame
      if (last || printedChunkId(text) === undefined) return undefined
      const window = keptOr(windows, job, () => ({ pieces: 0, characters: 0, taken: undefined }))
      removeOldest(windows, keptWindows)
      window.pieces += 1
      window.characters += text.length
      if (window.pieces < piecesOfWindow && window.characters < charactersOfWindow) return undefined
      if (window.taken !== undefined) return window.taken
      window.pieces = 0
      window.characters = 0
      window.taken = taken(home, frame).then(() => void (window.taken = undefined))
      return undefined
    },
    end: (job) => void windows.delete(job),
  }
}
