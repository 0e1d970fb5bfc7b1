import { setTimeout as delay } from 'node:timers/promises'
import { isJsonObject } from '@junctor/jsonrpc'
import { invalidAnswerPrefix } from '../misused.ts'
import { RequestError } from './request-error.ts'
import type { Named, TestClient } from './test-client.ts'

/** How long a backend may take for one probe, in milliseconds. */
const timeoutMs = 5000
/** How long a cancelled call may take to stop, in milliseconds. */
const stopping = 1000

/** A call that takes at least some seconds, unless it is cancelled. */
export interface SlowCall {
  readonly tool: string
  readonly arguments?: object
}

/** Names that no item has. */
const unknown = { name: 'no.such.thing', uri: 'no-such-scheme://no/such/thing' }

/**
 * Checks that requests for unknown items are answered with an error, and not with a result, an exception or silence.
 */
export async function unknownProblems(client: TestClient): Promise<readonly string[]> {
  const { capabilities } = client.server
  const probes: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['an unknown method', () => client.request('no/such/method')],
    ...(capabilities['tools'] ? [['an unknown tool', () => client.callTool(unknown.name)] as const] : []),
    ...(capabilities['resources'] ? [['an unknown resource', () => client.readResource(unknown.uri)] as const] : []),
    ...(capabilities['prompts'] ? [['an unknown prompt', () => client.getPrompt(unknown.name)] as const] : []),
  ]
  const problems = await Promise.all(probes.map(([what, probe]) => refusalProblem(what, probe)))
  return problems.filter((problem) => problem !== undefined)
}

/** Checks that tools refuse calls without their required arguments. A tool that does not refuse does its work. */
export async function argumentProblems(client: TestClient, tools: readonly Named[]): Promise<readonly string[]> {
  const strict = tools.filter(({ inputSchema }) => isJsonObject(inputSchema) && hasItems(inputSchema['required']))
  const problems = await Promise.all(
    strict.map(({ name }) => refusalProblem(`tool ${name} without arguments`, () => client.callTool(name))),
  )
  return problems.filter((problem) => problem !== undefined)
}

/**
 * Checks that handlers return valid answers. Runs the tools that declare `readOnlyHint` and need no arguments, and the
 * prompts that need none.
 */
export async function answerProblems(
  client: TestClient,
  tools: readonly Named[],
  prompts: readonly Named[],
): Promise<readonly string[]> {
  const harmless = tools.filter(
    ({ annotations, inputSchema }) =>
      isJsonObject(annotations) &&
      annotations['readOnlyHint'] === true &&
      !(isJsonObject(inputSchema) && hasItems(inputSchema['required'])),
  )
  const open = prompts.filter(({ arguments: known }) => !requiresAny(known))
  const problems = await Promise.all([
    ...harmless.map(({ name }) => misuse(`tool ${name}`, client.callTool(name))),
    ...open.map(({ name }) => misuse(`prompt ${name}`, client.getPrompt(name))),
  ])
  return problems.filter((problem) => problem !== undefined)
}

/**
 * The message about an invalid answer of a tool or prompt, if its answer contains one. The author's own errors are
 * fine.
 */
async function misuse(what: string, answer: Promise<unknown>): Promise<string | undefined> {
  const given = await soon(answer)
  const text = given instanceof Error ? given.message : JSON.stringify(given)
  const at = text.indexOf(invalidAnswerPrefix)
  return at === -1 ? undefined : `${what}: ${text.slice(at).replace(/"[}\]].*$/, '')}`
}

function requiresAny(known: unknown): boolean {
  return Array.isArray(known) && known.some((argument) => isJsonObject(argument) && argument['required'] === true)
}

/** Checks that every listed resource can be read. */
export async function readProblems(
  client: TestClient,
  resources: readonly { readonly uri: string }[],
): Promise<readonly string[]> {
  const problems = await Promise.all(
    resources.map(async ({ uri }) => {
      const contents = await soon(client.readResource(uri))
      if (contents instanceof Error) return `resource ${uri}: expected contents, got ${contents.message}`
      const readable = contents.every(({ text, blob }) => typeof text === 'string' || typeof blob === 'string')
      return readable ? undefined : `resource ${uri}: expected text or blob in each of its contents`
    }),
  )
  return problems.filter((problem) => problem !== undefined)
}

/** Checks that a call stops when it is cancelled. */
export async function cancelProblems(client: TestClient, slow: SlowCall): Promise<readonly string[]> {
  const controller = new AbortController()
  const call = client.callTool(slow.tool, slow.arguments, { signal: controller.signal })
  controller.abort()
  const ended = await soon(call, stopping)
  return ended instanceof RequestError ? [] : [`tool ${slow.tool}: expected it to stop when cancelled, and it went on`]
}

/** Checks that the link closes, and that a second close succeeds. */
export async function closeProblems(client: TestClient): Promise<readonly string[]> {
  const ended = await soon(client.close().then(() => client.close()))
  return ended instanceof Error ? [`expected to be closed, twice, and got ${ended.message}`] : []
}

async function refusalProblem(what: string, probe: () => Promise<unknown>): Promise<string | undefined> {
  const answer = await soon(probe())
  if (answer instanceof RequestError) return undefined
  if (answer instanceof Error) return `${what}: expected an error answer, got ${answer.message}`
  if (isJsonObject(answer) && answer['isError'] === true) return undefined
  return `${what}: expected an error, got ${JSON.stringify(answer)}`
}

/** The value; or the error that was thrown; or an error when the promise takes longer than `ms`. */
async function soon<Value>(promise: Promise<Value>, ms: number = timeoutMs): Promise<Value | Error> {
  const timer = new AbortController()
  const late = delay(ms, new Error(`nothing within ${ms} ms`), { signal: timer.signal })
  try {
    return await Promise.race([promise, late])
  } catch (error) {
    return error instanceof Error ? error : new Error(`a thrown value that is not an error: ${String(error)}`)
  } finally {
    timer.abort()
    late.catch(() => undefined)
  }
}

function hasItems(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}
