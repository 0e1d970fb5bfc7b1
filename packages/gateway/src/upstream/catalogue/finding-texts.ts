import type { ListFinding } from './judge-list.ts'

/** The most items that are named in a log line or a status. */
const named = 10

/** The problems of lists, one line each: `tools[3]: got null, expected an object; not shown`. At most eleven lines. */
export function findingTexts(findings: readonly ListFinding[]): readonly string[] {
  const texts = findings.slice(0, named).map(({ list, position, got, expected, shown }) => {
    return `${list}[${position}]: got ${got}, expected ${expected}; ${shown ? 'shown without it' : 'not shown'}`
  })
  return findings.length > named ? [...texts, `and ${findings.length - named} more`] : texts
}
