import { headers } from '@junctor/protocol'
import type { FastifyReply } from 'fastify'
import type { EventFilter } from '../events/event-query.ts'
import { shown } from '../events/shown.ts'
import type { AdminOptions } from './admin-options.ts'
import { readEventsUrl } from './events-url.ts'
import { EventStream } from './event-stream.ts'
import { type AdminHandler, refuse, send } from './reply.ts'

/** The maximum number of simultaneous followers of events. */
const mostFollowers = 32

/**
 * Answers with events: the existing ones of all nodes, or, for a follower, those of this node, including future ones.
 *
 * @param streams the open streams of followers
 */
export function answerEvents(options: AdminOptions, streams: Set<EventStream>): AdminHandler {
  return async (request, reply) => {
    const read = readEventsUrl(new URL(request.raw.url ?? '', 'http://localhost').searchParams)
    if (read.kind === 'bad') return refuse(reply, 400, 'bad_request', read.message)
    const { tenant, asked, follow } = read
    if (tenant !== undefined && !options.events.knows(tenant))
      return refuse(reply, 404, 'unknown_tenant', `tenant: expected one of the configuration, got ${shown(tenant)}`)
    if (follow && request.method !== 'HEAD') return followEvents(options, streams, reply, tenant, asked)
    const all = await options.allEvents(tenant, asked)
    if (all.kind === 'bad') return refuse(reply, 400, 'bad_request', all.message)
    if (all.silent !== undefined && all.silent.length > 0) void reply.header(headers.silentNodes, all.silent.join(', '))
    return send(reply, 200, all.events)
  }
}

function followEvents(
  { events }: AdminOptions,
  streams: Set<EventStream>,
  reply: FastifyReply,
  tenant: string | undefined,
  asked: EventFilter,
): void {
  if (streams.size >= mostFollowers)
    return refuse(reply, 503, 'overloaded', `expected at most ${mostFollowers} followers at once`)
  const followed = events.follow(tenant, asked, (event) => stream.write(event))
  if (followed.kind === 'bad') return refuse(reply, 400, 'bad_request', followed.message)
  reply.hijack()
  const stream: EventStream = new EventStream(reply.raw, followed.following, () => streams.delete(stream))
  streams.add(stream)
  stream.writeOld(followed.events)
}
