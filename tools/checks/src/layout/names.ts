import type { Violation } from '../violation.ts'
import { isSourceFile, type WorkspacePackage } from '../workspace.ts'

const kebabCase = /^[a-z0-9]+(?:[-.][a-z0-9]+)*$/

/** Words without a meaning: a file with such a name has a better one. */
const emptyWords = new Set(['manager', 'helper', 'util', 'base', 'impl', 'common'])

/** Checks that files and folders are kebab-case, without meaningless words. */
export function judgeNames({ folder, files }: WorkspacePackage): Violation[] {
  return files.filter(isSourceFile).flatMap((file) => {
    const where = `${folder}/${file}`
    const segments = file.split('/').map((segment) => segment.replace(/^__(.*)__$/, '$1'))
    const misnamed = segments.find((segment) => !kebabCase.test(segment))
    const empty = segments.flatMap((segment) => segment.split(/[-.]/)).find((word) => isEmptyWord(word))
    return [
      ...(misnamed === undefined ? [] : [{ where, what: `"${misnamed}" is not kebab-case` }]),
      ...(empty === undefined ? [] : [{ where, what: `"${empty}" says nothing; name it for what it holds` }]),
    ]
  })
}

function isEmptyWord(word: string): boolean {
  return emptyWords.has(word) || (word.endsWith('s') && emptyWords.has(word.slice(0, -1)))
}
