import type { JsonObject } from '@junctor/jsonrpc'

/** What NATS holds for a cluster of nodes. */
export interface NatsState {
  /** Connections of clients, which are the nodes. */
  readonly connections: number
  /** Subscriptions of these connections. */
  readonly subscriptions: number
  /** The streams by name. */
  readonly streams: Readonly<Record<string, StreamState>>
}

interface StreamState {
  readonly messages: number
  readonly consumers: number
}

/** Reads the monitoring data of all servers. A replicated stream is counted once, from its leader. */
export async function readNatsState(monitors: readonly string[]): Promise<NatsState> {
  const ask = async (path: string): Promise<readonly JsonObject[]> =>
    Promise.all(monitors.map(async (monitor) => (await (await fetch(`${monitor}${path}`)).json()) as JsonObject))
  const connections = (await ask('/connz?limit=10000')).flatMap(({ connections: rows }) => rows as JsonObject[])
  const streams: Record<string, StreamState> = {}
  for (const server of await ask('/jsz?streams=true&consumers=true')) {
    const accounts = (server['account_details'] ?? []) as unknown as readonly AccountDetail[]
    for (const { stream_detail: details } of accounts) {
      for (const { name, state, cluster } of details ?? []) {
        const isLeader = cluster?.leader === undefined || cluster.leader === server['server_name'] || isOnly(monitors)
        const known = streams[name]
        if (isLeader || known === undefined)
          streams[name] = { messages: state.messages, consumers: state.consumer_count }
      }
    }
  }
  return {
    connections: connections.length,
    subscriptions: connections.reduce((sum, row) => sum + Number(row['subscriptions']), 0),
    streams,
  }
}

interface AccountDetail {
  readonly stream_detail?: readonly StreamDetail[]
}

interface StreamDetail {
  readonly name: string
  readonly state: { readonly messages: number; readonly consumer_count: number }
  readonly cluster?: { readonly leader?: string }
}

function isOnly(monitors: readonly string[]): boolean {
  return monitors.length === 1
}
