import { namesOf } from '../result-of.ts'
import type { WireClient } from '../wire-client.ts'

type Client = Pick<WireClient, 'request'>

/** Calls a tool without arguments. Resolves with its result or its error: never rejects because of the answer. */
export async function callTool(client: Client, name: string): Promise<unknown> {
  const { result, error } = await client.request('tools/call', { name, arguments: {} })
  return result ?? error
}

/** The result of a tool that gives a text. */
export function textResult(text: string): object {
  return { content: [{ type: 'text', text }] }
}

/** The names of all tools that the client may call now, sorted: backends that connect later come in any order. */
export async function toolNames(client: Client): Promise<readonly string[]> {
  return namesOf(await client.request('tools/list')).toSorted()
}
