import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { findConfig, loadConfig, type Problem } from '@junctor/config'
import { problemsText } from '../report/problems-text.ts'
import manifest from '../../package.json' with { type: 'json' }
import { plugins } from '../plugins.ts'
import { recallGateways } from '../running/running-gateway.ts'
import type { Questions } from '../report/questions.ts'
import { answerElicitation } from './answer-elicitation.ts'

/** Which gateway to speak to. */
export interface ClientTarget {
  /** One that runs. Without it, one is started for the purpose. */
  readonly url?: string
  /** A bearer token for the one that runs. */
  readonly key?: string
  /** What the one that is started serves. Default: the file of the folder, else the demo. */
  readonly config?: string
}

/** What a client has of the process around it. */
export interface ClientSurroundings {
  /** This command's own main file. */
  readonly program: string
  readonly execPath: string
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  /** Gives up. */
  readonly signal: AbortSignal
  /** Somebody who can be asked what tools want to know. Without, their questions are refused. */
  readonly questions?: Questions
  /** Tells which gateway it is, where that is not the one that was asked for. */
  readonly note: (text: string) => void
}

/** A client of the gateway, as any other program would be one. */
export interface GatewayClient {
  readonly client: Client
  /** Ends the session; and the gateway, if it was started for the purpose. */
  close(): Promise<void>
}

export type OpenedClient =
  | { readonly kind: 'open'; readonly gateway: GatewayClient }
  /** The configuration of what was to be started. */
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] }

/** Rejects when the gateway cannot be reached, does not start, or refuses. */
export async function openClient(target: ClientTarget, around: ClientSurroundings): Promise<OpenedClient> {
  const { questions } = around
  const capabilities = questions === undefined ? {} : { elicitation: { form: {} } }
  const client = new Client({ name: 'junctor', version: manifest.version }, { capabilities })
  if (questions !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }) => answerElicitation(params, questions))
  }
  if (target.url !== undefined) return { kind: 'open', gateway: await openUrl(client, target, around.signal) }
  const file = target.config ?? findConfig(around.folder)
  // What is wrong with it is told here, where somebody reads it, and not by the one that is started.
  const parsed = file === undefined ? undefined : loadConfig(file, { plugins, env: around.env })
  if (file !== undefined && parsed?.kind === 'invalid') {
    const [url] = recallGateways(file, around.folder, around.env).flatMap(({ http }) => http ?? [])
    if (url === undefined) return { kind: 'invalid', problems: parsed.problems }
    around.note(`${file} ${problemsText(parsed.problems)}; the gateway that runs with it is asked at ${url}`)
    return { kind: 'open', gateway: await openUrl(client, { ...target, url }, around.signal) }
  }
  return { kind: 'open', gateway: await openOwn(client, file, around) }
}

async function openUrl(client: Client, { url = '', key }: ClientTarget, signal: AbortSignal): Promise<GatewayClient> {
  const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` }
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
  await client.connect(transport, { signal })
  return {
    client,
    async close() {
      await transport.terminateSession().catch(() => {})
      await client.close()
    },
  }
}

async function openOwn(
  client: Client,
  file: string | undefined,
  { program, execPath, env, signal }: ClientSurroundings,
): Promise<GatewayClient> {
  const served = file === undefined ? [] : ['--config', file]
  const args = [program, 'serve', '--stdio', '--quiet', '--log-level', 'silent', ...served]
  // The configuration may refer to any variable.
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const options = { command: execPath, args, stderr: 'inherit', env: Object.fromEntries(given) } as const
  await client.connect(new StdioClientTransport(options), { signal })
  return { client, close: () => client.close() }
}
