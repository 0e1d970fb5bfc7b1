/** The control message that asks whether a node is present. No listener handles it: its arrival is the answer. */
export const presenceQuestion = { kind: 'there', body: null } as const
