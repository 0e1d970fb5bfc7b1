import type { Problem } from '@junctor/config'

/** `has problems, the first in line 3: got "soon"`. */
export function problemsText([first]: readonly Problem[]): string {
  return `has problems${first === undefined ? '' : `, the first in line ${first.line}: got ${first.got}`}`
}
