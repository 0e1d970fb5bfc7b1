import type { JsonObject } from '@junctor/jsonrpc'
import type { SkillFile } from './skill-lists.ts'

/** The media type of directories (SEP-2640, "Directory Read"). */
const directoryType = 'inode/directory'

/** A file or folder in a directory. */
export type DirectoryChild = JsonObject & { readonly uri: string }

/**
 * The direct children of a directory, from the files that skills say they have. Undefined: no file is below it.
 *
 * @param uri the backend's own URI of the directory; the scheme alone, `skill://`, stands for all skills
 */
export function childrenOf(uri: string, files: readonly SkillFile[]): readonly DirectoryChild[] | undefined {
  const start = uri.endsWith('/') ? uri : `${uri}/`
  const children = new Map<string, DirectoryChild>()
  for (const { uri: file, size } of files) {
    if (!file.startsWith(start)) continue
    const [name = '', ...below] = file.slice(start.length).split('/')
    if (name === '') continue
    const child = { uri: start + name, name }
    if (below.length > 0) children.set(name, { ...child, mimeType: directoryType })
    else children.set(name, { ...child, ...(size !== undefined && { size }) })
  }
  return children.size === 0 ? undefined : [...children.values()]
}
