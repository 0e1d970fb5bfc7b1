export { authServerPlugin } from './plugin.ts'
export { hashPassword } from './users/hash-password.ts'
