export { defaultFrontLimits, type FrontLimits, type LineLimits } from '../options.ts'
export { serveStdio, type StdioOptions, type StdioServer } from './serve-stdio.ts'
