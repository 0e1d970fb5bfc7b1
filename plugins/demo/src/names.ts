/** People who once made calls go through, or at least shorter. */
const names = ['Ada', 'Alan', 'Alexander', 'Almon', 'Claude', 'Emma', 'Grace', 'Hedy', 'Joan', 'Margaret']

/** Names that begin as typed, in any case. */
export function proposeNames(typed: string): readonly string[] {
  return names.filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()))
}
