import { matchesGlob } from 'node:path'
import { alternatives } from './readme.ts'

/**
 * A path of a source file in code marks: `gateway/src/router/router.ts`, `exchange/src/render-*.ts`,
 * `upstream/links/scope.ts`.
 */
const path = /`([a-z][a-z\d_.-]*(?:\/[a-z\d_.{},*-]+)+\.ts)`/g

/**
 * Checks that the source files that a page below `docs` names exist. A page may leave out the first folders of a path, and
 * `src` after the name of a package.
 *
 * @param files of all packages, from the root
 */
export function judgeDoc(files: readonly string[], source: string): string[] {
  const named = new Set([...source.matchAll(path)].flatMap(([, found = '']) => alternatives(found)))
  return [...named]
    .filter((name) => !files.some((file) => isNamed(file, name)))
    .map((name) => `names ${name}, which does not exist`)
}

function isNamed(file: string, name: string): boolean {
  const withSource = name.replace('/', '/src/')
  return [name, withSource].some((form) => matchesGlob(file, form) || matchesGlob(file, `**/${form}`))
}
