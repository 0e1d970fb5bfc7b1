import type { DocumentInput } from './server-document.ts'

/** A value that the user is asked for. */
export interface Question {
  /** The name of the answer: `--input NAME=VALUE`. */
  readonly name: string
  readonly description: string | undefined
  readonly required: boolean
  readonly secret: boolean
  readonly format: string | undefined
  readonly otherwise: string | undefined
  readonly placeholder: string | undefined
  readonly choices: readonly string[] | undefined
  /** Whether there may be several answers. */
  readonly repeated: boolean
}

/** A text with gaps for answers. */
export interface Template {
  readonly pieces: readonly (string | Question)[]
  /** Whether the whole is needed to run the server. */
  readonly required: boolean
}

/**
 * The template of an input. A fixed value has gaps for its variables; names in braces that are no variables stay as they
 * are. An input without a fixed value is one gap.
 *
 * @param name how the user calls the input
 */
export function templateOf(name: string, input: DocumentInput, repeated = false): Template {
  const required = input.isRequired === true
  if (input.value === undefined) return { pieces: [questionOf(name, input, repeated)], required }
  return { pieces: piecesOf(input.value, input.variables ?? {}, repeated), required }
}

/** Splits a text with `{names}` of variables. */
export function piecesOf(
  text: string,
  variables: Readonly<Record<string, DocumentInput>>,
  repeated = false,
): readonly (string | Question)[] {
  return text
    .split(/(\{[^{}]*\})/)
    .filter((piece) => piece !== '')
    .map((piece) => {
      const name = piece.slice(1, -1)
      if (!/^\{.*\}$/s.test(piece) || !Object.hasOwn(variables, name)) return piece
      const variable = variables[name] ?? {}
      return variable.value ?? questionOf(name, variable, repeated)
    })
}

function questionOf(name: string, input: DocumentInput, repeated: boolean): Question {
  const { choices, placeholder, format } = input
  return {
    name,
    description: input.description,
    required: input.isRequired === true,
    secret: input.isSecret === true,
    format,
    otherwise: input.default,
    placeholder,
    choices: choices === undefined || choices.length === 0 ? undefined : choices,
    repeated,
  }
}
