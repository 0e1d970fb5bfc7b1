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
import { strangeIndent, strangeSpace } from './strange-space.ts'

/** A line and a column, both starting from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A parsed configuration file: its value, and the position of each part in the text. */
export interface SourceDocument {
  /** The value as written, with unreplaced references. `{}` for an empty file. */
  readonly value: unknown
  /**
   * Returns the position of a member's name or value. For a missing member, returns the position of the mapping that it
   * is missing from.
   */
  position(path: Path, at: Finding['at']): Position
}

/** A syntax problem of the text. */
interface SyntaxProblem {
  readonly kind: ProblemKind
  readonly position: Position
  /** At most one character of the text, or a key, because the text may contain secrets. */
  readonly got: string
  readonly expected: string
  readonly next: string
}

/** A file that could be read, or what is wrong with it. */
export type ReadDocument =
  | { readonly kind: 'document'; readonly document: SourceDocument }
  | { readonly kind: 'unreadable'; readonly problems: readonly SyntaxProblem[] }

/** Parses YAML 1.2, which includes JSON. */
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
  const strange = strangeSpace(document, text)
  if (strange !== undefined) return { kind: 'unreadable', problems: [{ position: at(strange), ...plainSpace }] }
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
    // The only remaining failure: the parser refuses to expand aliases to more than a hundred times their text.
    return { kind: 'unreadable', problems: [{ position: at(0), ...fewerAliases }] }
  }
}

const plainSpace = {
  kind: 'syntax',
  got: 'a space of another kind, such as a non-breaking one',
  expected: 'a plain space',
  next: 'Type the space again; text that needs another kind of space needs quotes.',
} as const

const aliasAfterAnchor = {
  kind: 'alias',
  got: 'an alias without a value',
  expected: 'each alias (*name) to follow the value of its anchor (&name)',
  next: 'Write the anchor before its aliases, or write the value out.',
} as const

const fewerAliases = {
  kind: 'alias',
  got: 'aliases of aliases',
  expected: 'aliases (*name) that stand for a bounded amount of text',
  next: 'Write the values out.',
} as const

/** The position of an alias whose value is nowhere before it: it has no anchor, or it is within the value itself. */
function lostAlias(document: Document): number | undefined {
  let lost: number | undefined
  visit(document, {
    Alias(_key, alias, around) {
      const anchored = alias.resolve(document)
      if (anchored !== undefined && !around.includes(anchored)) return undefined
      lost = startOf(alias)
      return visit.BREAK
    },
  })
  return lost
}

/** Keeps one problem per line. Further problems on a line are usually consequences of the first. */
function onePerLine(problems: readonly SyntaxProblem[]): readonly SyntaxProblem[] {
  const lines = new Set<number>()
  return problems.filter(({ position: { line } }) => !lines.has(line) && lines.add(line))
}

/** Converts an error of the parser into a problem, without the quoted text, which may contain secrets. */
function syntaxProblem(
  { code, message, pos }: YAMLError,
  text: string,
  at: (offset: number) => Position,
): SyntaxProblem {
  const plain = message.split(/[:;]/, 1)[0] ?? message
  const closing = /\bend with a ([\]}])/.exec(message)?.[1]
  const expected =
    (code === 'UNEXPECTED_TOKEN' && text[pos[0]] === ',' ? 'a value before the comma' : undefined) ??
    expectations[code] ??
    (closing && `a closing ${closing}`) ??
    (code === 'MISSING_CHAR' && message.includes('quote') ? 'a closing quote' : undefined) ??
    `text that can be read (${plain.charAt(0).toLowerCase()}${plain.slice(1)})`
  const strange = strangeIndent(text, pos[0])
  if (strange !== undefined) return { position: at(strange), ...plainSpace }
  const position = at(pos[0])
  if (code === 'UNEXPECTED_TOKEN' && text.slice(pos[0] - 1, pos[0] + 1) === '${') {
    const next = "Put the whole text between quotes: '${env:NAME}'"
    return { kind: 'syntax', position, got: '"{"', expected: 'quotes around a reference between braces', next }
  }
  if (code === 'DUPLICATE_KEY') {
    const next = 'Keep one of them, and remove the other.'
    return { kind: 'duplicate_key', position, got: 'a repeated key', expected, next }
  }
  const next = nextSteps[code] ?? 'Correct the line, or the one before it.'
  return { kind: 'syntax', position, got: characterAt(text, pos[0]), expected, next }
}

function characterAt(text: string, offset: number): string {
  const character = text.codePointAt(offset)
  if (character === undefined) return 'the end of the file'
  return character === 10 || character === 13 ? 'the end of the line' : JSON.stringify(String.fromCodePoint(character))
}

/** The most common mistakes, described without terms of the YAML specification. */
const expectations: Partial<Record<YAMLError['code'], string>> = {
  DUPLICATE_KEY: 'each key only once',
  TAB_AS_INDENT: 'spaces for indentation',
  MULTIPLE_DOCS: 'one document, without a line of ---',
  BLOCK_AS_IMPLICIT_KEY: 'one value for each key; text that holds ": " needs quotes',
  BAD_SCALAR_START: 'quotes around text that begins with @, `, %, | or >',
  TAG_RESOLVE_FAILED: 'plain values, without tags such as !name',
  NON_STRING_KEY: 'keys that are plain text',
  UNEXPECTED_TOKEN: 'a comma, a bracket or the end of the line before it',
  BAD_DQ_ESCAPE: String.raw`an escape such as \n or \\ after this character`,
}

/** What helps against mistakes that are not only in the line. */
const nextSteps: Partial<Record<YAMLError['code'], string>> = {
  BAD_DQ_ESCAPE: String.raw`Write the text in single quotes, as for a path of Windows: 'C:\tools\server.exe'.`,
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
