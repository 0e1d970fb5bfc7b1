/** A node cannot serve the backends that were added: one of them cannot be created. The message is for the operator. */
export class ServingError extends Error {
  override readonly name = 'ServingError'
}
