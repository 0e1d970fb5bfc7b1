import type { Link, ListKind, ServerInfo } from '@junctor/contracts'
import { isJsonObject, type Payload } from '@junctor/jsonrpc'
import { errorOf } from '@junctor/primitives'
import { JunctorError, type LocalCode } from '@junctor/protocol'
import type { ToolPins } from '../../shared/backend-entry.ts'
import { type JudgedList, type ListFinding, judgeList } from './judge-list.ts'
import { judgePins, type UnapprovedTool } from './judge-pins.ts'

/** The kinds of lists, in the order in which they are requested. */
export const listKinds: readonly ListKind[] = ['tools', 'resources', 'resourceTemplates', 'prompts']

/** Everything that one backend offers to one scope, at one moment. Two views of the same snapshots are the same view. */
export interface Snapshot {
  readonly server: ServerInfo
  readonly lists: Readonly<Record<ListKind, readonly Payload[]>>
  /** Why the backend did not give a list: that list is as it was before, or empty. Absent: it gave the list. */
  readonly failures: ListFailures
  /** How long each list may be kept, and by whom. Absent: the backend says nothing about the list, so it must not be kept. */
  readonly hints: Readonly<Partial<Record<ListKind, KeptUntil>>>
  /** What the backend did wrong when it gave the lists. Contains text of the backend. */
  readonly problems: readonly string[]
  /** The problems of the items, in list order. */
  readonly findings: readonly ListFinding[]
  /** The tools that are not as they were approved. */
  readonly unapproved: readonly UnapprovedTool[]
}

/** The lists that a backend did not give, with the reason. */
type ListFailures = Readonly<Partial<Record<ListKind, Error>>>

/** Until when a list may be kept, in epoch milliseconds, and whether it is the same for every caller. */
export interface KeptUntil {
  readonly expires: number
  readonly isPublic: boolean
}

/** How a snapshot is taken. */
export interface SnapshotRequest {
  /** Epoch milliseconds. */
  readonly takenAt: number
  /** The approved definitions of the tools. `undefined`: every tool is shown. */
  readonly pins: ToolPins | undefined
  /** What is known of the backend, for lists that fail. `undefined`: nothing, or it must not be shown any more. */
  readonly known: Snapshot | undefined
}

/**
 * Requests all lists of a link at the same time, and validates them: after this, every item is an object with a name.
 * Tools are compared with the approved definitions. A list that fails stays as it is known, or is empty: the others are
 * as useful without it.
 *
 * Rejects when a list fails and nothing is left to show, when the link ends meanwhile, and when the server information
 * of the link is invalid.
 */
export async function takeSnapshot(
  link: Link,
  { takenAt, pins, known }: SnapshotRequest,
  signal: AbortSignal,
): Promise<Snapshot> {
  const ask = (kind: ListKind): Promise<Listed> => askFor(link, kind, signal)
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    ask('tools'),
    ask('resources'),
    ask('resourceTemplates'),
    ask('prompts'),
  ])
  const listed = { tools, resources, resourceTemplates, prompts }
  const failures = failuresOf(listed)
  const judged = judgePins(tools.items, pins)
  const kept = (kind: ListKind, items: readonly Payload[]): readonly Payload[] =>
    failures[kind] === undefined ? items : (known?.lists[kind] ?? [])
  const lists = {
    tools: kept('tools', judged.tools),
    resources: kept('resources', resources.items),
    resourceTemplates: kept('resourceTemplates', resourceTemplates.items),
    prompts: kept('prompts', prompts.items),
  }
  const [first] = Object.values(failures)
  if (first !== undefined && listKinds.every((kind) => listed[kind].items.length + lists[kind].length === 0))
    throw first
  return {
    server: serverOf(link),
    lists,
    failures,
    hints: hintsOf(link, takenAt),
    problems: problemsOf(link),
    findings: Object.values(listed).flatMap(({ findings }) => findings),
    unapproved: failures.tools === undefined ? judged.unapproved : (known?.unapproved ?? []),
  }
}

/** What the request for one list brought. */
interface Listed extends JudgedList {
  readonly failure?: Error
}

async function askFor(link: Link, kind: ListKind, signal: AbortSignal): Promise<Listed> {
  try {
    return judgeList(kind, await listOf(link, kind, signal))
  } catch (error) {
    return { items: [], findings: [], failure: errorOf(error) }
  }
}

/** Failures of the link: the lists that came before are not all that the backend has. */
const endings: ReadonlySet<LocalCode> = new Set(['BACKEND_EXITED', 'BACKEND_UNREACHABLE', 'NODE_LEFT', 'CLOSED'])

/** @throws the failure of the link */
function failuresOf(listed: Readonly<Record<ListKind, Listed>>): ListFailures {
  const failures = listKinds.flatMap((kind) => {
    const { failure } = listed[kind]
    return failure === undefined ? [] : [[kind, failure] as const]
  })
  const ending = failures.find(([, failure]) => failure instanceof JunctorError && endings.has(failure.code))
  if (ending !== undefined) throw ending[1]
  return Object.fromEntries(failures)
}

/** Links of plugins may return anything. */
function hintsOf(link: Link, takenAt: number): Snapshot['hints'] {
  const known = listKinds.flatMap((kind): (readonly [ListKind, KeptUntil])[] => {
    const hints: unknown = link.hints?.(kind)
    const { ttlMs, scope } = isJsonObject(hints) ? hints : {}
    if (typeof ttlMs !== 'number' || !(ttlMs >= 0)) return []
    return [[kind, { expires: takenAt + ttlMs, isPublic: scope === 'public' }]]
  })
  return Object.fromEntries(known)
}

/** The most characters of a problem: links of plugins may return anything. */
const longestProblem = 500

function problemsOf(link: Link): readonly string[] {
  const problems = listKinds.map((kind): unknown => link.listProblem?.(kind))
  return problems.filter((text) => typeof text === 'string').map((text) => text.slice(0, longestProblem))
}

/** Checks that the list is an array, because links of plugins may return anything. */
async function listOf(link: Link, kind: ListKind, signal: AbortSignal): Promise<readonly Payload[]> {
  const list: unknown = await link.list(kind, signal)
  if (!Array.isArray(list)) throw new JunctorError('PROTOCOL_VIOLATED', `Expected the list of ${kind} to be an array`)
  return list as readonly Payload[]
}

function serverOf({ server }: Link): ServerInfo {
  const reported: Partial<Record<keyof ServerInfo, unknown>> = server
  const { capabilities, info, instructions } = isJsonObject(reported) ? reported : {}
  if (!isJsonObject(capabilities) || !isJsonObject(info)) {
    throw new JunctorError('PROTOCOL_VIOLATED', 'Expected "capabilities" and "info" of the server to be objects')
  }
  return typeof (instructions ?? '') === 'string' ? server : { ...server, instructions: undefined }
}
