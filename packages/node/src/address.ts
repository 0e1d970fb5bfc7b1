/** Where something listens. */
export interface Address {
  readonly url: string
  readonly port: number
}
