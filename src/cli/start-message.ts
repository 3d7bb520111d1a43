import { accountStore } from '../account/store.ts'
import type { App } from '../app.ts'
import { demoKeys, demoMessage, rememberShown } from '../first-start.ts'
import { FIRST_KEYS_FILE, removeSecretFile, SETUP_CODE_FILE, writeSecretFile } from '../secret-file.ts'
import type { Context } from './command.ts'

const OWN_FILE = 'readable by this user alone'

/**
 * What a start tells whoever started it. Keys and codes go to a terminal only: where stderr is a log, which is collected
 * and kept by others, they go into files in DATA_DIR and the log says which.
 */
export function startMessages(app: App, { config, tell, now }: Context, isTerminal: boolean) {
  const { dataDir } = config

  /** The keys of the first start, or how to get one where there is none. */
  async function tellKeys(baseUrl: string): Promise<void> {
    const secrets = config.sampleData ? await demoKeys(app.db, app.access, now()) : undefined
    if (secrets) {
      const message = demoMessage(secrets, baseUrl)
      if (isTerminal) tell(message)
      else {
        const file = writeSecretFile(dataDir, FIRST_KEYS_FILE, message.trimStart())
        tell(
          file
            ? `First start: the organization "Demo" has one key per tier. They are in ${file} (${OWN_FILE}); delete it when they are stored.`
            : `First start: the organization "Demo" has keys that nobody has seen, because nothing can be written to ${dataDir}. "key create" makes one.`,
        )
      }
      await rememberShown(app.db)
    } else if (!(await app.access.hasKeys())) tell(NO_KEYS)
  }

  /** Where the dashboard is and, while it belongs to nobody, the code that makes its first owner. */
  async function tellDashboard(baseUrl: string): Promise<void> {
    const code = await accountStore(app.db).makeSetupCode(now())
    tell(`Dashboard: ${baseUrl}/dashboard`)
    if (code === undefined) {
      removeSecretFile(dataDir, SETUP_CODE_FILE)
      return
    }
    if (isTerminal) {
      tell(`  Nobody can sign in yet. Open it and make the first owner with the set-up code ${code}`)
      return
    }
    const file = writeSecretFile(dataDir, SETUP_CODE_FILE, `${code}\n`)
    const where = file ? `is in ${file} (${OWN_FILE})` : 'is printed by "user setup-code"'
    tell(`  Nobody can sign in yet. The set-up code for the first owner ${where}.`)
  }

  return { tellKeys, tellDashboard }
}

const NO_KEYS = `There is no API key yet. An owner makes keys in the dashboard; on the command line:
  device-intelligence org create 'My shop'                        # prints the organization's id
  device-intelligence key create --org ORG_ID --tier public       # prints the key, this once`
