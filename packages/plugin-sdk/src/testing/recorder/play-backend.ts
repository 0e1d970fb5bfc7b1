import type { Backend, Link, ListKind, ServerInfo } from '@junctor/contracts'
import type { Client, Exchange, Outcome } from '@junctor/exchange'
import { type JsonValue, payloadOf, type Payload, printPayload, type Request } from '@junctor/jsonrpc'
import { mcpProfile, wireError } from '@junctor/protocol'
import { createFinder } from './find-recorded.ts'
import { emitOnLink, playCall, type PlayPlace } from './play-call.ts'
import { readRecording, type Recording } from './read-recording.ts'
import { createValueRedaction, type Secrets } from './redact-value.ts'
import { requestKey } from './request-key.ts'

/** How a recording is played back. */
export interface PlayOptions {
  /** The file that `recordBackend` has written. */
  readonly file: string
  /** What was redacted when it was recorded: requests with these texts are those that now have `***`. */
  readonly redact?: Secrets
}

/** A link that is played, as its backend sees it. */
interface PlayedLink {
  readonly client: Client
  readonly close: (error: Error | undefined) => void
}

/**
 * Makes a backend of a recording. A request gets what was recorded for an equal one, with progress, chunks, notifications
 * and questions, and without the pauses; equal requests one after the other. A request that was not recorded is an error
 * that names the nearest recorded one. Equal are the method and the params without `_meta`. Links are opened, and lists
 * given, in the recorded order; the last again and again. Where the client was asked, its answer must be the recorded one.
 *
 * @throws Error that names the line when the file is no recording
 */
export function playBackend({ file, redact }: PlayOptions): Backend {
  const recording = readRecording(file)
  const { head, opens, early } = recording
  const find = createFinder(recording, file)
  const nextItems = createLists(recording)
  const links = new Map<number, PlayedLink>()
  let opened = 0
  const place: PlayPlace = {
    clientOf: (link) => links.get(link)?.client,
    closeLink: (link, error) => links.get(link)?.close(error),
    redact: createValueRedaction(redact),
    refusal,
  }

  async function call({ method, params }: Request, exchange: Exchange): Promise<Outcome> {
    const value = params && (JSON.parse(printPayload(params)) as JsonValue)
    const found = find(requestKey(method, value && place.redact(value)))
    return found.kind === 'found' ? playCall(found.exchange, exchange, place) : refusal(exchange, found.message)
  }

  function createLink(number: number, server: ServerInfo, client: Client): Link {
    const { promise: closed, resolve } = Promise.withResolvers<Error | undefined>()
    const close = (error: Error | undefined): void => {
      links.delete(number)
      resolve(error)
    }
    links.set(number, { client, close })
    return {
      server,
      closed,
      list: async (kind) => nextItems(kind),
      call: (request, exchange) =>
        links.has(number) ? call(request, exchange) : refusal(exchange, 'the link of the recording is closed'),
      notify: () => undefined,
      close: async () => close(undefined),
    }
  }

  return {
    name: head.backend,
    correlates: head.correlates,
    ...(head.methods && { methods: head.methods }),
    async open(_scope, client, signal) {
      signal.throwIfAborted()
      const recorded = opens[opened] ?? opens.at(-1)
      if (recorded === undefined) throw new Error(`expected a link in ${file}, got a recording without any`)
      opened += 1
      if (recorded.kind === 'refused') throw new Error(recorded.error)
      const number = opened
      const link = createLink(number, recorded.server as unknown as ServerInfo, client)
      setImmediate(() => {
        for (const event of early) if (event.link === number) emitOnLink(event, place)
      })
      return link
    },
    async close() {
      for (const { close } of links.values()) close(undefined)
    },
  }
}

/** Returns a function that gives the recorded lists of each kind in their order, and the last again and again. */
function createLists({ lists }: Recording): (kind: ListKind) => readonly Payload[] {
  const used = new Map<ListKind, number>()
  return (kind) => {
    const known = lists.filter(({ list }) => list === kind)
    const count = used.get(kind) ?? 0
    used.set(kind, count + 1)
    const next = known[count] ?? known.at(-1)
    if (next?.kind === 'unlisted') throw new Error(next.error)
    return (next?.items ?? []).map((item) => payloadOf(item))
  }
}

function refusal({ context }: Exchange, message: string): Outcome {
  const view = { revision: context.revision, dialect: '2.0', profile: mcpProfile } as const
  return { kind: 'error', error: wireError('internal_error', view, { message }) }
}
