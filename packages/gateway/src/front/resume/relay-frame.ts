/** One frame of a stream that a node keeps, as it sends the frame to the node that its client has reached. */
export type RelayFrame =
  | { readonly open: string | null }
  | { readonly text: string; readonly last: boolean; readonly event: string | null }
