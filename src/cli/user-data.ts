import { peopleStore } from '../people/people-store.ts'
import { personDataStore } from '../people/person-data-store.ts'
import { type Command, type CommandContext, parseArguments } from './command.ts'
import { currentCommandLineActor } from './current-actor.ts'

function parseEmail(args: readonly string[], usage: string): string {
  const { positionals } = parseArguments(args, {}, { least: 1, most: 1, usage })
  return (positionals[0] ?? '').trim().toLowerCase()
}

export const userExport: Command = {
  name: 'user export',
  usage: 'EMAIL',
  help: 'Print everything stored about a person as JSON, without secrets.',
  async run(args, context) {
    const email = parseEmail(args, 'user export EMAIL')
    const data = await personDataStore(await context.openExistingDatabase()).export(email)
    context.print(JSON.stringify(data, null, 2))
    return 0
  },
}

export const userErase: Command = {
  name: 'user erase',
  usage: 'EMAIL',
  help: 'Remove a person like "user remove" and replace their name and address in audit trails by an id.',
  async run(args, context) {
    const email = parseEmail(args, 'user erase EMAIL')
    const db = await context.openExistingDatabase()
    const withoutOwner = await personDataStore(db).erase(email, (person) =>
      peopleStore(db).removePerson(person, currentCommandLineActor(), context.now()),
    )
    context.report(`${email} is erased.`)
    reportWithoutOwner(withoutOwner, context)
    return 0
  },
}

export function reportWithoutOwner(organizationIds: readonly string[], context: CommandContext): void {
  for (const id of organizationIds) {
    context.report(`${id} has no owner now; "user create" makes a link for another.`)
  }
}
