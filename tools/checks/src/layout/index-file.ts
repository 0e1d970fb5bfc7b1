import { parseSync } from 'oxc-parser'

/** Finds everything in an index.ts that is not a list of names; readers come for the list. */
export function judgeIndex(file: string, source: string): string[] {
  const { program } = parseSync(file, source)
  const star = program.body.some(
    (statement) => statement.type === 'ExportAllDeclaration' && statement.exported === null,
  )
  const more = program.body.some(
    (statement) =>
      statement.type !== 'ImportDeclaration' &&
      statement.type !== 'ExportAllDeclaration' &&
      !(statement.type === 'ExportNamedDeclaration' && statement.declaration === null),
  )
  return [
    ...(star ? ['has `export *`; an index lists names'] : []),
    ...(more ? ['holds code; an index lists names and nothing else'] : []),
  ]
}
