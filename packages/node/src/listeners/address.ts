/** The address of a listener. */
export interface Address {
  readonly url: string
  readonly port: number
}
