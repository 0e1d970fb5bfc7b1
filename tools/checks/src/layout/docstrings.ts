import { type Comment, type Declaration, type ParseResult, parseSync } from 'oxc-parser'

type Statement = ParseResult['program']['body'][number]

/** A declaration by its name, and where a docstring must be: at its start, or at the `export` before it. */
interface Declared {
  readonly name: string
  readonly start: number
}

/**
 * Finds the exported declarations without a docstring directly before them. The first of a function's overloads has the
 * docstring of all. A name that is exported by a list is declared elsewhere in the file, and is documented there.
 */
export function judgeDocstrings(file: string, source: string): string[] {
  const { program, comments } = parseSync(file, source)
  const listed = new Set(program.body.flatMap(listedNames))
  const judged = new Set<string>()
  return program.body.flatMap(declaredIn).flatMap(({ name, start, isExported }) => {
    if (!(isExported || listed.has(name)) || judged.has(name)) return []
    judged.add(name)
    if (hasDocstring(source, comments, start)) return []
    return [`exports ${name} without a docstring, in line ${source.slice(0, start).split('\n').length}`]
  })
}

/** The names that a statement exports without declaring them. */
function listedNames(statement: Statement): string[] {
  if (statement.type === 'ExportDefaultDeclaration') {
    return statement.declaration.type === 'Identifier' ? [statement.declaration.name] : []
  }
  if (statement.type !== 'ExportNamedDeclaration' || statement.source !== null) return []
  return statement.specifiers.flatMap(({ local }) => (local.type === 'Identifier' ? [local.name] : []))
}

function declaredIn(statement: Statement): (Declared & { readonly isExported: boolean })[] {
  const { start } = statement
  if (statement.type === 'ExportDefaultDeclaration') {
    return statement.declaration.type === 'Identifier' ? [] : [{ name: 'default', start, isExported: true }]
  }
  const isExported = statement.type === 'ExportNamedDeclaration'
  const declaration = isExported ? statement.declaration : statement
  return declaration === null ? [] : namesOf(declaration).map((name) => ({ name, start, isExported }))
}

function namesOf(declaration: Statement | Declaration): string[] {
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.map(({ id }) => (id.type === 'Identifier' ? id.name : 'a pattern'))
  }
  return 'id' in declaration && declaration.id?.type === 'Identifier' ? [declaration.id.name] : []
}

/** Only other comments may be between a docstring and its declaration, and no blank line. */
function hasDocstring(source: string, comments: readonly Comment[], start: number): boolean {
  let next = start
  for (const { type, value, start: begin, end } of comments.filter((comment) => comment.end <= start).toReversed()) {
    if (!/^[^\S\n]*\n?[^\S\n]*$/.test(source.slice(end, next))) return false
    if (type === 'Block' && /^\*[\s*]*[^\s*]/.test(value)) return true
    next = begin
  }
  return false
}
