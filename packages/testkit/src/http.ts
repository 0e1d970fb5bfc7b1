export { type HttpAnswer, startHttpServer, type TestHttpServer } from './start-http-server.ts'
export { webAnswer } from './web-answer.ts'
