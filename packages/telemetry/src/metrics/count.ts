/** How often something happened. */
export interface Count {
  count: number
}
