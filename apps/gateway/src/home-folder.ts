import { homedir } from 'node:os'

/**
 * The home of the user. A user that the system does not know has none without the variable HOME; containers then set it
 * to the root, and so does this.
 *
 * @param find throws for a user without a home
 */
export function homeFolder(find: () => string = homedir): string {
  try {
    return find()
  } catch {
    return '/'
  }
}
