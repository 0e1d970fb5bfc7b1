/**
 * A pattern in the syntax of RE2, and about how many instructions its program has at most; or why it cannot be written
 * so.
 */
export type TranslatedPattern =
  | { readonly kind: 'translated'; readonly text: string; readonly size: number }
  | { readonly kind: 'unsupported'; readonly why: string }

/** The longest counted repetition of RE2. */
const mostRepeats = 1_000

/** White space (ECMA 262, WhiteSpace and LineTerminator), and all else, as ranges of a class. */
const space = String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
const noSpace = String.raw`\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`
const all = String.raw`\x{0}-\x{10ffff}`

const escape = String.raw`\\(?:u\{[^}]*\}|u[Dd][89ABab]..\\u[Dd][C-Fc-f]..|u.{4}|x..|c.|[pP]\{[^}]*\}|k<[^>]*>|.)`

/** The parts of a valid pattern: classes, beginnings of groups, repetitions, escapes and single characters. */
const parts = new RegExp(
  String.raw`${escape}|\[(?:\\.|[^\]\\])*\]|\(\?<?[=!]|\(\?<[^>]*>|\(\?[^:]?:?|\{[^}]*\}|.`,
  'gsu',
)
const partsOfClass = new RegExp(`${escape}|.`, 'gsu')

/**
 * Writes a pattern of ECMA 262 with the flag `u`, which must be valid, in the syntax of RE2, with the same meaning: what
 * `.` and `\s` match differs. It captures nothing, because only whether a text matches is asked for.
 */
export function translatePattern(pattern: string): TranslatedPattern {
  const text: string[] = []
  // The sizes of the open groups, the innermost last, and of the part before, which a repetition repeats.
  const groups = [0]
  let before = 0
  const add = (size: number): void => {
    before = size
    groups[groups.length - 1] = (groups.at(-1) ?? 0) + size
  }
  for (const [part] of pattern.matchAll(parts)) {
    if (part.startsWith('{')) {
      const [least = 0, most = least] = part.slice(1, -1).split(',').map(Number)
      if (Math.max(least, most) > mostRepeats) {
        return { kind: 'unsupported', why: `it repeats more than ${mostRepeats} times: ${part}` }
      }
      // Each that may be absent has an instruction to pass it by. The first was counted before.
      add(before * Math.max(least - 1, 0) + (before + 1) * Math.max(most - least, 1))
    } else if (part === ')') add(groups.pop() ?? 0)
    else if (part.startsWith('(')) groups.push(0)
    else add(1)
    const written = translatePart(part)
    if (written === undefined) return { kind: 'unsupported', why: `it has ${part}` }
    text.push(written)
  }
  return { kind: 'translated', text: text.join(''), size: groups[0] ?? 0 }
}

/** `undefined`: RE2 has nothing like it. */
function translatePart(part: string): string | undefined {
  if (part.startsWith('[')) return translateClass(part)
  if (part.startsWith('(')) return /^\((?:\?:|\?<[^=!].*)?$/su.test(part) ? '(?:' : undefined
  if (part === '.') return String.raw`[^\n\r\x{2028}\x{2029}]`
  if (part === String.raw`\s`) return `[${space}]`
  if (part === String.raw`\S`) return `[^${space}]`
  return translateCharacter(part)
}

function translateClass(part: string): string | undefined {
  // RE2 has no class without members.
  if (part === '[]') return `[^${all}]`
  if (part === '[^]') return `[${all}]`
  const [, open = '', inner = ''] = /^(\[\^?)(.*)\]$/su.exec(part) ?? []
  const members = [...inner.matchAll(partsOfClass)].map(([member]) => translateMember(member))
  return members.includes(undefined) ? undefined : `${open}${members.join('')}]`
}

function translateMember(part: string): string | undefined {
  if (part === String.raw`\s`) return space
  if (part === String.raw`\S`) return noSpace
  if (part === String.raw`\b`) return hex(8)
  // `[:` begins a class of its own in RE2.
  if (part === '[') return String.raw`\[`
  return translateCharacter(part)
}

function translateCharacter(part: string): string | undefined {
  if (!part.startsWith('\\')) return /^\p{Cs}$/u.test(part) ? undefined : part
  const kind = part.charAt(1)
  if (kind === 'u') return codePoint(part)
  if (kind === 'c') return hex(part.charCodeAt(2) % 32)
  if (kind === '0') return hex(0)
  if (kind === 'p' || kind === 'P') return part.replace(/\{(?:Script|sc|General_Category|gc)=/, '{')
  return /[1-9k]/.test(kind) ? undefined : part
}

function codePoint(part: string): string | undefined {
  const [high = 0, low] = [...part.matchAll(/[\da-f]+/gi)].map(([digits]) => parseInt(digits, 16))
  if (low !== undefined) return hex((high - 0xd8_00) * 0x4_00 + low - 0xdc_00 + 0x1_00_00)
  return high >= 0xd8_00 && high <= 0xdf_ff ? undefined : hex(high)
}

function hex(value: number): string {
  return `\\x{${value.toString(16)}}`
}
