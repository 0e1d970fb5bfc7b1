import type { JsonObject } from '@junctor/jsonrpc'
import { z } from 'zod'
import type { EventPlace } from '../sessions/streams/event-id.ts'

/** Writes the params with which a node requests a stream of a session from the node that keeps it. */
export function resumeParams(session: string, place: EventPlace | undefined): JsonObject {
  return { session, stream: place?.stream ?? null, after: place?.n ?? null }
}

/** What a node requests: the session's own stream (`stream` is null), or the rest of a stream after an event. */
type ResumeParams = { readonly stream: null } | { readonly stream: string; readonly after: number }

/** Reads what `resumeParams` writes. The session is that of the request's context. */
export const resumeSchema: z.ZodType<ResumeParams> = z.union([
  z.object({ stream: z.null() }),
  z.object({ stream: z.string(), after: z.number() }),
])
