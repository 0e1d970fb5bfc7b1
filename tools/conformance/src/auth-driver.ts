import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { consentAt } from './consent-at.ts'
import { startNodes } from './start-nodes.ts'

// auth-driver.ts URL: the program that a suite of authorization starts. It puts the gateway in front of the suite's server,
// and acts as a client of the gateway, and as the person who opens its links.
const url = process.argv[2] ?? ''

// The suite ends only the shell that it started this in.
setTimeout(() => process.exit(1), 30_000).unref()

/** What the suite gives to clients that are registered there. */
interface Known {
  readonly client_id?: string
  readonly client_secret?: string
  readonly private_key_pem?: string
  readonly issuer?: string
}

const known = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Known
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? ''

/** Browsers come back to it; this program is the browser, and knows where the node is. */
const publicUrl = 'https://gateway.example.com'

/** The authorization server that the suite's server names: an operator knows where the secret is from. */
async function namedIssuer(): Promise<string> {
  const { headers } = await fetch(url, { method: 'POST' })
  const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '') ?? []
  const document = (await (await fetch(metadata)).json()) as { readonly authorization_servers: readonly [string] }
  return document.authorization_servers[0]
}

/** How the gateway proves itself in this scenario. */
async function authOf(given: Known): Promise<object> {
  const { client_id: clientId, client_secret: clientSecret, private_key_pem: privateKey } = given
  const own = {
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret, issuer: given.issuer ?? (await namedIssuer()) }),
  }
  if (!scenario.includes('client-credentials')) return { oauth: own }
  return { clientCredentials: { ...own, ...(privateKey !== undefined && { privateKey }) } }
}

const nodes = await startNodes(1, { url, auth: await authOf(known) }, 'memory', { publicUrl })
const [endpoint = ''] = nodes.urls
const client = new Client({ name: 'auth-driver', version: '1.0.0' })
await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)))

/** Calls a tool. A person agrees to what it asks for, a few times at most. */
async function call(name: string): Promise<void> {
  for (let consents = 0; consents < 3; consents += 1) {
    const { content } = await client.callTool({ name, arguments: {} })
    const [link] = /https:\/\/gateway\.example\.com\/connections\/\S+?(?=[\s"\\]|$)/.exec(JSON.stringify(content)) ?? []
    if (link === undefined || JSON.stringify(content).includes('is connected')) return
    await consentAt(new URL(link), { publicUrl, node: new URL(endpoint).origin })
  }
}

const names = async (): Promise<readonly string[]> => (await client.listTools()).tools.map(({ name }) => name)
const toolsOfSuite = async (): Promise<readonly string[]> =>
  (await names()).filter((name) => name !== 'connect' && !name.startsWith('demo__'))

try {
  if ((await names()).includes('connect')) await call('connect')
  // A server that has moved to another authorization server wants a person once more. Others count how often one agrees.
  if (scenario.includes('migration') && (await toolsOfSuite()).length === 0) await call('connect')
  for (const name of await toolsOfSuite()) await call(name)
} finally {
  await client.close()
  await nodes.close()
}
