/** The `Transport` of the official SDKs, versions 1 and 2, as far as it applies to a channel of texts. */
export interface SdkTransport {
  /** Opens the channel. `connect` of a client or server calls it after the callbacks are set. */
  start(): Promise<void>
  /** Resolves when more may be sent. Rejects when nothing can be sent any more. */
  send(message: object): Promise<void>
  /** Closes the connection. */
  close(): Promise<void>
  /** Set by the SDK: called once, when the connection is closed. */
  onclose?: (() => void) | undefined
  /** Set by the SDK: called for messages that cannot be read. */
  onerror?: ((error: Error) => void) | undefined
  /** Set by the SDK: receives each message. */
  onmessage?: ((message: unknown) => void) | undefined
}
