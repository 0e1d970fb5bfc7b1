import { resolve } from 'node:path'
import { envName } from '../import/env-name.ts'
import { readFailure } from './read-failure.ts'
import { readTextFile } from './read-text-file.ts'
import { withTexts } from './with-texts.ts'
import type { Finding, Path } from '../problem.ts'
import type { ProblemKind } from '../problem-kind.ts'

/** The sources of the values of references. */
export interface ReferenceSources {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder from which relative paths in `${file:…}` start. */
  readonly folder: string
}

/** A value whose references are replaced, and what they refer to. */
export interface ResolvedReferences {
  readonly value: unknown
  readonly findings: readonly Finding[]
  /** The value of each reference. */
  readonly replaced: readonly { readonly path: Path; readonly value: string }[]
  /** The referenced files, absolute, also when they could not be read. */
  readonly files: readonly string[]
}

/**
 * A word and its argument: `${env:HOME}`. A doubled dollar sign makes it literal text: `$${env:HOME}`. Shell syntax
 * such as `${HOME}` or `${home:-/root}` is not a reference. One without its closing brace is found too, with no word.
 */
const reference = /(\$?)\$\{(?:([a-z]+):(?![-+=?])([^{}]*)\}|(?:env|file|input):(?![-+=?])[\w./-]*)/gi

/**
 * A variable in the syntax of shells that is a whole text, perhaps after `Bearer`. Outside the arguments of a program
 * nobody would replace it, and it would be used as a token that everyone knows.
 */
const variable = /^([a-z]+ )?(\$*)\$\{([a-z_]\w*)(?::?[-+=?][^{}]*)?\}$/i

/**
 * Replaces `${env:NAME}` and `${file:path}` in all string values, at any position. A file's content is used without its
 * final newline. The value of a reference is not searched again, so it cannot contain further references.
 */
export function resolveReferences(value: unknown, sources: ReferenceSources): ResolvedReferences {
  const findings: Finding[] = []
  const replaced: { readonly path: Path; readonly value: string }[] = []
  const files = new Set<string>()
  const replaceIn = (text: string, path: Path): string => {
    const shell = judgeVariable(text)
    if (shell.kind === 'literal') return shell.text
    if (shell.kind === 'variable' && !path.includes('args')) findings.push({ ...variableFinding(shell), path })
    return text.replace(reference, (written: string, escape: string, word: string | undefined, name: string) => {
      if (escape !== '') return written.slice(1)
      if (word === undefined) {
        findings.push({ ...unclosedFinding(written), path })
        return ''
      }
      if (word === 'file') files.add(resolve(sources.folder, name))
      const found = lookUp(word, name, sources)
      if (found.kind === 'value') {
        replaced.push({ path, value: found.value })
        return found.value
      }
      findings.push({ ...found, path, at: 'value', got: written })
      return ''
    })
  }
  return { value: withTexts(value, replaceIn), findings, replaced, files: [...files] }
}

/**
 * Finds the references in all string values, and reads nothing. In `value`, doubled dollar signs are single, as in a
 * file.
 */
export function findReferences(value: unknown): {
  readonly value: unknown
  readonly found: readonly { readonly path: Path; readonly written: string }[]
} {
  const found: { readonly path: Path; readonly written: string }[] = []
  const findIn = (text: string, path: Path): string => {
    const shell = judgeVariable(text)
    if (shell.kind === 'literal') return shell.text
    if (shell.kind === 'variable') found.push({ path, written: text })
    return text.replace(reference, (written: string, escape: string) => {
      if (escape !== '') return written.slice(1)
      found.push({ path, written })
      return written
    })
  }
  return { value: withTexts(value, findIn), found }
}

/** Escapes a text so that no part of it is a reference. */
export function escapeReferences(text: string): string {
  const shell = judgeVariable(text)
  if (shell.kind !== 'none') return `${shell.before}$${text.slice(shell.before.length)}`
  return text.replace(reference, (found) => `$${found}`)
}

/** Whether a whole text is a variable in the syntax of shells. */
type JudgedVariable =
  | { readonly kind: 'none' }
  | { readonly kind: 'variable'; readonly before: string; readonly name: string }
  /** Its dollar sign is doubled: it means `text`. */
  | { readonly kind: 'literal'; readonly before: string; readonly text: string }

function judgeVariable(text: string): JudgedVariable {
  const [, before = '', dollars = '', name] = variable.exec(text) ?? []
  if (name === undefined) return { kind: 'none' }
  if (dollars === '') return { kind: 'variable', before, name }
  return { kind: 'literal', before, text: `${before}${text.slice(before.length + 1)}` }
}

/** The value of a default may be a secret, and is not shown. */
function variableFinding({ before, name }: { before: string; name: string }): Omit<Finding, 'path'> {
  return {
    kind: 'unknown_reference',
    at: 'value',
    got: `${before}\${${name}}`,
    expected: '${env:NAME} or ${file:path}',
    next: `Write ${before}\${env:${name}} for the environment variable. To mean the text itself, double the dollar sign.`,
  }
}

function unclosedFinding(got: string): Omit<Finding, 'path'> {
  const next = `Write ${got}}. To mean the text itself, double the dollar sign.`
  return { kind: 'unknown_reference', at: 'value', got, expected: 'a closing brace', next }
}

type Found =
  | { readonly kind: 'value'; readonly value: string }
  | ({ readonly kind: ProblemKind } & Pick<Finding, 'expected' | 'next'>)

function lookUp(word: string, name: string, { env, folder }: ReferenceSources): Found {
  switch (word) {
    case 'env':
      return environmentValue(name, env)
    case 'file':
      return fileContent(name, folder)
    case 'input': {
      const next = `Write \${env:${envName(name)}} in its place, and set that variable before starting.`
      return { kind: 'unknown_reference', expected: '${env:NAME} or ${file:path}', next }
    }
    default: {
      const next = `To mean the text itself, double the dollar sign: $\${${word}:${name}}.`
      return { kind: 'unknown_reference', expected: '${env:NAME} or ${file:path}', next }
    }
  }
}

/** The names that `export` accepts. A variable with another name may be set all the same. */
const shellName = /^[a-z_]\w*$/i

const variableName = 'the name of a variable, of letters, digits and "_"'

function environmentValue(name: string, env: ReferenceSources['env']): Found {
  const value = env[name]
  if (value !== undefined) return { kind: 'value', value }
  if (!shellName.test(name)) {
    const meant = shellName.test(name.trim()) ? name.trim() : 'NAME'
    return { kind: 'unknown_reference', expected: variableName, next: `Write it as in \${env:${meant}}.` }
  }
  return {
    kind: 'variable_not_set',
    expected: `the environment variable ${name} to be set`,
    next: `Set it before starting: export ${name}=…`,
  }
}

function fileContent(path: string, folder: string): Found {
  const file = resolve(folder, path)
  try {
    return { kind: 'value', value: readTextFile(file).replace(/\r?\n$/, '') }
  } catch (error) {
    const { reason, next } = readFailure(error, `Put the file at ${file}, or correct the path.`)
    return { kind: 'reference_unreadable', expected: `a file that can be read (${reason})`, next }
  }
}
