import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { init, parse } from 'es-module-lexer'

/** A module and everything that it imports or requires by relative paths. */
export interface SourceGraph {
  /** Absolute. The first is the module itself. Also files that do not exist: they may be written later. */
  readonly files: readonly string[]
  /** Another text when the content of any file is another. */
  readonly version: string
}

/** Files that are looked into at most, so that a mistake in an import does not read a whole disk. */
const mostFiles = 1000

/** Reads the graph without running anything. What cannot be parsed is a file without imports. */
export async function readSourceGraph(entry: string): Promise<SourceGraph> {
  await init()
  const contents = new Map<string, string>()
  const waiting = [entry]
  for (let file = waiting.pop(); file !== undefined && contents.size < mostFiles; file = waiting.pop()) {
    if (contents.has(file)) continue
    const content = contentOf(file)
    contents.set(file, content)
    if (/\.[cm]?[jt]s$/.test(file)) waiting.push(...importedFiles(file, content), ...requiredFiles(file, content))
  }
  const version = hash('sha256', JSON.stringify([...contents]), 'hex').slice(0, 16)
  return { files: [...contents.keys()], version }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function importedFiles(file: string, content: string): readonly string[] {
  try {
    const [imports] = parse(content)
    return imports.flatMap(({ specifier }) =>
      specifier !== null && specifier !== undefined && isRelative(specifier)
        ? fileURLToPath(new URL(specifier, pathToFileURL(file)))
        : [],
    )
  } catch {
    return []
  }
}

/** Calls of `require` with one text. In a comment they are found too; then a file more is watched. */
const required = /\brequire\(\s*(['"])(?<specifier>.*?)\1\s*\)/g

/** CommonJS may leave out the ending. */
function requiredFiles(file: string, content: string): readonly string[] {
  const { resolve } = createRequire(file)
  return [...content.matchAll(required)].flatMap(({ groups: { specifier = '' } = {} }) => {
    try {
      return isRelative(specifier) ? resolve(specifier) : []
    } catch {
      return fileURLToPath(new URL(specifier, pathToFileURL(file)))
    }
  })
}

/** Whether an import names a file beside the importing one, not a package. */
export function isRelative(specifier: string): boolean {
  return /^\.{1,2}\//.test(specifier)
}
