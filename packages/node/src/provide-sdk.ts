import { registerHooks } from 'node:module'

/** What a plugin's source imports: the SDK with its entries, and zod. */
const provided = /^(?:@junctor\/plugin-sdk|zod)(?:\/|$)/

/**
 * Lets plugins that are files without packages of their own import `@junctor/plugin-sdk` and `zod`: a module that does
 * not find them gets those of the command. Packages that are published declare them, and get their own.
 *
 * @param from the URL of a module of the command, which has both as dependencies
 */
export function provideSdk(from: string): void {
  registerHooks({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context)
      } catch (error) {
        const isMissing = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND'
        if (!isMissing || !provided.test(specifier)) throw error
        return next(specifier, { ...context, parentURL: from })
      }
    },
  })
}
