import { isAbsolute, resolve } from 'node:path'
import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import { isSwitchedOff } from '../backends/is-switched-off.ts'
import { type Path, pathText } from '../problem.ts'
import { fromForeignText, type NotImported } from './foreign-text.ts'

/** Information about the file that contains a server. */
export interface ImportSource {
  /** The folder that its program works in, absolute. */
  readonly workspace: string
  /** Whether servers start in that folder by default. */
  readonly startsInWorkspace: boolean
  /** The questions to the users, by the id of the input. */
  readonly prompts: ReadonlyMap<string, string>
}

/** A server of another program as a backend. */
export interface ImportedServer {
  /** The backend as written under `backends`. Absent: the whole server is left out. */
  readonly backend: JsonObject | undefined
  readonly left: readonly NotImported[]
}

/** Members that only affect how the program displays the server, or that we detect ourselves. */
const silent = new Set([
  'type',
  'transport',
  'transportType',
  'disabled',
  'enabled',
  'isActive',
  'source',
  'name',
  'description',
])

/** The addresses that a backend may have. A variable may be the beginning of one. */
const reachable = /^(?:(?:https?|wss?):\/\/|\$\{)/i

const signIn = 'each caller signs in with auth: { oauth: {} }, or all share a token with auth: { bearer: ${env:TOKEN} }'

const reasons: Readonly<Record<string, string>> = {
  envFile: 'variable files are not read: write each variable under env as NAME: ${env:NAME}',
  timeout: 'its unit differs between programs: set the time limit of a call with timeout: 30s',
  autoApprove: 'the client decides which tools run without a confirmation',
  alwaysAllow: 'the client decides which tools run without a confirmation',
  trust: 'the client decides which tools run without a confirmation',
  disabledTools: 'a tenant selects its tools: tools: { deny: [name:tool] }',
  excludeTools: 'a tenant selects its tools: tools: { deny: [name:tool] }',
  includeTools: 'a tenant selects its tools: tools: { allow: [name:tool] }',
  auth: signIn,
  oauth: signIn,
  authorization_token: signIn,
  bearerToken: signIn,
  headersHelper: 'no program is run for headers: write them under headers, secrets as ${env:NAME}',
  requestInit: 'write its headers under headers, secrets as ${env:NAME}',
  requestOptions: 'only its headers are taken over',
  apiKey: signIn,
  inheritParentEnv: 'a program gets few variables: write each other one under env as NAME: ${env:NAME}',
}

/** Converts one server of another program into a backend. */
export function importServer(written: JsonValue | undefined, path: Path, source: ImportSource): ImportedServer {
  const whole = (why: string): ImportedServer => ({ backend: undefined, left: [{ what: pathText(path), why }] })
  if (!isJsonObject(written)) return whole('it is not a mapping')
  const { url, serverUrl, httpUrl, command, args, env, cwd, headers, ...rest } = flattened(written)
  if (isSwitchedOff(rest)) return whole('it is switched off there')
  const address = httpUrl ?? url ?? serverUrl
  const left: NotImported[] = []
  const taken = (members: JsonObject): JsonObject => copyMembers(members, path, source, left)
  let backend: JsonObject
  if (typeof address === 'string' && (command === undefined || rest['type'] !== 'stdio')) {
    if (!reachable.test(address)) return whole('only addresses with http, https, ws or wss can be reached')
    backend = taken({ url: address, headers })
  } else if (typeof command === 'string') {
    if (isOwnGateway(command, args)) return whole('it is this gateway, which would start itself without end')
    const folder = cwd ?? (source.startsInWorkspace ? source.workspace : undefined)
    backend = taken({ command: placed(command, source), args, env, cwd: placed(folder, source, /^[^$~:]+$/) })
  } else {
    const ofExtension = rest['source'] === 'extension' || rest['settings'] !== undefined
    return whole(ofExtension ? 'it comes with an extension of that program' : 'it has neither a command nor a url')
  }
  for (const word of Object.keys(rest).filter((key) => !silent.has(key))) {
    left.push({ what: pathText([...path, word]), why: reasons[word] ?? 'it is only for that program' })
  }
  return { backend, left }
}

/** A program that is not found on PATH. Variables, the home folder and the drives of Windows start elsewhere. */
const programPath = /^[^$~:]*[\\/]/

/** A relative path starts at the folder of the other program, which need not be that of our file. */
function placed(path: JsonValue | undefined, { workspace }: ImportSource, paths = programPath): JsonValue | undefined {
  return typeof path === 'string' && paths.test(path) && !isAbsolute(path) ? resolve(workspace, path) : path
}

/**
 * Zed formerly kept the program and its arguments one level deeper, and 1MCP takes one list of both. Continue has headers
 * among the options of a request.
 */
function flattened(server: JsonObject): JsonObject {
  const { command, args, requestOptions } = server
  if (isJsonObject(requestOptions)) {
    const { headers, ...options } = requestOptions
    const { requestOptions: _, ...rest } = server
    return { headers, ...rest, ...(Object.keys(options).length > 0 && { requestOptions: options }) }
  }
  if (Array.isArray(command)) {
    const [program, ...first] = command
    return { ...server, command: program, args: [...first, ...(Array.isArray(args) ? args : [])] }
  }
  if (!isJsonObject(command)) return server
  const { path, ...more } = command
  return { ...server, command: path, ...more }
}

/** Returns the present members, with their texts converted to our syntax. */
function copyMembers(
  members: JsonObject,
  path: Path,
  { workspace, prompts }: ImportSource,
  left: NotImported[],
): JsonObject {
  const own = isJsonObject(members['env']) ? Object.keys(members['env']) : []
  const translate = (value: JsonValue | undefined, at: Path): JsonValue | undefined => {
    if (typeof value === 'string') {
      const found = fromForeignText(value, workspace, prompts, at[path.length] === 'args' ? own : [])
      left.push(...found.left)
      return found.text
    }
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    if (Array.isArray(value)) return value.map((item, index) => translate(item, [...at, index]) ?? '')
    if (isJsonObject(value)) return mapped(value, at)
    if (value === null) left.push({ what: pathText(at), why: 'it has no value' })
    return undefined
  }
  const mapped = (value: JsonObject, at: Path): JsonObject => {
    const entries = Object.entries(value).map(([key, member]) => [key, translate(member, [...at, key])] as const)
    return Object.fromEntries(entries.filter(([, member]) => member !== undefined))
  }
  return mapped(members, path)
}

/**
 * The names of this gateway: `junctor`, `/opt/bin/junctor`, `junctor@1.2.3`, `junctor.cmd`, and the file that Node runs
 * in a clone.
 */
const gateway =
  /(?:^|[\\/])(?:junctor(?:@[^\\/]*)?(?:\.(?:cmd|exe|ps1|sh|[cm]?js))?|apps[\\/]gateway[\\/](?:src|dist)[\\/]main\.[cm]?[jt]s)$/i

/**
 * Whether a program is this gateway: the entry with which a client starts us. As a backend it would start itself
 * endlessly. The name is followed by `serve`, regardless of the program that runs it (`npx`, `node`, a shell's `-c`).
 */
function isOwnGateway(command: string, args: JsonValue | undefined): boolean {
  const given = Array.isArray(args) ? args.filter((arg) => typeof arg === 'string') : []
  // A path may contain spaces, and a shell receives all its words as one.
  const sentences = [[command, ...given], [command, ...given].join(' ').split(/[\s"']+/)]
  return sentences.some((words) =>
    words.some((word, index) => {
      const next = words.slice(index + 1).find((later) => !later.startsWith('-'))
      return gateway.test(word) && next === 'serve'
    }),
  )
}
