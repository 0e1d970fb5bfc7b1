export { type Outcome, runKeycloak, type RunOptions } from './run-keycloak.ts'
