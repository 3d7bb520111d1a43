/** bunfig.toml loads this file before the tests: a file that is run alone has the time limit of a whole run. */
import { setDefaultTimeout } from 'bun:test'

setDefaultTimeout(240_000)
