import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { createResource, type Resource } from '@junctor/plugin-sdk'

/** The largest file that is read, in bytes. */
const largest = 1_048_576

const scheme = 'file://'

/**
 * The text files below a folder. A path is relative to the folder, or absolute and inside it. Files outside the folder
 * do not exist for clients, also when a link inside it points there. The slashes of a path may be plain or encoded.
 *
 * @param root absolute
 */
export function createFiles(root: string): Resource {
  const files = createResource({
    uriTemplate: 'file://{path}',
    name: 'File Resource',
    description: 'Read file contents from the server',
    mimeType: 'text/plain',
    read: (_uri, { path }) => readBelow(root, path),
  })
  return { ...files, template: { template: files.address, variables: ['path'], match: pathIn } }
}

function pathIn(uri: string): { readonly path: string } | undefined {
  if (!uri.startsWith(scheme) || uri.length === scheme.length) return undefined
  try {
    return { path: decodeURIComponent(uri.slice(scheme.length)) }
  } catch {
    return undefined
  }
}

/** `undefined` when there is no such file below the folder. */
async function readBelow(root: string, path: string): Promise<string | undefined> {
  const file = await openBelow(root, path)
  if (file === undefined) return undefined
  try {
    const { size } = await file.stat()
    if (size > largest) throw new Error(`Expected a file of at most ${largest} bytes, got one of ${size}`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

async function openBelow(root: string, path: string): Promise<Awaited<ReturnType<typeof open>> | undefined> {
  try {
    const [folder, target] = await Promise.all([realpath(root), realpath(resolve(root, path))])
    const way = relative(folder, target)
    if (way === '' || way === '..' || way.startsWith(`..${sep}`)) return undefined
    // A pipe would block until a writer opens it, and the last name must not have become a link in the meantime.
    const file = await open(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    if ((await file.stat()).isFile()) return file
    await file.close()
    return undefined
  } catch {
    return undefined
  }
}
