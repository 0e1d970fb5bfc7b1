import { matchesGlob } from 'node:path'

/** A path in code marks, below `src` or `test`: `src/peer.ts`, `src/front/`, `src/{post,get}.ts`, `src/render-*.ts`. */
const path = /`((?:src|test)\/[a-z\d_./{},*-]+)`/g

/**
 * Checks that the files and folders that a README names exist in its package.
 *
 * @param files of the package, from its folder
 */
export function judgeReadme(files: readonly string[], source: string): string[] {
  const named = new Set([...source.matchAll(path)].flatMap(([, found = '']) => alternatives(found.replace(/\/$/, ''))))
  return [...named]
    .filter((name) => !files.some((file) => isNamed(file, name)))
    .map((name) => `names ${name}, which does not exist`)
}

/** `src/{a,b}.ts` is two names, which must both exist. */
export function alternatives(name: string): string[] {
  const [whole, list] = /\{([^}]*)\}/.exec(name) ?? []
  if (whole === undefined || list === undefined) return [name]
  return list.split(',').flatMap((part) => alternatives(name.replace(whole, part)))
}

/** A name is a file, a file without its ending, or a folder. */
function isNamed(file: string, name: string): boolean {
  return file.startsWith(`${name}/`) || matchesGlob(file, name) || matchesGlob(file, `${name}.ts`)
}
