import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

/** What a plugin's source imports: the SDK with its entries, and zod. */
const provided = /^(?:@junctor\/plugin-sdk|zod)(?:\/|$)/

/** What Node reports of a package that is not there, to `import` and to `require`. */
const notFound = /^(?:ERR_)?MODULE_NOT_FOUND$/

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
        const isMissing = notFound.test(String((error as NodeJS.ErrnoException).code))
        if (!isMissing || !provided.test(specifier)) throw error
        // Node looks up what a CommonJS module requires from that module, whatever the context says.
        if (context.conditions.includes('require')) {
          return { url: pathToFileURL(createRequire(from).resolve(specifier)).href, shortCircuit: true }
        }
        return next(specifier, { ...context, parentURL: from })
      }
    },
  })
}
