/** One step of a guide, as its reader would do it. */
export type GuideStep =
  /** Save this text under this name. */
  | { readonly kind: 'file'; readonly name: string; readonly text: string; readonly line: number }
  /**
   * Run this, and wait for its end. The output must contain the `expected` lines in order. `soon`: repeat until it
   * does.
   */
  | {
      readonly kind: 'run'
      readonly script: string
      readonly fails: boolean
      readonly soon: boolean
      readonly expected: readonly string[]
      readonly line: number
    }
  /**
   * Run this and leave it running, until the next step of this kind and name, or a stop step. It is ready when it
   * prints the
   * `expected` lines.
   */
  | {
      readonly kind: 'serve'
      readonly name: string
      readonly script: string
      readonly expected: readonly string[]
      readonly line: number
    }
  /** Stop the program with this name, like Ctrl+C in its terminal. */
  | { readonly kind: 'stop'; readonly name: string; readonly line: number }
  /** This must be valid JSON or YAML; it is for another program. */
  | { readonly kind: 'shown'; readonly language: string; readonly text: string; readonly line: number }

interface Block {
  readonly language: string
  readonly words: readonly string[]
  readonly text: string
  /** Line number, counted from 1. */
  readonly line: number
}

/**
 * The steps of a guide in Markdown. The words after the language of a fenced block, which readers do not see, define
 * the step:
 * `sh` runs; `sh fails` runs and must fail; `sh soon` runs until it prints the expected output; `sh serve` stays, and
 * with a name (`sh serve one`) runs beside those with other names, until the comment `<!-- stop one -->`; `text` is the
 * expected output of the step before, where `…` matches anything; a file name (`yaml junctor.yaml`) means to save the
 * block.
 */
export function readGuide(markdown: string): readonly GuideStep[] {
  const blocks = blocksOf(markdown)
  return blocks.flatMap((block, index): GuideStep[] => {
    const { language, words, text, line } = block
    if (language === stop) return [{ kind: 'stop', name: words[0] ?? '', line }]
    if (language === 'text' || language === 'mermaid') return []
    if (language !== 'sh') {
      const [name] = words
      return [name === undefined ? { kind: 'shown', language, text, line } : { kind: 'file', name, text, line }]
    }
    const next = blocks[index + 1]
    const expected = next?.language === 'text' ? next.text.split('\n').filter((printed) => printed.trim() !== '') : []
    if (words[0] === 'serve') return [{ kind: 'serve', name: words[1] ?? '', script: text, expected, line }]
    return [{ kind: 'run', script: text, fails: words.includes('fails'), soon: words.includes('soon'), expected, line }]
  })
}

/**
 * The names of files that a guide has its reader save before its text has named them: readers do not see the names behind
 * the language of a block.
 */
export function unnamedFiles(markdown: string): readonly string[] {
  const saved = new Set<string>()
  const lines = markdown.split('\n')
  return blocksOf(markdown).flatMap(({ language, words: [name], line }) => {
    if (language === 'sh' || language === 'text' || language === stop || name === undefined || saved.has(name))
      return []
    saved.add(name)
    return proseOf(lines.slice(0, line - 1)).includes(`\`${name}\``) ? [] : [name]
  })
}

/** The lines outside of blocks. */
function proseOf(lines: readonly string[]): string {
  let isInside = false
  const prose = lines.filter((line) => {
    if (!line.startsWith('```')) return !isInside
    isInside = !isInside
    return false
  })
  return prose.join('\n')
}

/** The language of a stop comment: it contains a space, so no block has it. */
const stop = '<!-- stop'

function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = []
  let open: { info: string; lines: string[]; line: number } | undefined
  for (const [index, written] of markdown.split('\n').entries()) {
    if (open === undefined) {
      const [, name] = /^<!-- stop (\S+) -->$/.exec(written) ?? []
      if (name !== undefined) blocks.push({ language: stop, words: [name], text: '', line: index + 1 })
      else if (written.startsWith('```')) open = { info: written.slice(3).trim(), lines: [], line: index + 1 }
    } else if (written.trimEnd() === '```') {
      const [language = '', ...words] = open.info.split(/\s+/)
      blocks.push({ language, words, text: open.lines.join('\n'), line: open.line })
      open = undefined
    } else open.lines.push(written)
  }
  if (open !== undefined) throw new Error(`the block at line ${open.line} has no end`)
  return blocks
}

/** Whether a printed text contains all these lines in order. `…` in a line matches any characters, also none. */
export function printsAll(printed: string, expected: readonly string[]): boolean {
  let from = 0
  return expected.every((line) => {
    const found = lineFrom(printed, line.trim(), from)
    if (found === undefined) return false
    from = found
    return true
  })
}

/** The position after the first line, from `from` on, that contains the parts in order. `undefined`: there is none. */
function lineFrom(printed: string, expected: string, from: number): number | undefined {
  const parts = expected.split('…')
  for (let start = from; start <= printed.length;) {
    const newline = printed.indexOf('\n', start)
    const end = newline === -1 ? printed.length : newline
    if (hasInOrder(printed.slice(start, end), parts)) return end + 1
    start = end + 1
  }
  return undefined
}

function hasInOrder(line: string, parts: readonly string[]): boolean {
  let at = 0
  return parts.every((part) => {
    const found = line.indexOf(part, at)
    at = found + part.length
    return found !== -1
  })
}
