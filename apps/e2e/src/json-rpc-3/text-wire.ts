import { once } from 'node:events'
import { Readable } from 'node:stream'
import { openBusChannel } from '../bus-channel.ts'
import type { Cell } from '../cell.ts'
import type { BusUnderTest, GatewayUnderTest } from '../gateway-under-test.ts'
import { readEvents } from '@junctor/testkit'
import { readLines } from '../read-lines.ts'

/** Texts to and from a gateway, one for each message or batch. Nothing is parsed, so that tests see the exact text. */
export interface TextWire {
  /** Resolves when the text was sent; over HTTP, when the response has begun. */
  send(text: string): Promise<void>
  /** Calls the listener with every text from now on. A returned promise delays the next text. */
  onText(listener: Listener): void
  close(): Promise<void>
}

/** The form of response streams over HTTP. */
export type Framing = 'events' | 'lines'

const accepted: Readonly<Record<Framing, string>> = {
  events: 'application/json, text/event-stream',
  lines: 'application/json, application/x-ndjson',
}

/** Opens a wire in a cell. Over HTTP, it uses the nodes in turn. */
export async function openTextWire(gateway: GatewayUnderTest, { way }: Cell, framing: Framing): Promise<TextWire> {
  if (way === 'stdio') return openPipes(gateway)
  if (way === 'websocket') return openSocket(gateway.urls[0] as string)
  if (way === 'bus') return openBus(gateway.bus as BusUnderTest)
  return openHttp(gateway.urls, accepted[framing])
}

type Listener = (text: string) => Promise<void> | undefined

function openPipes(gateway: GatewayUnderTest): TextWire {
  const { input, output, closed } = gateway.stdio()
  let listener: Listener | undefined
  const reading = (async () => {
    for await (const line of readLines(output)) await listener?.(line)
  })()
  return {
    send: (text) => Promise.resolve(void input.write(`${text}\n`)),
    onText: (added) => void (listener = added),
    async close() {
      input.end()
      await closed
      output.end()
      await reading
    },
  }
}

async function openBus(bus: BusUnderTest): Promise<TextWire> {
  const channel = await openBusChannel(bus)
  let listener: Listener | undefined
  const reading = (async () => {
    for await (const text of channel.texts) await listener?.(text)
  })()
  return {
    send: (text) => Promise.resolve(channel.send(text)),
    onText: (added) => void (listener = added),
    async close() {
      await channel.close()
      await reading
    },
  }
}

async function openSocket(url: string): Promise<TextWire> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), 'mcp')
  let listener: Listener | undefined
  socket.addEventListener('message', ({ data }) => void listener?.(String(data)))
  await once(socket, 'open')
  return {
    send: (text) => Promise.resolve(socket.send(text)),
    onText: (added) => void (listener = added),
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}

function openHttp(urls: readonly string[], accept: string): TextWire {
  const stopping = new AbortController()
  const reading = new Set<Promise<void>>()
  let listener: Listener | undefined
  let session: string | null = null
  let requests = 0

  const read = async (response: Response): Promise<void> => {
    const type = response.headers.get('content-type') ?? ''
    if (type.includes('text/event-stream')) {
      for await (const { data } of readEvents(response)) if (data !== '') await listener?.(data)
    } else if (type.includes('application/x-ndjson')) {
      for await (const line of readLines(Readable.fromWeb(response.body as never))) {
        if (line !== '') await listener?.(line)
      }
    } else {
      const text = await response.text()
      if (text !== '') await listener?.(text)
    }
  }

  return {
    async send(body) {
      const headers = {
        accept,
        'content-type': 'application/json',
        ...(session !== null && { 'mcp-session-id': session }),
      }
      const url = urls[requests++ % urls.length] as string
      const response = await fetch(url, { method: 'POST', headers, body, signal: stopping.signal })
      session ??= response.headers.get('mcp-session-id')
      const ended = read(response).catch((error: unknown) => {
        if (!stopping.signal.aborted) throw error
      })
      reading.add(ended)
      void ended.finally(() => reading.delete(ended))
    },
    onText: (added) => void (listener = added),
    async close() {
      stopping.abort()
      await Promise.allSettled(reading)
    },
  }
}
