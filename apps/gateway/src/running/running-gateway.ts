import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { configNames } from '@junctor/config'

/** Where a gateway that runs on this machine can be asked. */
export interface RunningGateway {
  /** Where clients find it; absent when its one client is on standard streams. */
  readonly http?: string
  /** The admin port; absent without one, and without a token, which nobody is told anything without. */
  readonly admin?: { readonly url: string; readonly token: string }
}

/** What is kept of it. */
interface Kept extends RunningGateway {
  readonly pid: number
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** The configuration, by the name that it was started with and by its own, where that is a link. */
  readonly files: readonly string[]
}

/** What a gateway without a configuration is kept under, in the folder that it was started in. */
const demoName = '(demo)'

const ownerOnly = 0o600
const folderOwnerOnly = 0o700

/**
 * Remembers, for other commands of this user, where the gateway of this process can be asked: in a file of its own that
 * nobody else can read. Throws what the file system throws.
 *
 * @param file the configuration; `undefined` for the demo
 * @param folder the one that the gateway was started in
 * @returns forgets it, when it is disposed of
 */
export function rememberGateway(
  gateway: RunningGateway,
  file: string | undefined,
  folder: string,
  env: NodeJS.ProcessEnv,
): Disposable {
  const state = stateFolder(env)
  mkdirSync(state, { recursive: true, mode: folderOwnerOnly })
  removeStale(state)
  const kept: Kept = {
    ...gateway,
    pid: process.pid,
    startedAt: Date.now(),
    files: namesOf(file ?? join(folder, demoName)),
  }
  const path = join(state, `${process.pid}.json`)
  // In one piece, and with its mode from the beginning: what is there may be of another process of this number.
  const written = `${path}.new`
  rmSync(written, { force: true })
  writeFileSync(written, JSON.stringify(kept), { mode: ownerOnly, flag: 'wx' })
  chmodSync(written, ownerOnly)
  renameSync(written, path)
  return { [Symbol.dispose]: () => rmSync(path, { force: true }) }
}

/**
 * The gateways that this user runs with a configuration, the one that was started last first.
 *
 * @param file the configuration; `undefined`: the one that the folder has by its usual name, or the folder's demo
 */
export function recallGateways(
  file: string | undefined,
  folder: string,
  env: NodeJS.ProcessEnv,
): readonly RunningGateway[] {
  const wanted = file === undefined ? [...configNames, demoName] : [file]
  const names = wanted.flatMap((name) => namesOf(resolve(folder, name)))
  const isWanted = ({ files }: Kept): boolean => files.some((name) => names.includes(name))
  const state = stateFolder(env)
  return keptFiles(state)
    .flatMap((name) => readKept(join(state, name)) ?? [])
    .filter((kept) => isAlive(kept.pid) && isWanted(kept))
    .toSorted((one, other) => other.startedAt - one.startedAt)
}

/** As the XDG Base Directory Specification has it. */
function stateFolder(env: NodeJS.ProcessEnv): string {
  const home = env['XDG_STATE_HOME'] || join(env['HOME'] || homedir(), '.local/state')
  return join(home, 'junctor')
}

function keptFiles(state: string): readonly string[] {
  try {
    return readdirSync(state).filter((name) => /^\d+\.json$/.test(name))
  } catch {
    return []
  }
}

/** What was left by gateways that were killed. */
function removeStale(state: string): void {
  for (const name of keptFiles(state))
    if (!isAlive(Number.parseInt(name, 10))) rmSync(join(state, name), { force: true })
}

/** `undefined` for what another user wrote or can read, and for what is being written or removed at this moment. */
function readKept(path: string): Kept | undefined {
  try {
    const { uid, mode } = statSync(path)
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0)
    return isOwn ? (JSON.parse(readFileSync(path, 'utf8')) as Kept) : undefined
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

/** A file by its name, in a folder without links, and by what the name leads to: it may be gone when it is asked for. */
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
