import { userInfo } from 'node:os'
import { type Actor, commandLineActor } from '../auth/actor.ts'

/** Whoever runs this command. A user id without a name, as containers have, is nobody in particular. */
export function currentCommandLineActor(): Actor {
  try {
    return commandLineActor(userInfo().username)
  } catch {
    return commandLineActor(null)
  }
}
