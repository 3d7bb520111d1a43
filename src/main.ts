import { loadCommands } from './cli/commands.ts'
import { takeLeadingTarget } from './cli/remote.ts'
import { runCommand } from './cli/run.ts'

const { args, environment } = takeLeadingTarget(process.argv.slice(2), process.env)
process.exitCode = await runCommand(await loadCommands(args[0]), args, environment)
// A listener left open by a library must not keep a finished command alive.
process.exit()
