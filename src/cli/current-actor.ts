import { userInfo } from 'node:os'
import { type Actor, commandLineActor } from '../auth/actor.ts'

/** The system user who runs this command; null for a user id without a name, as in containers. */
export function currentCommandLineActor(): Actor {
  try {
    return commandLineActor(userInfo().username)
  } catch {
    return commandLineActor(null)
  }
}
