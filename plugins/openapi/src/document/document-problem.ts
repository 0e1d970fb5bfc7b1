/** A part of a document that cannot be used: the message says what was expected and what came. */
export class DocumentProblem extends Error {
  override readonly name = 'DocumentProblem'
  /** The JSON pointer of the part: `/paths/~1pets/get`. */
  readonly pointer: string

  constructor(pointer: string, message: string) {
    super(message)
    this.pointer = pointer
  }
}

/** Runs a part of reading, and returns the problem that it has instead of throwing it. Other errors are thrown. */
export function orProblem<Value extends object>(read: () => Value): Value | DocumentProblem {
  try {
    return read()
  } catch (error) {
    if (error instanceof DocumentProblem) return error
    throw error
  }
}
