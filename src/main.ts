import { loadCommands } from './cli/commands.ts'
import { runCommand } from './cli/run.ts'

const args = process.argv.slice(2)
process.exitCode = await runCommand(await loadCommands(args[0]), args, process.env)
// A listener left open by a library must not keep a finished command alive.
process.exit()
