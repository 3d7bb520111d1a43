import type { App } from '../app.ts'
import { accountsStore } from '../auth/accounts/accounts-store.ts'
import { createFirstKeys, firstStartMessage, markFirstKeysShown } from '../auth/first-start-store.ts'
import { FIRST_KEYS_FILE, removeSecretFile, SETUP_CODE_FILE, writeSecretFile } from '../lib/secret-file.ts'
import type { CommandContext } from './command.ts'
import { organizationsOf } from './stored-settings.ts'

const PRIVATE_FILE_NOTE = 'readable by this user alone'

/**
 * Messages at startup. Keys and codes are printed to a terminal only. If stderr is a log, which others may collect, they
 * are written to files in DATA_DIR and the log names the files.
 */
export function startupMessages(app: App, context: CommandContext, isTerminal: boolean) {
  const { config, report, now } = context
  const { dataDir } = config

  /** The demo keys of the first start, or how to create a key if there is none. */
  async function reportKeys(baseUrl: string): Promise<void> {
    const organizations = organizationsOf(app.db, context)
    const secrets = config.sampleData ? await createFirstKeys(app.db, app.auth, organizations, now()) : undefined
    if (secrets) {
      const message = firstStartMessage(secrets, baseUrl)
      if (isTerminal) report(message)
      else {
        const file = writeSecretFile(dataDir, FIRST_KEYS_FILE, message.trimStart())
        report(
          file
            ? `First start: your organization has one key per tier. They are in ${file} (${PRIVATE_FILE_NOTE}); delete it when they are stored.`
            : `First start: your organization has keys that nobody has seen, because nothing can be written to ${dataDir}. "key create" makes one.`,
        )
      }
      await markFirstKeysShown(app.db)
    } else if (!(await app.auth.hasKeys())) report(NO_KEYS)
  }

  /** The dashboard URL and, until there is an owner, the setup code that creates the first one. */
  async function reportDashboard(baseUrl: string): Promise<void> {
    const code = await accountsStore(app.db).makeSetupCode(now())
    report(`Dashboard: ${baseUrl}/dashboard`)
    if (code === undefined) {
      removeSecretFile(dataDir, SETUP_CODE_FILE)
      return
    }
    if (isTerminal) {
      report(`  No account exists yet. Open it and create the first owner with the set-up code ${code}`)
      return
    }
    const file = writeSecretFile(dataDir, SETUP_CODE_FILE, `${code}\n`)
    const where = file
      ? `is in ${file} (${PRIVATE_FILE_NOTE})`
      : 'cannot be written there; "user create --role owner" prints a link instead'
    report(`  No account exists yet. The set-up code for the first owner ${where}.`)
  }

  return { reportKeys, reportDashboard }
}

const NO_KEYS = `There is no API key yet. An owner makes keys in the dashboard; on the command line:
  device-intelligence org create 'My shop'                        # prints the organization's id
  device-intelligence key create --org ORG_ID --tier public       # prints the key, this once`
