/** Names of people in the history of telephony and computing. */
const names = ['Ada', 'Alan', 'Alexander', 'Almon', 'Claude', 'Emma', 'Grace', 'Hedy', 'Joan', 'Margaret']

/** The names that begin with the typed text, in any case. */
export function proposeNames(typed: string): readonly string[] {
  return names.filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()))
}
