/** The tenants that may see an event. */
export type EventAudience =
  | { readonly kind: 'everybody' }
  | { readonly kind: 'tenant'; readonly tenant: string }
  /** All tenants that have the backend. */
  | { readonly kind: 'backend'; readonly backend: string }
