import type { HttpWireClient } from './wire-client.ts'

/** The statuses of every HTTP operation on a session, requested once from each node. */
export async function statusesOfVerbs(
  client: HttpWireClient,
  nodes: number,
  headers: Readonly<Record<string, string>>,
): Promise<ReadonlySet<number>> {
  const found: number[] = []
  for (let count = 0; count < nodes; count += 1) {
    const ping = { jsonrpc: '2.0', id: `status ${count}`, method: 'tools/list' }
    // An odd number of requests, so that with two nodes in turn, the second round goes to the other node.
    const answers = [
      await client.post(ping, headers),
      await client.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, headers),
      await client.post({ jsonrpc: '2.0', id: 'an answer', result: {} }, headers),
      await client.get(headers),
      await client.delete(headers),
    ]
    found.push(...answers.map((answer) => answer.status))
  }
  return new Set(found)
}
