import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { unpackDebianPackages } from './debian-packages.ts'

const run = promisify(execFile)

const cache = resolve(import.meta.dirname, '../../../.cache/python')

/**
 * A Python 3 for tests: the program in `PYTHON`, else the one on the PATH, else one from Debian's packages in the
 * repository's cache. Rejects with an explanation when there is none.
 */
export async function findPython(): Promise<string> {
  const named = process.env['PYTHON']
  const there = await pathOf(named ?? 'python3')
  if (there !== undefined) return there
  if (named !== undefined) throw new Error(`PYTHON names ${named}, which does not run as Python 3`)
  try {
    await unpackDebianPackages(
      { names: ['python3-minimal', 'python3'], takes: (name) => pythonParts.test(name) },
      cache,
    )
  } catch (error) {
    throw new Error('There is no Python 3: install python3, or name one in PYTHON', { cause: error })
  }
  const program = await pathOf(join(cache, 'usr/bin/python3'))
  if (program === undefined)
    throw new Error(`The Python in ${cache} does not run: install python3, or name one in PYTHON`)
  return program
}

const pythonParts = /^(?:lib)?python3(?:\.\d+)?(?:-minimal|-stdlib)?$|^libexpat1$/

/** The path of the interpreter itself: a wrapper on the PATH may select one by the folder it runs in. */
async function pathOf(program: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(program, ['-c', 'import sys, json; print(sys.executable)'])
    return stdout.trim() === '' ? program : stdout.trim()
  } catch {
    return undefined
  }
}
