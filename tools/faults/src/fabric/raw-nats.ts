import { silentLog } from '@junctor/contracts'
import { connectNats } from '@junctor/nats'
import type { NatsServer } from '@junctor/testkit'

type Connection = Awaited<ReturnType<typeof connectNats>>

/** Connects with all permissions to a NATS server, while `body` runs. */
export async function withConnection<Result>(
  { url }: NatsServer,
  body: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await connectNats({ servers: [url] }, silentLog)
  try {
    return await body(connection)
  } finally {
    await connection.close()
  }
}

/** Sends a request to the JetStream API, by its name in the API. */
export async function askJetStream(
  connection: Connection,
  name: string,
  request?: object,
): Promise<Record<string, unknown>> {
  const answer = await connection.request(`$JS.API.${name}`, JSON.stringify(request ?? {}), { timeout: 5_000 })
  return answer.json()
}
