import process from 'node:process'
import { exitWhenWritten } from '@junctor/command'
import { runProgram } from './program.ts'

await runProgram(process.argv.slice(2), process)
exitWhenWritten(process)
