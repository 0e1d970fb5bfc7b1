import type { ListFinding } from './judge-list.ts'

/** As many items as a line of the log, or a status, can name. */
const named = 10

/** What is wrong with lists, a line each: `tools[3]: got null, expected an object; not shown`. At most eleven lines. */
export function findingTexts(findings: readonly ListFinding[]): readonly string[] {
  const texts = findings.slice(0, named).map(({ list, position, got, expected, shown }) => {
    return `${list}[${position}]: got ${got}, expected ${expected}; ${shown ? 'shown without it' : 'not shown'}`
  })
  return findings.length > named ? [...texts, `and ${findings.length - named} more`] : texts
}
