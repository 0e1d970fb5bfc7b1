import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import { openBusChannel } from '../bus-channel.ts'
import type { Cell } from '../cell.ts'
import type { BusUnderTest, GatewayUnderTest } from '../gateway-under-test.ts'
import { readLines } from '../read-lines.ts'

/** A wire that is read only when a text is taken: other texts stay with the sender. */
export interface PacedWire {
  /** Sends a text. Its answer comes with the texts of `ask`, or is dropped when answers have their own streams. */
  say(text: string): Promise<void>
  /** Sends a text, and returns the texts that are received from then on. */
  ask(text: string): Promise<AsyncGenerator<string>>
  close(): Promise<void>
}

/** Opens a wire in a cell, in its own session with the extension `abort`. */
export async function openPacedWire(gateway: GatewayUnderTest, { way }: Cell): Promise<PacedWire> {
  const agree = JSON.stringify({
    jsonrpc: '3.0',
    method: 'rpc.extensions',
    params: { extensions: ['abort'] },
    id: 'agree',
  })
  if (way === 'http') return openPosts(gateway.urls, agree)
  const wire = await openConnection(gateway, way)
  const texts = await wire.ask(agree)
  await texts.next()
  return { ...wire, ask: async (text) => (await wire.say(text), texts) }
}

function openConnection(gateway: GatewayUnderTest, way: Cell['way']): PacedWire | Promise<PacedWire> {
  if (way === 'stdio') return openPipes(gateway)
  if (way === 'bus') return openBus(gateway.bus as BusUnderTest)
  return openSocket(gateway.urls[0] as string)
}

async function openBus(bus: BusUnderTest): Promise<PacedWire> {
  const { send, texts, close } = await openBusChannel(bus)
  const say = (text: string): Promise<void> => Promise.resolve(send(text))
  return { say, ask: async (text) => (await say(text), texts), close }
}

function openPipes(gateway: GatewayUnderTest): PacedWire {
  const { input, output, closed } = gateway.stdio()
  const say = (text: string): Promise<void> => Promise.resolve(void input.write(`${text}\n`))
  return {
    say,
    ask: async (text) => (await say(text), readLines(output)),
    async close() {
      input.end()
      output.resume()
      await closed
    },
  }
}

async function openSocket(url: string): Promise<PacedWire> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    'sec-websocket-protocol': 'mcp',
  }
  const [, socket] = (await once(request(url, { headers }).end(), 'upgrade')) as [IncomingMessage, Socket, Buffer]
  const say = (text: string): Promise<void> => Promise.resolve(void socket.write(clientFrame(text)))
  return {
    say,
    ask: async (text) => (await say(text), readFrames(socket)),
    close: () => Promise.resolve(void socket.destroy()),
  }
}

function openPosts(urls: readonly string[], agree: string): PacedWire | Promise<PacedWire> {
  const open = new Set<IncomingMessage>()
  let session: string | undefined
  let requests = 0

  const post = async (text: string): Promise<IncomingMessage> => {
    const headers = {
      accept: 'application/json, application/x-ndjson',
      'content-type': 'application/json',
      ...(session !== undefined && { 'mcp-session-id': session }),
    }
    const asking = request(urls[requests++ % urls.length] as string, { method: 'POST', headers }).end(text)
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    open.add(response)
    return response
  }

  const say = async (text: string): Promise<void> => void (await post(text)).resume()
  const wire: PacedWire = {
    say,
    ask: async (text) => readLines(await post(text)),
    close: () => Promise.resolve(open.forEach((response) => response.destroy())),
  }
  return (async () => {
    const response = await post(agree)
    session = String(response.headers['mcp-session-id'])
    response.resume()
    return wire
  })()
}

/** A text in a client frame (RFC 6455 section 5.2), with a mask of zeros. At most 65,535 bytes. */
function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  const size = payload.length < 126 ? [0x80 | payload.length] : [0xfe, payload.length >> 8, payload.length & 0xff]
  return Buffer.concat([Buffer.from([0x81, ...size, 0, 0, 0, 0]), payload])
}

/** The texts of a server, one per frame. */
async function* readFrames(socket: Duplex & Readable): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of socket) {
    let bytes = Buffer.concat([rest, chunk as Buffer])
    for (let end = frameEnd(bytes); end !== undefined; end = frameEnd(bytes)) {
      if (bytes[0] === 0x81) yield bytes.toString('utf8', (bytes[1] ?? 0) < 126 ? 2 : 4, end)
      bytes = bytes.subarray(end)
    }
    rest = bytes
  }
}

function frameEnd(bytes: Buffer): number | undefined {
  if (bytes.length < 4) return undefined
  const short = bytes[1] ?? 0
  const end = short < 126 ? 2 + short : 4 + bytes.readUInt16BE(2)
  return bytes.length < end ? undefined : end
}
