import { commands } from './cli/index.ts'
import { runCommand } from './cli/run.ts'

process.exitCode = await runCommand(commands, process.argv.slice(2), process.env)
// A listener left open by a library must not keep a finished command alive.
process.exit()
