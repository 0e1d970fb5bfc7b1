import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { findConfig, type Problem } from '@junctor/config'
import { settlesWithin } from '@junctor/primitives'
import { problemsText } from '../report/problems-text.ts'
import manifest from '../../package.json' with { type: 'json' }
import { findRunningGateways } from '../running/running-gateway.ts'
import type { Questions } from '../report/questions.ts'
import { answerElicitation } from './answer-elicitation.ts'
import { readWithoutPlugins } from '../running/read-without-plugins.ts'

/** The gateway to connect to. */
export interface ClientTarget {
  /** The URL of a running gateway. Default: the command starts its own gateway. */
  readonly url?: string
  /** A bearer token for the running gateway. */
  readonly key?: string
  /** The configuration of the started gateway. Default: the file of the folder, else the demo. */
  readonly config?: string
}

/** What a client uses of the process around it. */
export interface ClientEnvironment {
  /** The main file of this command. */
  readonly program: string
  readonly execPath: string
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  /** Aborts. */
  readonly signal: AbortSignal
  /** Answers questions of tools. Absent: they are refused. */
  readonly questions?: Questions
  /** Reports which gateway is used when it is not the requested one. */
  readonly note: (text: string) => void
}

/** A client of the gateway, like any other program. */
export interface GatewayClient {
  readonly client: Client
  /** Ends the session, and the gateway if the command started it. */
  close(): Promise<void>
}

/** A client that is connected, or why it is not. */
export type OpenedClient =
  | { readonly kind: 'open'; readonly gateway: GatewayClient }
  /** The configuration of the gateway to start is invalid. */
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] }

/** Rejects when the gateway cannot be reached, does not start, or refuses the client. */
export async function openClient(target: ClientTarget, around: ClientEnvironment): Promise<OpenedClient> {
  const { questions } = around
  const capabilities = questions === undefined ? {} : { elicitation: { form: {} } }
  const client = new Client({ name: 'junctor', version: manifest.version }, { capabilities })
  if (questions !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }) => answerElicitation(params, questions))
  }
  if (target.url !== undefined)
    return { kind: 'open', gateway: await openUrl(client, target.url, target.key, around.signal) }
  const file = target.config ?? findConfig(around.folder)
  // Report problems of the file here, where the user reads them, instead of in the started gateway.
  const parsed = file === undefined ? undefined : readWithoutPlugins(file, around.env)
  if (file !== undefined && parsed?.kind === 'invalid') {
    const [url] = findRunningGateways(file, around.folder, around.env, around.note).flatMap(({ http }) => http ?? [])
    if (url === undefined) return { kind: 'invalid', problems: parsed.problems }
    around.note(`${file} ${problemsText(parsed.problems)}; the gateway that runs with it is asked at ${url}`)
    return { kind: 'open', gateway: await openUrl(client, url, target.key, around.signal) }
  }
  return { kind: 'open', gateway: await openOwn(client, file, around) }
}

/** How long a gateway may take to end the session, in milliseconds: the command is done, whether it answers or not. */
const farewellMs = 2_000

async function openUrl(
  client: Client,
  url: string,
  key: string | undefined,
  signal: AbortSignal,
): Promise<GatewayClient> {
  const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` }
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
  await client.connect(transport, { signal })
  return {
    client,
    async close() {
      await settlesWithin(
        transport.terminateSession().catch(() => {}),
        farewellMs,
      )
      await client.close()
    },
  }
}

async function openOwn(
  client: Client,
  file: string | undefined,
  { program, execPath, env, signal }: ClientEnvironment,
): Promise<GatewayClient> {
  const served = file === undefined ? [] : ['--config', file]
  const args = [program, 'serve', '--stdio', '--quiet', '--log-level', 'silent', ...served]
  // The configuration may refer to any variable.
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const options = { command: execPath, args, stderr: 'inherit', env: Object.fromEntries(given) } as const
  await client.connect(new StdioClientTransport(options), { signal })
  return { client, close: () => client.close() }
}
