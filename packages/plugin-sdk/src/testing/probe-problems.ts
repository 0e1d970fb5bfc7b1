import { isJsonObject } from '@junctor/jsonrpc'
import { invalidAnswerPrefix, unmatchedAnswerPrefix } from '../misused.ts'
import { contentProblem } from './content-problem.ts'
import { RequestError } from './request-error.ts'
import { outputProblem } from './output-problem.ts'
import { soon } from './soon.ts'
import type { Named, TestClient } from './test-client.ts'

/** How long a cancelled call may take to stop, in milliseconds. */
const stopping = 1000

/** A call that a check may make. */
export interface ProbeCall {
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

/** The tools that may be run: they declare `readOnlyHint: true`, and need no arguments. */
export function harmlessCalls(tools: readonly Named[]): readonly ProbeCall[] {
  return tools
    .filter(
      ({ annotations, inputSchema }) =>
        isJsonObject(annotations) &&
        annotations['readOnlyHint'] === true &&
        !(isJsonObject(inputSchema) && hasItems(inputSchema['required'])),
    )
    .map(({ name }) => ({ tool: name }))
}

/** Checks that the calls that the author asked for are of tools that are listed: another call checks nothing. */
export function unlistedProblems(tools: readonly Named[], calls: readonly ProbeCall[]): readonly string[] {
  const names = tools.map(({ name }) => name)
  return calls
    .filter(({ tool }) => !names.includes(tool))
    .map(({ tool }) => `call of ${tool}: expected one of the tools ${names.join(', ') || '(there are none)'}`)
}

/** Checks that the calls, and the prompts that need no arguments, get valid answers. */
export async function answerProblems(
  client: TestClient,
  tools: readonly Named[],
  prompts: readonly Named[],
  calls: readonly ProbeCall[],
): Promise<readonly string[]> {
  const open = prompts.filter(({ arguments: known }) => !requiresAny(known))
  const problems = await Promise.all([
    ...calls.map(async (call) => {
      const given = await soon(client.callTool(call.tool, call.arguments))
      const schema = tools.find(({ name }) => name === call.tool)?.['outputSchema']
      return (
        misuse(`tool ${call.tool}`, given) ??
        contentProblem(call.tool, given) ??
        outputProblem(call.tool, schema, given)
      )
    }),
    ...open.map(async ({ name }) => misuse(`prompt ${name}`, await soon(client.getPrompt(name)))),
  ])
  return problems.filter((problem) => problem !== undefined)
}

/**
 * The message about an invalid answer of a tool or prompt, if its answer contains one. The author's own errors are
 * fine.
 */
function misuse(what: string, given: unknown): string | undefined {
  const text = given instanceof Error ? given.message : JSON.stringify(given)
  const at = [invalidAnswerPrefix, unmatchedAnswerPrefix]
    .map((start) => text.indexOf(start))
    .find((found) => found >= 0)
  return at === undefined
    ? undefined
    : `${what}: ${text
        .slice(at)
        .replace(/"[}\]].*$/, '')
        .replaceAll('\\n', ' ')}`
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

/** Checks that a call that takes some seconds stops when it is cancelled. */
export async function cancelProblems(client: TestClient, slow: ProbeCall): Promise<readonly string[]> {
  return (await cancelled(client, slow)) instanceof RequestError ? [] : [goesOn(slow)]
}

/** Checks that calls end when they are cancelled, one way or the other: they may have been faster. */
export async function endProblems(client: TestClient, calls: readonly ProbeCall[]): Promise<readonly string[]> {
  const ends = await Promise.all(
    calls.map(async (call) => {
      const ended = await cancelled(client, call)
      return ended instanceof Error && !(ended instanceof RequestError) ? [goesOn(call)] : []
    }),
  )
  return ends.flat()
}

function cancelled(client: TestClient, { tool, arguments: input }: ProbeCall): Promise<unknown> {
  const controller = new AbortController()
  const call = client.callTool(tool, input, { signal: controller.signal })
  controller.abort()
  return soon(call, stopping)
}

function goesOn({ tool }: ProbeCall): string {
  return `tool ${tool}: expected it to stop when cancelled, and it went on`
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

function hasItems(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}
