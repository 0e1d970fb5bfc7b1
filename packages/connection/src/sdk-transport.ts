/** The `Transport` of the official SDKs, versions 1 and 2, as far as it applies to a channel of texts. */
export interface SdkTransport {
  /** Opens the channel. `connect` of a client or server calls it after the callbacks are set. */
  start(): Promise<void>
  /** Resolves when more may be sent. Rejects when nothing can be sent any more. */
  send(message: object): Promise<void>
  close(): Promise<void>
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: ((message: unknown) => void) | undefined
}
