import { defaultTenant } from '@junctor/protocol'
import {
  type ChannelLimits,
  ChannelSdkTransport,
  defaultClientChannelLimits,
  type SdkTransport,
} from '@junctor/connection'
import type { NatsConnection } from '@nats-io/transport-node'
import { Channel, type ChannelEnd } from '../channel.ts'
import { clientSubjects } from '../client-subjects.ts'
import { whenLost } from '../when-lost.ts'
import { askForChannel } from './ask-for-channel.ts'

/** How a client of the official SDK connects over NATS. */
export interface SdkClientTransportOptions {
  /** Stays open when the transport is closed. Several transports may share it. */
  readonly connection: NatsConnection
  /** The cluster name in the gateways' configuration. Default `junctor`. */
  readonly cluster?: string
  /** Default `default`. */
  readonly tenant?: string
  /** The client's own name on the bus, for which it needs permissions in NATS. */
  readonly client: string
  /** Sent with the request for the channel: `{ authorization: 'Bearer ...' }`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The limits that differ from `defaultClientChannelLimits`. */
  readonly limits?: Partial<ChannelLimits>
}

/**
 * A channel on NATS for a client made with an official SDK: `await client.connect(createSdkClientTransport({
 * connection, client: 'billing', headers }))`. `start` rejects with `BACKEND_UNREACHABLE` when no gateway listens, and
 * with `BACKEND_REFUSED` when the gateway refuses these headers. The transport closes when the connection to NATS is
 * lost, because messages may be lost too.
 *
 * @throws JunctorError `LIMIT_REACHED` for a name that is too long for a subject
 */
export function createSdkClientTransport({
  connection,
  cluster = 'junctor',
  tenant = defaultTenant,
  client,
  headers = {},
  limits,
}: SdkClientTransportOptions): SdkTransport {
  const subjects = clientSubjects(cluster, tenant, client)
  return new ChannelSdkTransport(async (reader) => {
    const { in: sendsOn, out: receivesOn } = await askForChannel(connection, subjects, headers)
    const channel = new Channel({
      connection,
      receivesOn,
      sendsOn,
      limits: { ...defaultClientChannelLimits, ...limits },
      reader: {
        text: (text) => reader.text(text),
        unreadable: (_situation, message) => reader.fail(new Error(message)),
        over(end) {
          watch.stop()
          reader.over(errorOf(end))
        },
        failed: (error) => reader.fail(error),
      },
    })
    const watch = whenLost(
      connection,
      () => channel.lose(),
      (error) => reader.fail(error),
    )
    return channel
  })
}

function errorOf({ reason, own }: ChannelEnd): Error | undefined {
  return own || reason === 'done' ? undefined : new Error(`The channel on NATS has ended: ${reason}`)
}
