import { parseConfig } from '@junctor/config'
import { createNode } from '@junctor/node'
import { openApiPlugin } from '@junctor/plugin-openapi'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { sampleValue } from './sample-value.ts'

/** What became of a document. */
export interface TriedDocument {
  readonly tools: number
  /** Milliseconds from opening a session to the whole list of tools. */
  readonly listMs: number
  /** The list, in characters of JSON. */
  readonly listSize: number
  /** Tools that the API received a request from. */
  readonly called: number
  /** Tools whose arguments could not be made up: the gateway refused them. */
  readonly refused: number
  /** Tools that failed in any other way, with the reason. */
  readonly failed: readonly string[]
  /** The reports of the backend about operations without tools. */
  readonly warnings: readonly string[]
}

const legalName = /^[A-Za-z0-9_.-]{1,128}$/

/**
 * Serves a document with a gateway, and lists and calls each of its tools with a client of the official SDK, which
 * checks the lists and the answers.
 *
 * @param api an HTTP server that takes any request
 */
export async function tryDocument(
  file: string,
  api: { readonly url: string; count(): number },
): Promise<TriedDocument> {
  const content = {
    listen: { http: { port: 0 } },
    backends: { api: { openapi: file, baseUrl: api.url, maxTools: 100_000, prefix: '' } },
  }
  const parsed = parseConfig(JSON.stringify(content), {
    file: `${process.cwd()}/junctor.json`,
    plugins: [openApiPlugin],
    env: {},
  })
  if (parsed.kind !== 'valid') throw new Error(JSON.stringify(parsed.problems))
  const node = await createNode({ config: parsed.config })
  try {
    const { http } = await node.listen()
    const [status] = await node.status()
    if (status?.error !== undefined) throw status.error
    const client = new Client({ name: 'openapi-tool', version: '0.0.0' })
    const began = performance.now()
    await client.connect(new StreamableHTTPClientTransport(new URL(http.url)))
    const { tools } = await client.listTools()
    const listMs = performance.now() - began
    const failed: string[] = tools
      .filter(({ name }) => !legalName.test(name))
      .map(({ name }) => `${name} is no legal name`)
    let refused = 0
    const before = api.count()
    for (const { name, inputSchema } of tools) {
      const args = sampleValue(inputSchema, (inputSchema['$defs'] ?? {}) as Readonly<Record<string, unknown>>)
      // oxlint-disable-next-line no-await-in-loop -- one call after the other, so that each can be named
      const text = await failureOf(client, name, args as Record<string, unknown>)
      if (text?.includes('do not match the schema') === true) refused += 1
      else if (text !== undefined) failed.push(`${name}: ${text}`)
    }
    await client.close()
    const listSize = JSON.stringify(tools).length
    return {
      tools: tools.length,
      listMs,
      listSize,
      called: api.count() - before,
      refused,
      failed,
      warnings: status?.warnings ?? [],
    }
  } finally {
    await node.close()
  }
}

/** Why a call failed; `undefined`: it did not. */
async function failureOf(client: Client, name: string, args: Record<string, unknown>): Promise<string | undefined> {
  try {
    const { isError, content } = await client.callTool({ name, arguments: args })
    return isError === true ? JSON.stringify(content).slice(0, 500) : undefined
  } catch (error) {
    return String(error).slice(0, 500)
  }
}
