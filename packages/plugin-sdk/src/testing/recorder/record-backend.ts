import type { Backend, Link } from '@junctor/contracts'
import type { Client, Exchange, Outcome } from '@junctor/exchange'
import type { JsonObject, Request } from '@junctor/jsonrpc'
import { errorOf } from '@junctor/primitives'
import { RecordedCall } from './recorded-call.ts'
import { recordingVersion } from './recorded-line.ts'
import { RecordingWriter } from './recording-writer.ts'
import type { Secrets } from './redact-value.ts'

/** How a session is recorded. */
export interface RecordOptions {
  /** The file to write, readable by its owner only. An earlier one is replaced. */
  readonly file: string
  /**
   * Texts and patterns that become `***` in the file, wherever they are in a request, a result, an error or a name.
   * Default: none.
   */
  readonly redact?: Secrets
}

/**
 * Returns a backend that does what the given one does, and writes a recording: one JSON object per line, for `playBackend`
 * and for people. It has what crosses the links: what the server says about itself, lists, requests with their results,
 * errors, progress, chunks, notifications, questions to the client and its answers. Numbers are those of JavaScript. The
 * file is complete when the backend is closed.
 *
 * @throws Error when the file cannot be written
 */
export function recordBackend(backend: Backend, { file, redact }: RecordOptions): Backend {
  const writer = new RecordingWriter(file, redact)
  const { name, correlates, methods } = backend
  const known = methods && { methods: [...methods] }
  writer.write({ kind: 'recording', version: recordingVersion, backend: name, correlates, ...known })
  return {
    name,
    correlates,
    ...known,
    async open(scope, client, signal) {
      const number = writer.nextLink()
      try {
        const link = await backend.open(scope, recordedClient(client, number, writer), signal)
        writer.write({ kind: 'open', link: number, server: writer.value(link.server) as JsonObject })
        return recordedLink(link, number, writer)
      } catch (error) {
        writer.write({ kind: 'refused', link: number, error: writer.text(messageOf(error)) })
        throw error
      }
    },
    async close() {
      await backend.close()
      writer.close()
    },
  }
}

function recordedClient(client: Client, link: number, writer: RecordingWriter): Client {
  return {
    context: client.context,
    notify(notification) {
      writer.write({ kind: 'received', link, ...writer.message(notification) })
      client.notify(notification)
    },
    // A question outside of every request has no place in a recording that is played back by requests.
    ask: (request, options) => client.ask(request, options),
  }
}

function recordedLink(link: Link, number: number, writer: RecordingWriter): Link {
  void recordClose(link, number, writer)

  function call(request: Request, exchange: Exchange): Outcome | Promise<Outcome> {
    const recorded = new RecordedCall(number, request, exchange, writer)
    const outcome = link.call(request, recorded)
    return outcome instanceof Promise ? outcome.then((value) => recorded.outcome(value)) : recorded.outcome(outcome)
  }

  return {
    server: link.server,
    closed: link.closed,
    call,
    async list(list, signal) {
      try {
        const items = await link.list(list, signal)
        writer.write({ kind: 'list', link: number, list, items: items.map((item) => writer.payload(item)) })
        return items
      } catch (error) {
        writer.write({ kind: 'unlisted', link: number, list, error: writer.text(messageOf(error)) })
        throw error
      }
    },
    notify(notification) {
      writer.write({ kind: 'sent', link: number, ...writer.message(notification) })
      link.notify(notification)
    },
    close: () => link.close(),
  }
}

async function recordClose({ closed }: Link, link: number, writer: RecordingWriter): Promise<void> {
  const error = await closed
  if (error !== undefined) writer.write({ kind: 'closed', link, error: writer.text(messageOf(error)) })
}

function messageOf(error: unknown): string {
  return errorOf(error).message
}
