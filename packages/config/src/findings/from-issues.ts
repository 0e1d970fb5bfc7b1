import type * as z from 'zod'
import type { Finding, Path } from '../problem.ts'
import { type ProblemKind, problemKinds } from '../problem-kind.ts'
import { suggest } from '../suggest.ts'
import { describeSecret, describeValue } from './describe-value.ts'
import { expectation, isStandardMessage, mapping, oneOf } from './expectation.ts'
import type { FieldNotes } from './field-notes.ts'
import { memberAt } from './member-at.ts'

type Issue = z.core.$ZodIssue

/** The source of issues. */
export interface IssueSource {
  /** The position of the checked value in the file. */
  readonly path: Path
  /** The value as written in the file, with unreplaced references. */
  readonly written: unknown
  readonly notes: FieldNotes
  /** Words that are known at the top of the value although its own schema does not contain them. */
  readonly moreWords?: readonly string[]
}

/** Converts the issues of a schema for a part of the file into findings in the words of the file. */
export function findingsFromIssues(issues: readonly Issue[], source: IssueSource): readonly Finding[] {
  return onePerValue(issues).flatMap((issue) => findings(issue, [], source))
}

/**
 * Leaves out what only follows for the same value: of one of a wrong type, its bounds; of one beyond several bounds of
 * the same side, all but the last, which is the nearest.
 */
function onePerValue(issues: readonly Issue[]): readonly Issue[] {
  const ofValue = (issue: Issue): readonly Issue[] =>
    issues.filter(({ path }) => JSON.stringify(path) === JSON.stringify(issue.path))
  return issues.filter((issue) => {
    if (issue.code !== 'too_big' && issue.code !== 'too_small') return true
    const others = ofValue(issue)
    return (
      !others.some(({ code }) => code === 'invalid_type') &&
      others.findLast(({ code }) => code === issue.code) === issue
    )
  })
}

function findings(issue: Issue, above: Path, source: IssueSource): readonly Finding[] {
  const own: Path = [...above, ...issue.path.map((step) => (typeof step === 'number' ? step : String(step)))]
  if (issue.code === 'invalid_union' && issue.errors.length > 0 && !saysMore(issue)) {
    return onePerValue(closestBranch(issue.errors)).flatMap((inner) => findings(inner, own, source))
  }
  if (issue.code === 'unrecognized_keys') {
    const known = [...source.notes.words(own), ...(own.length === 0 ? (source.moreWords ?? []) : [])]
    return issue.keys.map((key) => unknownWord([...source.path, ...own], key, known))
  }
  const path = [...source.path, ...own]
  const written = memberAt(source.written, own)
  const expected = expectation(issue)
  if (issue.code === 'invalid_key') {
    return [
      {
        kind: 'illegal_name',
        path,
        at: 'key',
        got: JSON.stringify(own.at(-1)),
        expected,
        next: 'Choose another name.',
      },
    ]
  }
  const next = withScheme(issue, written) ?? nextStep(path, written, expected, source.notes.example(own))
  const got = source.notes.isSecret(own) ? describeSecret(written) : describeValue(written, path)
  const kind = kindOf(issue) ?? (written === undefined ? 'missing_value' : 'wrong_value')
  return [{ kind, path, at: 'value', got, expected, next }]
}

/**
 * Creates the finding for an unknown word. Unknown words are reported separately from wrong values, because most are
 * typing errors.
 */
export function unknownWord(path: Path, word: string, known: readonly string[]): Finding {
  const finding = { kind: 'unknown_word', path: [...path, word], at: 'key' } as const
  if (known.includes(word)) {
    const got = 'a word that does not go with the words beside it'
    return { ...finding, got, expected: 'words that go together', next: 'Remove it.' }
  }
  const suggestion = suggest(word, known)
  return {
    ...finding,
    got: 'an unknown word',
    expected: known.length === 0 ? 'no words' : oneOf(known.toSorted()),
    next: suggestion === undefined ? 'Remove it.' : `Did you mean "${suggestion}"?`,
  }
}

/** Returns the kind of problem that a rule over several values declares in `params: { kind }`. */
function kindOf(issue: Issue): ProblemKind | undefined {
  const kind: unknown = issue.code === 'custom' ? issue.params?.['kind'] : undefined
  return problemKinds.find((known) => known === kind)
}

/** The next step for a URL that has all but its scheme: `mcp.example.com/mcp`. */
function withScheme(issue: Issue, written: unknown): string | undefined {
  if (issue.code !== 'invalid_format' || issue.format !== 'url' || typeof written !== 'string') return undefined
  const host = /^(?:localhost|[\w-]+(?:\.[\w-]+)+)(?=[:/]|$)/i.exec(written)?.[0]
  if (host === undefined) return undefined
  return `Did you mean "${/^(?:localhost|[\d.]+)$/i.test(host) ? 'http' : 'https'}://${written}"?`
}

function nextStep(path: Path, written: unknown, expected: string, example: unknown): string {
  const word = path.findLast((step) => typeof step === 'string')
  if (word !== undefined && written === null) return `Remove "${word}", or write what belongs to it.`
  if (expected === 'text' && (typeof written === 'number' || typeof written === 'boolean')) {
    return 'Put it between quotes.'
  }
  if (expected === 'a list' && typeof written === 'string') {
    return `Write each item by itself between brackets, for example: ${word}: [first, second]`
  }
  const verb = written === undefined ? 'Add it' : 'Correct it'
  if (example === undefined || word === undefined || typeof path.at(-1) === 'number') {
    return expected === mapping ? 'Write words and what they stand for, for example: name: value' : `${verb}.`
  }
  return `${verb}, for example: ${word}: ${typeof example === 'string' ? example : JSON.stringify(example)}`
}

/**
 * The weight of unknown or missing words in a branch. They are better evidence than any number of wrong values further
 * down.
 */
const wordWeight = 1_000

/** Returns the branch of a union that was most likely intended: the one with the fewest problems. */
function closestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] {
  const wrong = (issues: readonly Issue[]): number => issues.reduce((sum, issue) => sum + weightOf(issue), 0)
  // A branch for a different type of value has only one issue, and was not intended.
  const candidates = branches.filter((issues) => issues.every(isBelowTop))
  return (candidates.length > 0 ? candidates : branches).reduce((best, branch) =>
    wrong(branch) < wrong(best) ? branch : best,
  )
}

/** Whether the words of a union say more than one of its branches: none of them was meant. */
function saysMore({ message, errors }: z.core.$ZodIssueInvalidUnion): boolean {
  return !isStandardMessage(message) && !errors.some((issues) => issues.every(isBelowTop))
}

function weightOf({ path, ...issue }: Issue): number {
  if (path.length > 1) return 1
  return issue.code === 'unrecognized_keys' ? wordWeight * issue.keys.length : wordWeight
}

function isBelowTop({ code, path }: Issue): boolean {
  return path.length > 0 || code === 'unrecognized_keys'
}
