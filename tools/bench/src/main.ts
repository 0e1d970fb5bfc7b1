import { runBench } from './bench.ts'
import { readCommandLine } from './command-line.ts'
import { errorsOf, printJson, printReport } from './report.ts'

const command = readCommandLine(process.argv.slice(2))

if (command.kind === 'help') console.log(command.text)
else if (command.kind === 'unusable') {
  console.error(command.problem)
  process.exitCode = 2
} else {
  const report = await runBench(command.settings, (progress) => console.error(progress))
  console.log(command.json ? printJson(report) : printReport(report))
  if (errorsOf(report).length > 0) process.exitCode = 1
}
