export { fixtureBackendFile } from './fixture-backend-file.ts'
export { serveFixtureHttp, type FixtureHttp } from './fixture-backend/serve-fixture-http.ts'
