import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The most output that is read, in bytes: a list of all dependencies is long. */
const maxBuffer = 64 * 1024 * 1024

/** Programs for tests, from Debian's packages. */
export interface DebianPackages {
  /** The packages to ask for, with all their dependencies. */
  readonly names: readonly string[]
  /** Selects the packages to download among them: those that every Debian system has are not needed again. */
  readonly takes: (name: string) => boolean
}

/**
 * Unpacks Debian packages into their own folder, unless they are there already. Nothing is installed, and the system is
 * not changed. Rejects with an explanation where there is no apt or no network.
 *
 * @param folder absolute; its parent contains the temporary files
 */
export async function unpackDebianPackages({ names, takes }: DebianPackages, folder: string): Promise<void> {
  if (existsSync(folder)) return
  await mkdir(dirname(folder), { recursive: true })
  const work = await mkdtemp(join(dirname(folder), 'debian-'))
  try {
    await mkdir(join(work, 'state/lists/partial'), { recursive: true })
    await mkdir(join(work, 'cache/archives/partial'), { recursive: true })
    await mkdir(join(work, 'root'))
    const options = [`Dir::State=${work}/state`, `Dir::Cache=${work}/cache`, 'Dir::State::status=/var/lib/dpkg/status']
    const apt = options.flatMap((option) => ['-o', option])
    await run('apt-get', [...apt, '-q', 'update'], { cwd: work })
    const { stdout } = await run('apt-cache', [...apt, 'depends', '--recurse', '--important', ...names], { maxBuffer })
    const wanted = [...new Set(stdout.split('\n').filter((line) => /^[a-z0-9]/.test(line)))].filter(takes)
    await run('apt-get', [...apt, '-q', 'download', ...wanted], { cwd: work })
    const archives = (await readdir(work)).filter((file) => file.endsWith('.deb'))
    for (const archive of archives) await run('dpkg-deb', ['-x', join(work, archive), join(work, 'root')])
    await publish(join(work, 'root'), folder)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`Debian's packages ${names.join(', ')} could not be unpacked: ${reason}`, { cause: error })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** Moves the folder into place atomically. When another process was faster, its result is used. */
async function publish(from: string, folder: string): Promise<void> {
  try {
    await rename(from, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}
