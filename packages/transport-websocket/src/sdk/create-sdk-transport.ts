import { ChannelSdkTransport, type SdkTransport } from '@junctor/connection'
import { Channel, type ChannelEnd } from '../channel.ts'
import type { Connection } from '../connection.ts'
import type { WebSocketLimits } from '../options.ts'

/** Creates a transport whose connection is opened when the SDK starts it. */
export function createSdkTransport(
  open: (signal: AbortSignal) => Promise<Connection>,
  limits: WebSocketLimits,
): SdkTransport {
  return new ChannelSdkTransport(async (reader, signal) => {
    const connection = await open(signal)
    return new Channel(connection, limits, {
      text: (text) => reader.text(text),
      over: (end) => reader.over(errorOf(end)),
      failed: (error) => reader.fail(error),
    })
  })
}

function errorOf({ closedFor, cause, code, text }: ChannelEnd): Error | undefined {
  if (closedFor === 'done' || code === 1000) return undefined
  return new Error(`The WebSocket was closed with ${code} ${text}`.trimEnd(), { cause })
}
