import { runCommand } from './cli/run.ts'

const args = process.argv.slice(2)

/** The server starts without reading the code of all the other commands. */
async function commands() {
  if (args[0] === 'serve') return [(await import('./cli/serve.ts')).serve]
  return (await import('./cli/index.ts')).commands
}

process.exitCode = await runCommand(await commands(), args, process.env)
// A listener left open by a library must not keep a finished command alive.
process.exit()
