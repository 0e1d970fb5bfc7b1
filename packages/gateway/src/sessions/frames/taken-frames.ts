import type { Closer } from '@junctor/contracts'
import { z } from 'zod'
import type { JobFrame } from '../../jobs/delivery/job-frame.ts'
import { callNode } from '../../nodes/call-node.ts'
import { nodeContext } from '../../nodes/node-context.ts'
import { nodeHandler } from '../../nodes/node-handler.ts'
import { nodeRequest } from '../../nodes/node-request.ts'
import type { ReliableOutboxes, ReliableOutboxParts } from '../../nodes/reliable-outboxes.ts'
import { serviceNames } from '../../nodes/service-names.ts'
import { emptyOutcome } from '../../shared/empty-outcome.ts'
import type { FrameReceiver } from './frame-receiver.ts'
import type { SessionTable } from '../session/session-table.ts'

/** Asks the homes of sessions whether the frames that they have are on the streams of the sessions. */
export interface TakenFrames {
  /** Resolves when the home of a session has put the frames of a job on its stream, or is lost. */
  readonly taken: (home: string, job: Pick<JobFrame, 'session' | 'job'>) => Promise<void>
  /** Answers this for sessions whose home is this node. */
  serve(): Promise<Closer>
}

const question = z.object({ session: z.string(), job: z.string() })

/** @param frames the frames for sessions whose home is this node */
export function createTakenFrames(
  parts: ReliableOutboxParts,
  outboxes: Pick<ReliableOutboxes<JobFrame>, 'arrived'>,
  frames: Pick<FrameReceiver, 'taken'>,
  table: Pick<SessionTable, 'otherHome'>,
): TakenFrames {
  const taken: TakenFrames['taken'] = async (home, { session, job }) => {
    await outboxes.arrived(home)
    const request = nodeRequest(serviceNames.taken, { session, job })
    await callNode(parts, { node: home, request, context: nodeContext, withinMs: Infinity })
  }

  const answer = nodeHandler(question, parts.unreadable, async ({ session, job }) => {
    await frames.taken(session, job)
    // The session was handed over, with the frames that waited for its reader.
    const next = table.otherHome(session)
    if (next !== undefined) await taken(next, { session, job })
    return emptyOutcome
  })

  return { taken, serve: () => parts.fabric.serve(serviceNames.taken, answer) }
}
