import { withPlaces } from '../backends/workspace.ts'
import { envName } from './env-name.ts'

/** Something that was in another program's file and is not in ours, and why not or in which other form. */
export interface LeftOut {
  readonly what: string
  readonly why: string
}

/** Text of another program's file as our file has it. */
export interface ForeignText {
  readonly text: string
  readonly left: readonly LeftOut[]
}

/** `${input:id}`, `${env:NAME}`, `${NAME}`, `${NAME:-default}`. */
const variable = /\$\{(?:([a-z]+):([^{}]*)|([A-Z_][A-Z0-9_]*)(:-[^{}]*)?)\}/g

/**
 * Replaces what other programs write for variables by what we write. What they ask their users for (`${input:…}`) is taken
 * from the environment.
 *
 * @param prompts what the users are asked, by the id of the input
 */
export function fromForeignText(written: string, workspace: string, prompts: ReadonlyMap<string, string>): ForeignText {
  const left: LeftOut[] = []
  const leave = (what: string, why: string): void => void left.push({ what, why })
  const text = withPlaces(written, workspace).replace(
    variable,
    (what, word: string | undefined, id: string = '', name: string | undefined, fallback: string | undefined) => {
      if (name !== undefined) {
        if (fallback !== undefined) leave(what, `a variable has no default here: set ${name} before starting`)
        return `\${env:${name}}`
      }
      if (word === 'env' || word === 'file') return what
      if (word !== 'input') {
        leave(what, 'means nothing here, and is taken as the text itself')
        return `$${what}`
      }
      const prompt = prompts.get(id)
      const asked = prompt === undefined ? '' : ` (${prompt})`
      leave(what, `nobody is asked here: set the environment variable ${envName(id)}${asked} before starting`)
      return `\${env:${envName(id)}}`
    },
  )
  return { text, left }
}
