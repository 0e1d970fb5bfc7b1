import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml'
import type { Finding, Path } from '../problem.ts'
import type { ProblemKind } from '../problem-kind.ts'

/** A line and a column, both counted from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A configuration file as text, read: its value, and where in the text each part of it stands. */
export interface SourceDocument {
  /** As written: references are still references. `{}` for an empty file. */
  readonly value: unknown
  /** The position of a member's name or value; for what is not there, that of what it is missing from. */
  position(path: Path, at: Finding['at']): Position
}

/** What is wrong with the text itself, before anything in it has a meaning. */
interface SyntaxProblem {
  readonly kind: ProblemKind
  readonly position: Position
  /** Never more than a character of what stands there, or a key: the text may hold secrets. */
  readonly got: string
  readonly expected: string
  readonly next: string
}

export type ReadDocument =
  | { readonly kind: 'document'; readonly document: SourceDocument }
  | { readonly kind: 'unreadable'; readonly problems: readonly SyntaxProblem[] }

/** Reads YAML 1.2, of which JSON is a part. */
export function readDocument(text: string): ReadDocument {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true })
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  const faults = [...document.errors, ...document.warnings]
  if (faults.length > 0) {
    return { kind: 'unreadable', problems: onePerLine(faults.map((fault) => syntaxProblem(fault, text, at))) }
  }
  const lost = lostAlias(document)
  if (lost !== undefined) return { kind: 'unreadable', problems: [{ position: at(lost), ...aliasAfterAnchor }] }
  try {
    const value: unknown = document.toJS() ?? {}
    const resolve = (node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node)
    const start = startOf(document.contents) ?? 0
    return {
      kind: 'document',
      document: { value, position: (path, end) => at(offsetOf(document.contents, path, end, resolve) ?? start) },
    }
  } catch {
    // All that can still fail: the parser refuses to expand aliases that stand for more than a hundred times their text.
    return { kind: 'unreadable', problems: [{ position: at(0), ...fewerAliases }] }
  }
}

const aliasAfterAnchor = {
  kind: 'alias',
  got: 'an alias of nothing',
  expected: 'each alias (*name) to follow its anchor (&name)',
  next: 'Write the anchor before its aliases, or write the value out.',
} as const

const fewerAliases = {
  kind: 'alias',
  got: 'aliases of aliases',
  expected: 'aliases (*name) that stand for a bounded amount of text',
  next: 'Write the values out.',
} as const

function lostAlias(document: Document): number | undefined {
  let lost: number | undefined
  visit(document, {
    Alias(_key, alias) {
      if (alias.resolve(document) !== undefined) return undefined
      lost = startOf(alias)
      return visit.BREAK
    },
  })
  return lost
}

/** What follows on the same line is most often a consequence. */
function onePerLine(problems: readonly SyntaxProblem[]): readonly SyntaxProblem[] {
  const lines = new Set<number>()
  return problems.filter(({ position: { line } }) => !lines.has(line) && lines.add(line))
}

/** The messages of the parser without what they quote: the text may hold secrets. */
function syntaxProblem(
  { code, message, pos }: YAMLError,
  text: string,
  at: (offset: number) => Position,
): SyntaxProblem {
  const plain = message.split(/[:;]/, 1)[0] ?? message
  const closing = /\bend with a ([\]}])/.exec(message)?.[1]
  const expected =
    expectations[code] ??
    (closing && `a closing ${closing}`) ??
    (code === 'MISSING_CHAR' && message.includes('quote') ? 'a closing quote' : undefined) ??
    `text that can be read (${plain.charAt(0).toLowerCase()}${plain.slice(1)})`
  const position = at(pos[0])
  if (code === 'DUPLICATE_KEY') {
    const next = 'Keep the one that is meant, and remove the other.'
    return { kind: 'duplicate_key', position, got: 'a key that was there already', expected, next }
  }
  const next = 'Correct the line, or the one before it.'
  return { kind: 'syntax', position, got: characterAt(text, pos[0]), expected, next }
}

function characterAt(text: string, offset: number): string {
  const character = text.codePointAt(offset)
  if (character === undefined) return 'the end of the file'
  return character === 10 || character === 13 ? 'the end of the line' : JSON.stringify(String.fromCodePoint(character))
}

/** The slips that are made most often, in words that do not need the YAML specification. */
const expectations: Partial<Record<YAMLError['code'], string>> = {
  DUPLICATE_KEY: 'each key only once',
  TAB_AS_INDENT: 'spaces for indentation',
  MULTIPLE_DOCS: 'one document, without a line of ---',
  BLOCK_AS_IMPLICIT_KEY: 'one value for each key; text that holds ": " needs quotes',
  BAD_SCALAR_START: 'quotes around text that begins with @, `, %, | or >',
  TAG_RESOLVE_FAILED: 'plain values, without tags such as !name',
  NON_STRING_KEY: 'keys that are plain text',
  UNEXPECTED_TOKEN: 'a comma, a bracket or the end of the line before it',
}

function offsetOf(
  root: unknown,
  path: Path,
  end: Finding['at'],
  resolve: (node: unknown) => unknown,
): number | undefined {
  let node = root
  let offset = startOf(root)
  for (const [index, step] of path.entries()) {
    const member = memberOf(resolve(node), step)
    if (member === undefined) return offset
    const wantsKey = end === 'key' && index === path.length - 1
    offset = (wantsKey ? startOf(member.key) : startOf(member.value)) ?? startOf(member.key) ?? offset
    node = member.value
  }
  return offset
}

function memberOf(node: unknown, step: string | number): { key: unknown; value: unknown } | undefined {
  if (isSeq(node) && typeof step === 'number') {
    const item: unknown = node.items[step]
    return item === undefined ? undefined : { key: item, value: item }
  }
  if (!isMap(node)) return undefined
  const pair: Pair | undefined = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
  return pair === undefined ? undefined : { key: pair.key, value: pair.value }
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null)?.range?.[0]
}
