import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import manifest from '../../package.json' with { type: 'json' }

/** Which gateway to speak to. */
export interface ClientTarget {
  /** One that runs. Without it, one is started for the purpose. */
  readonly url?: string
  /** A bearer token for the one that runs. */
  readonly key?: string
  /** What the one that is started serves. Default: the file of the folder, else the demo. */
  readonly config?: string
}

/** A client of the gateway, as any other program would be one. */
export interface GatewayClient {
  readonly client: Client
  /** Ends the session; and the gateway, if it was started for the purpose. */
  close(): Promise<void>
}

/** @param program this command's own main file. Rejects when the gateway cannot be reached, does not start, or refuses. */
export async function openClient(target: ClientTarget, program: string): Promise<GatewayClient> {
  const client = new Client(
    { name: 'junctor', version: manifest.version },
    { versionNegotiation: { mode: 'legacy' }, supportedProtocolVersions: ['2025-11-25'] },
  )
  if (target.url === undefined) {
    const served = target.config === undefined ? [] : ['--config', target.config]
    const args = [program, 'serve', '--stdio', '--quiet', '--log-level', 'error', ...served]
    // Its report says what is wrong with a configuration, in the words of `serve`.
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit', env: ownEnv() }),
    )
    return { client, close: () => client.close() }
  }
  const authorization = target.key === undefined ? {} : { Authorization: `Bearer ${target.key}` }
  const transport = new StreamableHTTPClientTransport(new URL(target.url), { requestInit: { headers: authorization } })
  await client.connect(transport)
  return {
    client,
    async close() {
      await transport.terminateSession()
      await client.close()
    },
  }
}

/** The configuration may refer to any variable. */
function ownEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
