import { withPlaces } from '../backends/workspace.ts'
import { envName } from './env-name.ts'

/** A part of another program's file that was not imported or was changed, with the reason. */
export interface NotImported {
  readonly what: string
  readonly why: string
}

/** A text of another program's file, converted for our file. */
export interface ForeignText {
  readonly text: string
  readonly left: readonly NotImported[]
}

/** `${NAME}`, `${NAME:-default}`, the same with `env:`, and `${input:id}`. */
const variable = /\$\{(?:(?:env:)?([A-Za-z_]\w*)(:-[^{}]*)?|([a-z]+):([^{}]*))\}/g

/** `$NAME` as Gemini CLI has it: a whole text, or all after `Bearer ` or `NAME=`. */
const bareVariable = /^(Bearer |[\w-]+=)?\$([A-Z_][A-Z0-9_]*)$/

/** `${{ secrets.NAME }}` and `${{ inputs.NAME }}` as Continue has them. */
const secret = /\$\{\{\s*(?:secrets|inputs)\.([\w-]+)\s*\}\}/g

/**
 * Replaces the variables of other programs by our references. Inputs that they ask their users for (`${input:…}`) are
 * read from the environment.
 *
 * @param prompts the questions to the users, by the id of the input
 * @param own the variables that the program which receives the text has anyway, and may replace itself
 */
export function fromForeignText(
  written: string,
  workspace: string,
  prompts: ReadonlyMap<string, string>,
  own: readonly string[],
): ForeignText {
  const left: NotImported[] = []
  const leave = (what: string, why: string): void => void left.push({ what, why })
  const known = written.replace(bareVariable, '$1${env:$2}').replace(secret, (what, id: string) => {
    leave(what, `its value is not in this file: set the environment variable ${envName(id)} before starting`)
    return `\${env:${envName(id)}}`
  })
  const text = withPlaces(known, workspace).replace(
    variable,
    (what, name: string | undefined, fallback: string | undefined, word: string | undefined, id: string = '') => {
      if (name !== undefined) {
        if (own.includes(name)) return what
        if (fallback !== undefined) leave(what, `a variable has no default here: set ${name} before starting`)
        return `\${env:${name}}`
      }
      if (word === 'env' || word === 'file') return what
      if (word !== 'input') {
        leave(what, 'has no meaning here, and is used as plain text')
        return `$${what}`
      }
      const prompt = prompts.get(id)
      const asked = prompt === undefined ? '' : ` (${prompt})`
      leave(what, `there is no prompt for it: set the environment variable ${envName(id)}${asked} before starting`)
      return `\${env:${envName(id)}}`
    },
  )
  return { text, left }
}
