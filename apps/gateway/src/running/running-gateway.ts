import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homeFolder } from '../home-folder.ts'
import { basename, dirname, join, resolve } from 'node:path'
import { configNames } from '@junctor/config'
import { readJson } from '@junctor/contracts'
import { z } from 'zod'

/** The addresses of a gateway that runs on this machine. */
export interface RunningGateway {
  /** The URL for clients. Absent: its single client uses standard streams. */
  readonly http?: string | undefined
  /** The admin port. Absent: there is none, or it has no token and therefore answers no queries. */
  readonly admin?: { readonly url: string; readonly token: string } | undefined
}

/** The content of the state file. */
interface Kept extends RunningGateway {
  readonly pid: number
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** The paths of the configuration: the path that it was started with, and its real path when that is a link. */
  readonly files: readonly string[]
}

/** The state file of a gateway, perhaps one of another version. */
const keptSchema: z.ZodType<Kept> = z.object({
  http: z.string().optional(),
  admin: z.object({ url: z.string(), token: z.string() }).optional(),
  pid: z.number(),
  startedAt: z.number(),
  files: z.array(z.string()),
})

/** The name that stands for the configuration of a demo, in the folder that it was started in. */
const demoName = '(demo)'

const ownerOnly = 0o600
const folderOwnerOnly = 0o700

/**
 * Writes the addresses of this process's gateway to a state file of its own, for other commands of this user. No other
 * user can read the file. Throws the errors of the file system.
 *
 * @param file the configuration; `undefined` for the demo
 * @param folder the folder that the gateway was started in
 * @returns removes the file when it is disposed of
 */
export function writeGatewayState(
  gateway: RunningGateway,
  file: string | undefined,
  folder: string,
  env: NodeJS.ProcessEnv,
): Disposable {
  const state = stateFolder(env)
  makeFolder(state)
  removeStale(state)
  const kept: Kept = {
    ...gateway,
    pid: process.pid,
    startedAt: Date.now(),
    files: namesOf(file ?? join(folder, demoName)),
  }
  const path = join(state, `${process.pid}.json`)
  // Written in one step and with its mode from the beginning: an old file may be from another process with this id.
  const written = `${path}.new`
  rmSync(written, { force: true })
  writeFileSync(written, JSON.stringify(kept), { mode: ownerOnly, flag: 'wx' })
  chmodSync(written, ownerOnly)
  renameSync(written, path)
  return { [Symbol.dispose]: () => rmSync(path, { force: true }) }
}

/**
 * The gateways that this user runs with a configuration, the newest first.
 *
 * @param file the configuration; `undefined`: the default file of the folder, or the folder's demo
 * @param note called with what the user must know about a state file that cannot be read
 */
export function findRunningGateways(
  file: string | undefined,
  folder: string,
  env: NodeJS.ProcessEnv,
  note: (text: string) => void,
): readonly RunningGateway[] {
  const wanted = file === undefined ? [...configNames, demoName] : [file]
  const names = wanted.flatMap((name) => namesOf(resolve(folder, name)))
  const isWanted = ({ files }: Kept): boolean => files.some((name) => names.includes(name))
  const state = stateFolder(env)
  return keptFiles(state)
    .filter((name) => isAlive(Number.parseInt(name, 10)))
    .flatMap((name) => readKept(join(state, name), note) ?? [])
    .filter(isWanted)
    .toSorted((one, other) => other.startedAt - one.startedAt)
}

/**
 * Creates a folder, and those above it. The recursive function of Node.js never ends where the system reports `ENOENT`
 * although the folder above exists, as below `/proc` and some folders that are mounted on demand.
 */
function makeFolder(path: string): void {
  const above = dirname(path)
  if (above === path || existsSync(path)) return
  makeFolder(above)
  try {
    mkdirSync(path, { mode: folderOwnerOnly })
  } catch (error) {
    // Another gateway may have created it meanwhile.
    if (!existsSync(path)) throw error
  }
}

/** The folder for state files (XDG Base Directory Specification). */
function stateFolder(env: NodeJS.ProcessEnv): string {
  const home = env['XDG_STATE_HOME'] || join(env['HOME'] || homeFolder(), '.local/state')
  return join(home, 'junctor')
}

function keptFiles(state: string): readonly string[] {
  try {
    return readdirSync(state).filter((name) => /^\d+\.json$/.test(name))
  } catch {
    return []
  }
}

/** Removes the files of gateways that were killed. */
function removeStale(state: string): void {
  for (const name of keptFiles(state))
    if (!isAlive(Number.parseInt(name, 10))) rmSync(join(state, name), { force: true })
}

/** `undefined`: another user wrote the file or can read it, it is being removed right now, or it cannot be read. */
function readKept(path: string, note: (text: string) => void): Kept | undefined {
  const text = ownText(path)
  if (text === undefined) return undefined
  const read = readJson(keptSchema, text)
  if (read.kind === 'read') return read.value
  const next = 'start that gateway again, or name its admin port with --admin and --token'
  note(`${path} of a running gateway is damaged or of another version (${read.problem}): ${next}`)
  return undefined
}

function ownText(path: string): string | undefined {
  try {
    const { uid, mode } = statSync(path)
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0)
    return isOwn ? readFileSync(path, 'utf8') : undefined
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The path of a file in its real folder, and its real path. The file may be gone when the path is looked up later. */
function namesOf(file: string): readonly string[] {
  const path = resolve(file)
  return [...new Set([join(realPath(dirname(path)), basename(path)), realPath(path)])]
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
