import { DomainError } from '../lib/errors.ts'
import { formatTextTable } from '../lib/text-table.ts'
import { isoInstant } from '../lib/time.ts'
import { OPERATOR } from '../risk/tac-confirmation.ts'
import { tacConfirmationStore } from '../risk/tac-confirmation-store.ts'
import { type Command, parseArguments } from './command.ts'
import { toCommandError } from './command-error.ts'
import { currentCommandLineActor } from './current-actor.ts'

const LIST_USAGE = '[--org ORG_ID] [--json]'
const CONFIRM_USAGE = 'TAC DEVICE_ID'
const FORGET_USAGE = 'TAC DEVICE_ID [--org ORG_ID]'

export const tacList: Command = {
  name: 'tac list',
  usage: LIST_USAGE,
  help: 'List the models that people confirmed for type allocation codes (TACs), newest first.',
  async run(args, context) {
    const { values } = parseArguments(
      args,
      { org: { type: 'string' }, json: { type: 'boolean' } },
      { least: 0, most: 0, usage: `tac list ${LIST_USAGE}` },
    )
    const confirmed = await tacConfirmationStore(await context.openExistingDatabase()).list(values.org)
    if (values.json) {
      const rows = confirmed.map(({ organizationId, tac, deviceId, units, confirmedAt }) => ({
        tac,
        device_id: deviceId,
        organization_id: organizationId === OPERATOR ? null : organizationId,
        units,
        confirmed_at: isoInstant(confirmedAt),
      }))
      context.print(JSON.stringify(rows))
    } else {
      const rows = confirmed.map(({ organizationId, tac, deviceId, units, confirmedAt }) => [
        tac,
        deviceId,
        organizationId === OPERATOR ? 'operator' : organizationId,
        String(units),
        isoInstant(confirmedAt),
      ])
      context.print(formatTextTable(['TAC', 'DEVICE', 'CONFIRMED BY', 'DEVICES', 'LAST'], rows))
    }
    return 0
  },
}

export const tacConfirm: Command = {
  name: 'tac confirm',
  usage: CONFIRM_USAGE,
  help: 'Confirm the model of a TAC (the first 8 digits of an IMEI) for all organizations.',
  async run(args, context) {
    const { positionals } = parseArguments(args, {}, { least: 2, most: 2, usage: `tac confirm ${CONFIRM_USAGE}` })
    const [tac = '', deviceId = ''] = positionals
    const store = tacConfirmationStore(await context.openExistingDatabase())
    await asCommandError(() => store.confirmForAll(tac, deviceId, context.now()))
    context.report(`TAC ${tac} now means ${deviceId} for all organizations.`)
    return 0
  },
}

export const tacForget: Command = {
  name: 'tac forget',
  usage: FORGET_USAGE,
  help: "Delete a confirmed model of a TAC: the operator's, or that of an organization.",
  async run(args, context) {
    const { values, positionals } = parseArguments(
      args,
      { org: { type: 'string' } },
      { least: 2, most: 2, usage: `tac forget ${FORGET_USAGE}` },
    )
    const [tac = '', deviceId = ''] = positionals
    const store = tacConfirmationStore(await context.openExistingDatabase())
    const organizationId = values.org ?? OPERATOR
    await asCommandError(() => store.forget(organizationId, tac, deviceId, currentCommandLineActor(), context.now()))
    context.report(`Deleted the confirmation of TAC ${tac} as ${deviceId}.`)
    return 0
  },
}

async function asCommandError(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw error instanceof DomainError ? toCommandError(error) : error
  }
}
