import { parseSync } from 'oxc-parser'

/** What an index.ts does beyond listing names; the list of names is what a reader comes for. */
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
