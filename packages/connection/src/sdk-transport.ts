/** The `Transport` of the official SDKs, version 1 and 2, as far as a channel of texts has what it names. */
export interface SdkTransport {
  /** Opens the channel. Called by `connect` of a client or server, once its callbacks are there. */
  start(): Promise<void>
  /** Resolves when more may be sent. Rejects when nothing can be sent any more. */
  send(message: object): Promise<void>
  close(): Promise<void>
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: ((message: unknown) => void) | undefined
}
