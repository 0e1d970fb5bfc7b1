export { authServerPlugin } from './plugin.ts'
export { hashPassword } from './users/password-hash.ts'
